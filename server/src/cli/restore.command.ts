import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Config, readConfig } from '../config.ts';
import {
  type BackupNote,
  CERTIFICATE_FILES,
  databaseIn,
  MODULES_FOLDER,
  NOTE_FILE,
  placeIn,
  readNote,
  SOUNDS_FOLDER,
  SQLITE_NAME,
} from '../features/system/system/backup-format.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { BrokenArchive, unpackTar } from '../lib/tar.ts';
import { findRunningService } from '../service-file.ts';
import { isKnownMigration } from '../store/sql/migrate.ts';
import { DatabaseInUse, restorePostgres } from '../store/sql/postgres-backup.ts';
import { sqliteProblem } from '../store/sql/sqlite-backup.ts';
import { CommandFailed, command } from './command.ts';
import { createMoves } from './moves.ts';
import { databaseFailure } from './start-failure.ts';

export const restoreCommand = command({
  usage: 'restore FILE [--replace]',
  summary: 'Restore a backup: database, certificate, modules and sounds. The service must not be running',
  details:
    '  --replace  restore over existing data, which is moved aside within the data directory. PostgreSQL: only into an empty database',
  options: { replace: { type: 'boolean' } },
  operands: ['FILE'],
  async run(values, [given]) {
    const config = readConfig();
    const running = await findRunningService(config.dataDir);
    if (running)
      throw new CommandFailed(
        `the service is running (process ${running.pid})`,
        'stop it, then run this again',
      );
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const present = await presentData(config);
    if (present.length > 0 && !values.replace)
      throw new CommandFailed(
        `there is data already: ${present.map((path) => basename(path)).join(', ')} in ${config.dataDir}`,
        'add --replace to replace it with the backup; the present data is moved aside',
      );
    const staging = await mkdtemp(join(config.dataDir, '.restore-'));
    try {
      const note = await unpack(given as string, staging);
      await check(note, staging, config);
      const aside = await putInPlace(staging, present, note, config);
      console.log(
        `restored the backup of ${note.createdAt} (version ${note.version}) into ${config.dataDir}`,
      );
      if (aside) console.log(`what was there before: ${aside}`);
      console.log(
        'Recordings, bans and the poll positions of bouncers are not part of a backup. Start the service now.',
      );
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
    return 0;
  },
});

/** The files that a backup would replace; the database last. */
async function presentData({ dataDir, modulesDir, soundsDir, databaseUrl }: Config): Promise<string[]> {
  const database = databaseUrl ? [] : [SQLITE_NAME, `${SQLITE_NAME}-wal`, `${SQLITE_NAME}-shm`];
  const names = [...CERTIFICATE_FILES, 'ttl.sqlite', 'ttl.sqlite-wal', 'ttl.sqlite-shm', ...database];
  const present: string[] = [];
  const folders = [modulesDir, soundsDir].map((folder) => resolve(folder));
  for (const path of [...folders, ...names.map((name) => join(dataDir, name))])
    if (await stat(path).catch(() => undefined)) present.push(path);
  return present;
}

async function unpack(file: string, staging: string): Promise<BackupNote> {
  const packed = createReadStream(file);
  const unpacking = createGunzip();
  pipeline(packed, unpacking, () => {});
  try {
    await unpackTar(unpacking, (name) => {
      const path = placeIn(staging, name);
      if (path === undefined) throw new BrokenArchive(`it holds ${JSON.stringify(name.slice(0, 100))}`);
      return path;
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === 'write') throw error;
    throw new CommandFailed(
      `${file} is not a complete backup: ${reasonOf(error)}`,
      'nothing was changed',
      error,
    );
  }
  const note = readNote(await readFile(join(staging, NOTE_FILE), 'utf8').catch(() => ''));
  if (!note) throw new CommandFailed(`${file} is not a backup of this program`, 'nothing was changed');
  return note;
}

async function check(note: BackupNote, staging: string, { databaseUrl }: Config): Promise<void> {
  const kind = databaseUrl ? 'postgres' : 'sqlite';
  if (note.database !== kind)
    throw new CommandFailed(
      `the backup is of ${note.database === 'postgres' ? 'PostgreSQL' : 'SQLite'}`,
      kind === 'sqlite'
        ? 'set PBXCORE_DATABASE_URL to an empty database'
        : 'run this without PBXCORE_DATABASE_URL',
    );
  if (!isKnownMigration(kind, note.migration))
    throw new CommandFailed(
      `the backup was made by a newer version (${note.version})`,
      'restore it with that version',
    );
  const problem = kind === 'sqlite' && sqliteProblem(join(databaseIn(staging), SQLITE_NAME));
  if (problem)
    throw new CommandFailed(`the database in the backup is damaged: ${problem}`, 'use another one');
}

/** All or nothing: a failure is undone. Resolves to the folder with the previous files. */
async function putInPlace(
  staging: string,
  present: readonly string[],
  note: BackupNote,
  config: Config,
): Promise<string | undefined> {
  const { dataDir, modulesDir, soundsDir, databaseUrl } = config;
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const aside = present.length > 0 ? join(dataDir, `before-restore-${time}`) : undefined;
  const { move, undo } = createMoves();
  try {
    if (aside) {
      await mkdir(aside, { mode: 0o700 });
      for (const path of present) await move(path, join(aside, basename(path)));
    }
    const names = await readdir(staging);
    if (names.includes(MODULES_FOLDER)) await move(join(staging, MODULES_FOLDER), resolve(modulesDir));
    if (names.includes(SOUNDS_FOLDER)) await move(join(staging, SOUNDS_FOLDER), resolve(soundsDir));
    for (const name of CERTIFICATE_FILES)
      if (names.includes(name)) await move(join(staging, name), join(dataDir, name));
    // Last: with PostgreSQL, this step cannot be undone.
    if (databaseUrl) await fillPostgres(databaseUrl, staging, note, config);
    else await move(join(databaseIn(staging), SQLITE_NAME), join(dataDir, SQLITE_NAME));
    return aside;
  } catch (error) {
    await undo().catch((failure: unknown) => {
      const place = aside ? `; what is missing is in ${aside}` : '';
      throw new CommandFailed(
        `the backup cannot be put in place: ${reasonOf(error)}`,
        `not everything could be moved back (${reasonOf(failure)})${place}`,
        error,
      );
    });
    if (aside) await rmdir(aside).catch(() => {});
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(
      `the backup cannot be put in place: ${reasonOf(error)}`,
      databaseUrl
        ? 'the files are as they were before; the database may have to be emptied'
        : 'everything is as it was before',
      error,
    );
  }
}

async function fillPostgres(url: string, staging: string, note: BackupNote, config: Config): Promise<void> {
  try {
    await restorePostgres({ url, folder: databaseIn(staging), migration: note.migration });
  } catch (error) {
    if (error instanceof DatabaseInUse)
      throw new CommandFailed(
        'the PostgreSQL database of PBXCORE_DATABASE_URL is not empty',
        'make an empty one (createdb) and name it in the variable; the old one stays as it is',
      );
    throw databaseFailure(error, config);
  }
}
