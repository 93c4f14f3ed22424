import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type Sql } from '../../../store/sql/open.ts';
import { createSqlReader } from '../../../store/sql/sql-reader.ts';
import type { CallFilter } from './call-filter.ts';
import { createCdrStore } from './cdr.store.ts';
import type { NewLeg } from './leg-writer.ts';
import { takeApart } from './number-endings.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const HOUR = 3_600_000;
const BEGIN = Date.UTC(2026, 2, 1);
const LONG = `${'7'.repeat(60)}42`;
const NUMBERS = ['', '101', '102', '201', '+4912345', '+4954321', '0123', '%_', '10%', 'Ω12', LONG];
/** Only in the second half of the legs, when the numbers of the first half are already taken apart. */
const LATE_NUMBERS = [...NUMBERS, '5101', '+4910123', '10%1'];
const OUTCOMES = ['ANSWERED', 'NO ANSWER', 'BUSY', 'CHANUNAVAIL'];

interface Made extends NewLeg {
  readonly src_num: string;
  readonly dst_num: string;
  readonly did: string;
  readonly at: number;
  readonly disposition: string;
}

/** 400 legs of 160 calls over ten days, the same in every run. */
const legs: Made[] = Array.from({ length: 400 }, (_, i) => {
  const roll = (salt: number, sides: number) => (((i + 7) * (salt * 7919 + 104_729)) % 999_983) % sides;
  const call = i < 160 ? i : roll(1, 160);
  const numbers = i < 200 ? NUMBERS : LATE_NUMBERS;
  const at = BEGIN + call * 1.5 * HOUR + (i < 160 ? 0 : roll(2, 5) * HOUR);
  return {
    linkedid: `call-${call}`,
    UNIQUEID: `leg-${i}`,
    at,
    start: new Date(at).toISOString().replace('T', ' ').replace('Z', ''),
    src_num: numbers[roll(3, numbers.length)] as string,
    dst_num: numbers[roll(4, numbers.length)] as string,
    did: roll(5, 3) === 0 ? (numbers[roll(6, numbers.length)] as string) : '',
    disposition: OUTCOMES[roll(7, 4)] as string,
    from_account: roll(8, 2) === 0 ? `SIP-${roll(9, 3)}` : '',
    to_account: roll(10, 3) === 0 ? `SIP-${roll(11, 3)}` : '',
    duration: roll(12, 100),
    billsec: roll(13, 50),
  };
});

/** Contract 5.2 in its plainest form. */
function shows(leg: Made, { srcNum, dstNum, did, search }: CallFilter): boolean {
  const { src_num, dst_num } = leg;
  const all = [src_num, dst_num, leg.did];
  return (
    (srcNum === undefined || src_num.includes(srcNum)) &&
    (dstNum === undefined || dst_num.includes(dstNum) || leg.did.includes(dstNum)) &&
    (did === undefined || leg.did.includes(did)) &&
    (search === undefined || all.some((n) => n.includes(search.text) || search.numbers.includes(n)))
  );
}
const inside = (at: number, { from, to }: CallFilter): boolean =>
  (from === undefined || at >= from) && (to === undefined || at <= to);
const callStart = (linkedid: string) =>
  Math.min(...legs.filter((leg) => leg.linkedid === linkedid).map(({ at }) => at));

const callsOf = (filter: CallFilter): string[] =>
  [...new Set(legs.filter((leg) => shows(leg, filter)).map(({ linkedid }) => linkedid))].filter((id) =>
    inside(callStart(id), filter),
  );
const legsOf = (filter: CallFilter): string[] =>
  legs.filter((leg) => shows(leg, filter) && inside(leg.at, filter)).map(({ UNIQUEID }) => UNIQUEID);

