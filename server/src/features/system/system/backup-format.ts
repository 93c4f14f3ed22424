import { join, sep, resolve as toPath } from 'node:path';

/** The description of an archive, in `backup.json`. */
export interface BackupNote {
  readonly format: 1;
  /** Version of the service that made the archive. */
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly database: 'sqlite' | 'postgres';
  /** The last migration of its database. */
  readonly migration: string;
}

export const NOTE_FILE = 'backup.json';
const DATABASE_FOLDER = 'database';
export const SQLITE_NAME = 'pbxcore.sqlite';
export const MODULES_FOLDER = 'modules';
export const SOUNDS_FOLDER = 'sounds';
/** The self-signed certificate of the service, which clients may have come to trust. */
export const CERTIFICATE_FILES = ['tls-cert.pem', 'tls-key.pem'];

/** Where to unpack a file of an archive; `undefined` for one that no backup of ours contains. */
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
