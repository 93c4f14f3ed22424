import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSql } from '../../../store/sql/open.ts';
import { createLegWriter, type NewLeg } from './leg-writer.ts';
import { findOrphanRecordings } from './orphan-recordings.ts';

const NOW = Date.parse('2026-11-17T12:00:00Z');
let dir: string;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-orphans-'));
  sql = await openSql({ file: join(dir, 'test.sqlite') });
});
afterEach(async () => {
  await sql.close();
  await rm(dir, { recursive: true });
});

async function record(file: string, at = NOW - 2 * 3_600_000): Promise<void> {
  await mkdir(dirname(join(dir, file)), { recursive: true });
  await writeFile(join(dir, file), 'sound');
  await utimes(join(dir, file), at / 1000, at / 1000);
}
const find = (days = 2) => findOrphanRecordings({ db: sql.db, recordingsDir: dir, now: NOW, days });

test('recordings that no call record names are found; those with a record or from this hour are not', async () => {
  const writer = createLegWriter(sql);
  const named = [
    ['n-1.1', '2026/11/17/09/n-1.1-1.wav'],
    // After a transfer the leg's own channel is not the one that the call is named after.
    ['n-1.1', '2026/11/17/09/n-1.5-1.wav'],
  ] as const;
  for (const [linkedid, recordingfile] of named) {
    await record(recordingfile);
    const leg = { start: '2026-11-17 09:00:00.000', UNIQUEID: recordingfile, linkedid, recordingfile };
    await writer.record([leg as NewLeg]);
  }
  await record('2026/11/17/09/n-2.1-1.wav');
  await record('2026/11/16/23/n-3.1-1.wav');
  await record('2026/11/17/11/n-4.1-1.wav', NOW - 60_000);
  await record('2026/11/01/09/n-5.1-1.wav');
  await record('2026/11/17/09/of-somebody-else.mp3');
  expect(await find()).toEqual(['2026/11/16/23/n-3.1-1.wav', '2026/11/17/09/n-2.1-1.wav']);
  expect(await find(30)).toContain('2026/11/01/09/n-5.1-1.wav');
});
