import { join, sep, resolve as toPath } from 'node:path';

/** What an archive says of itself, in `backup.json`. */
export interface BackupNote {
  readonly format: 1;
  /** Of the service that made it. */
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly database: 'sqlite' | 'postgres';
  /** The last change of the tables that it knows. */
  readonly migration: string;
}

export const NOTE_FILE = 'backup.json';
const DATABASE_FOLDER = 'database';
export const SQLITE_NAME = 'pbxcore.sqlite';
export const MODULES_FOLDER = 'modules';
export const SOUNDS_FOLDER = 'sounds';
/** The certificate that the service made for itself, which others may have come to trust. */
export const CERTIFICATE_FILES = ['tls-cert.pem', 'tls-key.pem'];

/** Where a file of an archive belongs below a folder; `undefined` for one that no backup of ours has. */
export function placeIn(folder: string, name: string): string | undefined {
  const isKnown =
    name === NOTE_FILE ||
    CERTIFICATE_FILES.includes(name) ||
    name.startsWith(`${DATABASE_FOLDER}/`) ||
    name.startsWith(`${MODULES_FOLDER}/`) ||
    name.startsWith(`${SOUNDS_FOLDER}/`);
  const path = toPath(folder, name);
  return isKnown && path.startsWith(toPath(folder) + sep) ? path : undefined;
}

export function readNote(text: string): BackupNote | undefined {
  try {
    const note = JSON.parse(text) as BackupNote;
    return note.format === 1 && typeof note.migration === 'string' ? note : undefined;
  } catch {
    return undefined;
  }
}

export const databaseIn = (folder: string): string => join(folder, DATABASE_FOLDER);