const part = fc.option(fc.constantFrom('1', '10', '101', '+49', '23', '%', '_', '42', LONG, 'Ω', 'x'), {
  nil: undefined,
});
const time = fc.option(
  fc.integer({ min: -10, max: 260 }).map((hours) => BEGIN + hours * HOUR),
  { nil: undefined },
);
const filters: fc.Arbitrary<CallFilter> = fc.record({
  from: time,
  to: time,
  srcNum: part,
  dstNum: part,
  did: part,
  search: fc.option(
    fc.record({ text: fc.constantFrom('2', '54', '77'), numbers: fc.subarray(['101', '0123']) }),
    { nil: undefined },
  ),
});
const page = { limit: 1000, offset: 0, sort: 'id', ascending: true } as const;

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && !hasPostgres)('filters', () => {
    let server: PostgresServer | undefined;
    let folder: string;
    let sql: Sql;
    let reader: ReturnType<typeof createSqlReader>;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'pbxcore-filter-'));
      const file = join(folder, 'db');
      if (kind === 'postgres') server = await startPostgres();
      const url = await server?.createDatabase('cdr');
      sql = await openSql({ url, file });
      reader = createSqlReader({ sql, url, file, atOnce: 2 });
      // One half is written by us, the other by another tool.
      const rows = legs.map(({ at, ...leg }) => leg);
      await createCdrStore({ db: sql.db, kind, reader }).record(rows.slice(0, 200));
      while ((await takeApart({ db: sql.db, kind })) > 0);
      for (const row of rows.slice(200)) await sql.db.insertInto('cdr_general').values(row).execute();
    }, 60_000);
    afterAll(async () => {
      await reader?.close();
      await sql?.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each([
      ['looked up number by number', { numbers: 20_000, calls: 300_000 }],
      ['broad ones held against each call', { numbers: 1, calls: 300_000 }],
      ['broad ones in a long history', { numbers: 1, calls: 0 }],
    ])('find the same calls and legs as checking every leg: %s', async (_, few) => {
      const store = createCdrStore({ db: sql.db, kind, reader, few });
      await fc.assert(
        fc.asyncProperty(filters, async (filter) => {
          const search = await reader.openSearch(new AbortController().signal);
          const calls = await store.calls(filter, page, search);
          expect(calls.calls.map(({ linkedid }) => linkedid).sort()).toEqual(callsOf(filter).sort());
          expect(calls.total).toBe(calls.calls.length);
          const flat = await store.legs(filter, page, search);
          await search.close();
          expect(flat.rows.map(({ UNIQUEID }) => UNIQUEID).sort()).toEqual(legsOf(filter).sort());
          expect(flat.total).toBe(flat.rows.length);
        }),
        { numRuns: 40 },
      );
    });

    test('select the calls of an export in the same way', async () => {
      const store = createCdrStore({ db: sql.db, kind, reader });
      await fc.assert(
        fc.asyncProperty(filters, async (filter) => {
          const exported = await store.openExport(filter, true, new AbortController().signal);
          const calls: string[] = [];
          for await (const lines of exported.calls())
            calls.push(
              ...Buffer.from(lines)
                .toString()
                .trimEnd()
                .split('\n')
                .map((line) => JSON.parse(line).linkedid),
            );
          await exported.close();
          expect(calls.sort()).toEqual(callsOf(filter).sort());
        }),
        { numRuns: 10 },
      );
    });

    test('statistics of any window equal the sum over its calls', async () => {
      const store = createCdrStore({ db: sql.db, kind, reader });
      const hours = fc.integer({ min: -30, max: 300 });
      await fc.assert(
        fc.asyncProperty(hours, hours, async (from, length) => {
          const window = { from: BEGIN + from * HOUR, to: BEGIN + (from + length) * HOUR };
          const expected = new Map<string, Set<string>>();
          for (const leg of legs.filter((each) => inside(callStart(each.linkedid), window))) {
            for (const [direction, provider] of [
              ['incoming', leg.from_account],
              ['outgoing', leg.to_account],
            ]) {
              if (!provider) continue;
              const key = `${provider} ${direction}`;
              expected.set(key, (expected.get(key) ?? new Set()).add(leg.linkedid));
            }
          }
          const found = (await store.providerTotals(window)).map(
            ({ provider, direction, totalCalls }) => [`${provider} ${direction}`, totalCalls] as const,
          );
          expect(new Map(found)).toEqual(new Map([...expected].map(([key, calls]) => [key, calls.size])));
        }),
        { numRuns: 60 },
      );
    });

    test('a deleted call no longer counts in the statistics', async () => {
      const store = createCdrStore({ db: sql.db, kind, reader });
      const day = { from: Date.UTC(2030, 0, 1), to: Date.UTC(2030, 0, 2) - 1 };
      await store.record([
        { linkedid: 'late', UNIQUEID: 'late', start: '2030-01-01 12:00:00', from_account: 'SIP-9' },
      ]);
      expect(await store.providerTotals(day)).toMatchObject([{ provider: 'SIP-9', totalCalls: 1 }]);
      await store.remove({ linkedid: 'late' });
      expect(await store.providerTotals(day)).toEqual([]);
    });
  });
});
