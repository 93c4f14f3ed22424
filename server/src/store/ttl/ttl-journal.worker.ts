import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { createPrivateFile } from '../../lib/private-file.ts';
import type {
  JournalBatch,
  JournalBody,
  JournalCounter,
  JournalEntry,
  JournalReply,
  JournalRequest,
} from './ttl-journal.ts';

/** Marks the file as ours ("pbxt"), so that a wrong path in the settings never writes into a foreign database. */
const applicationId = 0x70627874;
const version = 1;
const pageSize = 5000;
const pageBytes = 8 * 1024 * 1024;
const sqliteBusy = 5;
const sqliteNotADatabase = 26;

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
let journal: Journal | undefined;

port.on('message', (request: JournalRequest) => {
  try {
    if (request.type === 'open') journal = prepare(open(request.file));
    if (request.type === 'load') load(opened().db);
    if (request.type === 'write') write(opened(), request.batch);
    if (request.type === 'close') opened().db.close();
    reply({ type: 'done' });
  } catch (error) {
    reply({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
});

function reply(message: JournalReply): void {
  port?.postMessage(message);
}

function opened(): Journal {
  if (!journal) throw new Error('the file is not open');
  return journal;
}

function open(file: string): DatabaseSync {
  createPrivateFile(file); // SQLite gives its -wal and -shm files the same mode
  const db = new DatabaseSync(file, { timeout: 1000 });
  try {
    // Exclusive while we run: two nodes on one file would overwrite each other's changes.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA journal_size_limit = 16777216; BEGIN EXCLUSIVE; COMMIT');
    const isNew = isEmpty(db) && pragma(db, 'application_id') === 0;
    if (!isNew && pragma(db, 'application_id') !== applicationId) {
      throw new Error('it is a database of another program');
    }
    if (!isNew && pragma(db, 'user_version') !== version) {
      throw new Error('it was written by another version of this program');
    }
    const [check] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
    if (check !== 'ok') throw new Error(`it is damaged (${check})`);
    if (isNew) create(db);
    // Added later than the other tables; earlier versions of this program ignore it.
    db.exec(
      'CREATE TABLE IF NOT EXISTS counters (key TEXT PRIMARY KEY, times TEXT, expires_at REAL) STRICT, WITHOUT ROWID',
    );
    return db;
  } catch (error) {
    db.close();
    const code = (error as { errcode?: number }).errcode;
    if (code === sqliteBusy) throw new Error('another process has it open');
    if (code === sqliteNotADatabase) throw new Error('it is not a database');
    throw error;
  }
}

function pragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function create(db: DatabaseSync): void {
  db.exec(`
    BEGIN;
    CREATE TABLE bodies (row INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    CREATE TABLE entries (
      key TEXT PRIMARY KEY, value TEXT, expires_at REAL, mark_order INTEGER, body_id TEXT, body INTEGER
    ) STRICT, WITHOUT ROWID;
    PRAGMA application_id = ${applicationId};
    PRAGMA user_version = ${version};
    COMMIT`);
}

function load(db: DatabaseSync): void {
  let bodies: JournalBody[] = [];
  let bytes = 0;
  for (const body of db.prepare('SELECT row, bytes FROM bodies').iterate()) {
    bodies.push(body as unknown as JournalBody);
    bytes += bodies.at(-1)?.bytes.length ?? 0;
    if (bytes < pageBytes) continue;
    reply({ type: 'page', entries: [], bodies, counters: [] });
    bodies = [];
    bytes = 0;
  }
  let entries: JournalEntry[] = [];
  const every = db.prepare(
    'SELECT key, value, expires_at AS expiresAt, mark_order AS "order", body_id AS bodyId, body FROM entries',
  );
  for (const entry of every.iterate()) {
    entries.push(entry as unknown as JournalEntry);
    if (entries.length < pageSize) continue;
    reply({ type: 'page', entries, bodies, counters: [] });
    entries = [];
    bodies = [];
  }
  reply({ type: 'page', entries, bodies, counters: [] });
  let counters: JournalCounter[] = [];
  for (const { key, times, expiresAt } of db
    .prepare('SELECT key, times, expires_at AS expiresAt FROM counters')
    .iterate()) {
    counters.push({ key: String(key), times: JSON.parse(String(times)), expiresAt: Number(expiresAt) });
    if (counters.length < pageSize) continue;
    reply({ type: 'page', entries: [], bodies: [], counters });
    counters = [];
  }
  reply({ type: 'page', entries: [], bodies: [], counters });
}

type Journal = ReturnType<typeof prepare>;

/** Most transactions are one ban: compiling the statements each time would cost more than running them. */
function prepare(db: DatabaseSync) {
  return {
    db,
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    body: db.prepare('INSERT OR REPLACE INTO bodies (row, bytes) VALUES (?, ?)'),
    entry: db.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)'),
    gone: db.prepare('DELETE FROM entries WHERE key = ?'),
    unused: db.prepare('DELETE FROM bodies WHERE row = ?'),
    counter: db.prepare('INSERT OR REPLACE INTO counters VALUES (?, ?, ?)'),
    goneCounter: db.prepare('DELETE FROM counters WHERE key = ?'),
  };
}

function write(to: Journal, batch: JournalBatch): void {
  to.begin.run();
  try {
    for (const { row, bytes } of batch.bodies ?? []) to.body.run(row, bytes);
    for (const e of batch.entries ?? []) to.entry.run(e.key, e.value, e.expiresAt, e.order, e.bodyId, e.body);
    for (const key of batch.gone ?? []) to.gone.run(key);
    for (const row of batch.unusedBodies ?? []) to.unused.run(row);
    for (const { key, times, expiresAt } of batch.counters ?? []) {
      if (times.length === 0) to.goneCounter.run(key);
      else to.counter.run(key, JSON.stringify(times), expiresAt);
    }
    to.commit.run();
  } catch (error) {
    // On a full disk SQLite has already rolled back, and a second ROLLBACK would fail.
    if (to.db.isTransaction) to.db.exec('ROLLBACK');
    throw error;
  }
}
