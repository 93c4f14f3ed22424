import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { ClientGone, Conflict, StoreRefusesWrites } from '../../../lib/errors.ts';
import { type PackedFile, tarOf } from '../../../lib/tar.ts';
import type { Sql } from '../../../store/sql/open.ts';
import { dumpPostgres } from '../../../store/sql/postgres-backup.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { copySqlite } from '../../../store/sql/sqlite-backup.ts';
import {
  type BackupNote,
  CERTIFICATE_FILES,
  databaseIn,
  MODULES_FOLDER,
  NOTE_FILE,
  SOUNDS_FOLDER,
  SQLITE_NAME,
} from './backup-format.ts';

const FOLDER = /^\.backup-(\d+)-/;
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES'];
/** SQLITE_IOERR and SQLITE_FULL. */
const FULL_SQLITE = [10, 13];

export interface BackupParts {
  readonly version: string;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly modulesDir: string;
  readonly soundsDir: string;
  readonly sql: Sql;
  readonly sqliteFile: string;
  readonly databaseUrl: string | undefined;
}

/**
 * One archive of the database and what belongs to it (contract 35.5). The database is copied into a temporary folder
 * before the first byte is sent, so a copy that fails gives an error instead of half an archive.
 */
export function createBackups(parts: BackupParts) {
  const { clock, dataDir } = parts;
  let isBusy = false;
  const swept = removeLeftBehind(dataDir);

  return async (signal: AbortSignal): Promise<{ name: string; stream: Readable }> => {
    if (isBusy) throw new Conflict('a backup is being made already; wait until it is done');
    isBusy = true;
    const folder = join(dataDir, `.backup-${process.pid}-${randomBytes(4).toString('hex')}`);
    const finish = async () => {
      // Cleared first: a client with the last byte may request the next backup at once.
      isBusy = false;
      await rm(folder, { recursive: true, force: true }).catch(() => {});
    };
    try {
      await swept;
      await removeLeftBehind(dataDir);
      await mkdir(databaseIn(folder), { recursive: true, mode: 0o700 });
      await fill(folder, parts, signal);
      const files = [
        ...(await filesIn(folder)),
        ...(await filesIn(parts.modulesDir, `${MODULES_FOLDER}/`)),
        // After the database: sounds that it refers to are kept for a day after their deletion (contract 24.6).
        ...(await filesIn(parts.soundsDir, `${SOUNDS_FOLDER}/`)),
      ];
      const packing = createGzip();
      packing.once('close', () => void finish());
      pipeline(Readable.from(tarOf(files)), packing, () => {});
      const time = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
      return { name: `pbxcore-backup-${time}.tar.gz`, stream: packing };
    } catch (error) {
      await finish();
      throw shownFailure(error, signal);
    }
  };
}

async function fill(folder: string, parts: BackupParts, signal: AbortSignal): Promise<void> {
  const { version, clock, dataDir, sqliteFile, databaseUrl } = parts;
  const { kind, db } = parts.sql;
  const migration = await lastMigration(db);
  if (databaseUrl) await dumpPostgres({ url: databaseUrl, folder: databaseIn(folder), signal });
  else {
    await checkRoom(dataDir, (await stat(sqliteFile)).size);
    await copySqlite({ file: sqliteFile, target: join(databaseIn(folder), SQLITE_NAME), signal });
  }
  for (const name of CERTIFICATE_FILES)
    await copyFile(join(dataDir, name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  const createdAt = new Date(clock.now()).toISOString();
  const note: BackupNote = { format: 1, version, createdAt, database: kind, migration };
  await writeFile(join(folder, NOTE_FILE), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

async function lastMigration(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
  return rows[0]?.name ?? '';
}

/** Refuses a backup that would fill the disk, which the service itself needs. */
async function checkRoom(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const [needed, free] = [bytes, bavail * bsize].map((count) => Math.ceil(count / 1_000_000));
  if (bavail * bsize <= bytes)
    throw new StoreRefusesWrites(
      `a backup needs ${needed} MB in the data directory while it is made, and ${free} MB are free`,
    );
}

/** Plain files below a folder; hidden ones, such as a module that is being installed, and links are left out. */
async function filesIn(folder: string, prefix = ''): Promise<PackedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files: PackedFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = prefix + relative(folder, path);
    if (!name.split('/').some((segment) => segment.startsWith('.')))
      files.push({ name, path, size: (await stat(path)).size });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Removes folders of killed services. Our own pid counts too: containers reuse it, and no backup runs here now. */
async function removeLeftBehind(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const [, pid] = FOLDER.exec(name) ?? [];
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function shownFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new ClientGone('nobody waits for the backup any more');
  const { code, cause } = error as NodeJS.ErrnoException & { cause?: { errcode?: number } };
  const isFull = FULL.includes(code ?? '') || FULL_SQLITE.includes((cause?.errcode ?? 0) & 0xff);
  if (!isFull) return error;
  return new StoreRefusesWrites(
    'the backup cannot be written: the disk of the data directory is full',
    error,
  );
}
