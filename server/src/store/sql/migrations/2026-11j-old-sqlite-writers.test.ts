import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bookErrors } from '../../../../test/call-books.ts';
import { openSql } from '../open.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxcore-writers-'));
  file = join(folder, 'db');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function openFile(upTo?: string) {
  await (await openSql({ file, upTo })).close();
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off');
  return { db, rows: (text: string) => db.prepare(text).all(), [Symbol.dispose]: () => db.close() };
}

/** Functions that SQLite 3.34 has, as far as the schema needs them. */
const KNOWN = ['cast', 'coalesce', 'count', 'glob', 'julianday', 'length', 'max', 'min', 'replace', 'round'];
KNOWN.push('strftime', 'substr', 'total', 'upper', 'varchar');
const WORDS =
  /^(and|as|by|else|exists|from|in|into|join|key|not|on|or|select|set|table|then|unique|values|when|where)$/;

test('nothing in a table, trigger or index is newer than SQLite 3.34', async () => {
  using opened = await openFile();
  const { rows } = opened;
  const made = rows('select name, sql from sqlite_schema where sql is not null') as {
    name: string;
    sql: string;
  }[];
  const tables = new Set(rows(`select name from sqlite_schema where type = 'table'`).map(({ name }) => name));
  const newer = made.flatMap(({ name, sql }) => {
    const code = sql.replace(/'[^']*'/g, "''").toLowerCase();
    const called = [...code.matchAll(/([a-z_0-9]+)"?\s*\(/g)].map(([, word = '']) => word);
    const unknown = called.filter(
      (word) =>
        !KNOWN.includes(word) && !WORDS.test(word) && !tables.has(word) && word !== name.toLowerCase(),
    );
    const syntax = code.match(/->>?|\breturning\b|\)\s*strict\b|\bmaterialized\b|\bdrop column\b/g) ?? [];
    return [...unknown, ...syntax].map((what) => `${name}: ${what}`);
  });
  expect(newer).toEqual([]);
  console.log(`${made.length} tables, triggers and indexes use nothing newer than SQLite 3.34`);
});

const IDS = fc.integer({ min: 1, max: 6 });
const LINKEDIDS = fc.constantFrom("'a'", "'b'", "'c'", "''", 'null');
const VALUES = fc
  .tuple(
    LINKEDIDS,
    fc.constantFrom('1', '2', ''),
    fc.constantFrom('1', '3'),
    fc.constantFrom('', 'P1', 'P2'),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(
    ([linkedid, source, target, provider, minute]) =>
      `${linkedid}, '${source}', '${target}', '${provider}', '2026-05-04 10:0${minute}:00', 5`,
  );
const COLUMNS = 'linkedid, src_num, dst_num, from_account, start, duration';
const OR = fc.constantFrom('', 'or replace', 'or ignore', 'or fail', 'or abort');
const UPSERT = fc.constantFrom(
  'do nothing',
  'do update set linkedid = excluded.linkedid, src_num = excluded.src_num',
  "do update set recordingfile = 'x'",
  'do update set id = excluded.id + 1',
);
/** Every way to write a row, with ids that are often taken. */
const STATEMENT = fc.oneof(
  fc
    .tuple(OR, IDS, VALUES)
    .map(([or, id, values]) => `insert ${or} into cdr_general (id, ${COLUMNS}) values (${id}, ${values})`),
  fc.tuple(OR, VALUES).map(([or, values]) => `insert ${or} into cdr_general (${COLUMNS}) values (${values})`),
  fc
    .tuple(IDS, VALUES, UPSERT)
    .map(
      ([id, values, upsert]) =>
        `insert into cdr_general (id, ${COLUMNS}) values (${id}, ${values}) on conflict (id) ${upsert}`,
    ),
  fc
    .tuple(OR, fc.constantFrom('id', 'rowid'), IDS, IDS)
    .map(([or, column, to, from]) => `update ${or} cdr_general set ${column} = ${to} where id = ${from}`),
  fc
    .tuple(OR, IDS, LINKEDIDS, IDS)
    .map(
      ([or, to, linkedid, from]) =>
        `update ${or} cdr_general set id = ${to}, linkedid = ${linkedid}, src_num = '9' where id >= ${from}`,
    ),
  fc
    .tuple(LINKEDIDS, IDS)
    .map(([linkedid, id]) => `update cdr_general set linkedid = ${linkedid} where id = ${id}`),
  IDS.map(
    (
      id,
    ) => `replace into cdr_general (id, ${COLUMNS}) select id, 'moved', src_num, dst_num, from_account, start, 1
    from cdr_general where id <= ${id}`,
  ),
  IDS.map((id) => `delete from cdr_general where id = ${id}`),
  LINKEDIDS.map((linkedid) => `delete from cdr_general where linkedid is ${linkedid}`),
);

test.each(['off', 'on'])(
  'however a leg is written, its calls are counted (recursive triggers %s)',
  async (recursive) => {
    using opened = await openFile();
    const { db, rows } = opened;
    db.exec(`pragma recursive_triggers = ${recursive}`);
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(STATEMENT, { minLength: 1, maxLength: 12 }), async (statements) => {
        db.exec('delete from cdr_general');
        for (const statement of statements) {
          try {
            db.exec(statement);
          } catch (error) {
            expect(String(error)).toContain('UNIQUE constraint failed: cdr_general.id');
          }
          written++;
          expect(await bookErrors(rows), statement).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
    expect(rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    console.log(`${written} statements of other tools left every call counted`);
  },
  120_000,
);
