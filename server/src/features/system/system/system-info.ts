import { stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { createKept } from '../../../lib/kept.ts';
import { isoWithOffset } from '../../../lib/local-time.ts';
import type { Sql } from '../../../store/sql/open.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';

/** How long findings and counts are reused: they take connections, file access and a walk over recordings. */
const KEPT_MS = 15_000;

export interface SystemInfoParts {
  readonly version: string;
  readonly clock: Clock;
  readonly steady: Clock;
  readonly timezone: string;
  readonly dataDir: string;
  readonly sql: Sql;
  readonly sqliteFile: string;
  readonly ttl: TtlStore;
  readonly ttlFile: string;
  /** The engine in the form of `pbxcore engine status`. */
  readonly engine: () => Promise<object>;
  /** The findings of `pbxcore doctor`. */
  readonly findings: () => Promise<readonly Finding[]>;
  readonly countBans: () => number;
}

interface Finding {
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly remedy?: string;
}

/** An overview of the service, its stores and the engine (contract 35.1). */
export function createSystemInfo(parts: SystemInfoParts) {
  const { version, clock, steady, timezone, dataDir } = parts;
  const started = { at: clock.now(), steady: steady.now() };
  const findings = createKept(KEPT_MS, steady, parts.findings);
  const records = createKept(KEPT_MS, steady, () => countRecords(parts.sql.db));

  return async () => ({
    version,
    node: process.versions.node,
    uptimeSeconds: Math.floor((steady.now() - started.steady) / 1000),
    startedAt: new Date(started.at).toISOString(),
    stores: await Promise.all([databaseInfo(parts), expiringKeysInfo(parts)]),
    engine: await parts.engine(),
    data: await spaceOf(dataDir),
    clock: { now: isoWithOffset(clock.now(), timezone), timezone },
    findings: (await findings()).map(({ remedy = null, ...finding }) => ({ ...finding, remedy })),
    // `stores` and `findings` already report a database that does not answer.
    records: await records().then(
      (counts) => ({ ...counts, bans: parts.countBans() }),
      () => null,
    ),
  });
}

async function databaseInfo({ sql: { kind, db, ping }, sqliteFile }: SystemInfoParts) {
  const size = kind === 'postgres' ? postgresSize(db) : fileSize(sqliteFile);
  return { name: 'database', kind, reachable: await answers(ping()), sizeBytes: await size };
}

async function expiringKeysInfo({ ttl, ttlFile }: SystemInfoParts) {
  // Redis may hold the data of other programs too, so its size says little.
  const sizeBytes = ttl.kind === 'embedded' ? await fileSize(ttlFile) : null;
  return { name: 'expiring keys', kind: ttl.kind, reachable: await answers(ttl.ping()), sizeBytes };
}

const answers = (asked: Promise<void>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  );

/** Includes the write-ahead log, which is not merged into the file yet. */
async function fileSize(file: string): Promise<number | null> {
  const sizes = await Promise.all([file, `${file}-wal`].map((one) => stat(one).catch(() => undefined)));
  return sizes[0] ? sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0) : null;
}

async function postgresSize(db: Kysely<Database>): Promise<number | null> {
  const asked = sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return asked.then(
    ({ rows }) => Number(rows[0]?.bytes),
    () => null,
  );
}

async function spaceOf(dataDir: string) {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { path: resolve(dataDir), freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

async function countRecords(db: Kysely<Database>) {
  const { rows } = await sql<Record<string, number | string>>`select
    (select count(*) from employees) as employees,
    (select count(*) from sip_providers) as "sipProviders",
    (select coalesce(sum(calls), 0) from call_blocks) as calls,
    (select count(*) from "m_NetworkFilters") as "networkFilters",
    (select count(*) from api_keys) as "apiKeys",
    (select count(*) from module_records) as "moduleRecords"`.execute(db);
  const count = (name: string) => Number(rows[0]?.[name] ?? 0);
  return {
    employees: count('employees'),
    sipProviders: count('sipProviders'),
    calls: count('calls'),
    networkFilters: count('networkFilters'),
    apiKeys: count('apiKeys'),
    moduleRecords: count('moduleRecords'),
  };
}
