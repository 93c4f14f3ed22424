import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../../test/real/postgres.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import { openSql, type SqlPlace } from '../open.ts';

const hasPostgres = realPart('PostgreSQL', findPostgres());
const BEFORE = '2026-11r-hours';
const DAY = '2026-05-04 10:00:';
const PROVIDER = 'SIP-A';

interface Written {
  readonly linkedid: string;
  readonly is_app: string;
  readonly start: string;
  readonly endtime: string;
  readonly duration: number;
}

const at = (ms: number) => DAY + (ms / 1000).toFixed(3).padStart(6, '0');
const msOf = (text: string) => (text.startsWith(DAY) ? Math.round(Number(text.slice(DAY.length)) * 1000) : 0);

/** Contract 29.2, leg by leg. */
function durationOf(legs: readonly Written[]): number {
  const timed = legs.filter(({ start }) => start !== '');
  if (timed.length === 0 || !legs.some(({ is_app }) => is_app === '1'))
    return legs.reduce((sum, { duration }) => sum + duration, 0);
  const ends = timed.map((leg) =>
    leg.endtime === '' ? msOf(leg.start) + 1000 * leg.duration : msOf(leg.endtime),
  );
  const begin = Math.min(...timed.map(({ start }) => msOf(start)));
  return Math.max(0, Math.floor((Math.max(...ends) - begin) / 1000));
}

const MOMENT = fc.integer({ min: 1, max: 29_999 });
const LEG: fc.Arbitrary<Written> = fc
  .record({
    linkedid: fc.constantFrom('a', 'b'),
    is_app: fc.constantFrom('0', '0', '1'),
    began: fc.option(MOMENT, { freq: 8 }),
    lasted: fc.integer({ min: 0, max: 29_000 }),
    isEndKnown: fc.boolean(),
  })
  .map(({ linkedid, is_app, began, lasted, isEndKnown }) => ({
    linkedid,
    is_app,
    start: began === null ? '' : at(began),
    endtime: began === null || !isEndKnown ? '' : at(began + lasted),
    duration: Math.floor(lasted / 1000),
  }));
const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), leg: LEG }) },
  fc.record({ do: fc.constant('change' as const), which: fc.nat(9), leg: LEG }),
  fc.record({ do: fc.constant('remove' as const), which: fc.nat(9) }),
);

async function expectUpgrade(place: SqlPlace): Promise<void> {
  const before = await openSql({ ...place, upTo: BEFORE });
  const leg = (values: Partial<Written>) => ({
    from_account: PROVIDER,
    start: at(1000),
    duration: 5,
    ...values,
  });
  const both = [leg({ linkedid: 'old' }), leg({ linkedid: 'old' })];
  await before.db.insertInto('cdr_general').values(both).execute();
  await before.close();

  const { db, close } = await openSql(place);
  const rows = async (text: string) =>
    (await sql.raw<Record<string, unknown>>(text).execute(db)).rows.map((row) =>
      Object.values(row).map((value) =>
        value === null ? 0 : Number.isNaN(Number(value)) ? value : Number(value),
      ),
    );
  const kept = () => rows('select linkedid, duration from calls order by linkedid');
  try {
    expect(await kept()).toEqual([['old', 10]]);
    await db.deleteFrom('cdr_general').execute();
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 8 }), async (steps) => {
        await db.deleteFrom('cdr_general').execute();
        const legs = new Map<number, Written>();
        for (const step of steps) {
          const id = step.do === 'add' ? undefined : [...legs.keys()][step.which];
          if (step.do === 'add') {
            const row = { ...step.leg, from_account: PROVIDER };
            const made = await db
              .insertInto('cdr_general')
              .values(row)
              .returning('id')
              .executeTakeFirstOrThrow();
            legs.set(made.id, step.leg);
          } else if (id === undefined) continue;
          else if (step.do === 'change') {
            await db.updateTable('cdr_general').set(step.leg).where('id', '=', id).execute();
            legs.set(id, step.leg);
          } else {
            await db.deleteFrom('cdr_general').where('id', '=', id).execute();
            legs.delete(id);
          }
          written++;
        }
        const calls = Map.groupBy(legs.values(), ({ linkedid }) => linkedid);
        const expected = [...calls].map(([linkedid, of]) => [linkedid, durationOf(of)] as const).sort();
        expect(await kept()).toEqual(expected);
        expect(await rows('select linkedid, duration from call_providers order by linkedid')).toEqual(
          expected,
        );
        const all = expected.reduce((sum, [, duration]) => sum + duration, 0);
        expect(await rows('select sum(duration) as duration from provider_days')).toEqual([[all]]);
      }),
      { numRuns: 40 },
    );
    console.log(`${written} writes of legs left every call as long as its legs say`);
  } finally {
    await close();
  }
}

test('calls of before keep their length, and from then on one with an application lasts from start to end: SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-upgrade-'));
  try {
    await expectUpgrade({ file: join(folder, 'db') });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

test.skipIf(!hasPostgres)(
  'calls of before keep their length, and from then on one with an application lasts from start to end: PostgreSQL',
  async () => {
    const server = await startPostgres();
    try {
      await expectUpgrade({ url: await server.createDatabase('upgrade') });
    } finally {
      await server.stop();
    }
  },
  120_000,
);
