import { beforeAll, describe, expect, test } from 'vitest';
import { LEG_FIELDS } from '../../src/features/telephony/cdr/leg.ts';
import { createOutsider } from '../outsider.ts';
import { insertLegs, type LegValues, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const CONTROL = String.fromCodePoint(...Array.from({ length: 31 }, (_, i) => i + 1), 127, 133);
const TEXTS = [
  ...['a"b', '"', '\\', 'a\\', '","', '"],["', '\\",\\"', '"]]', '[]', '{"a":1}', 'null', "'", '</script>'],
  ...[
    CONTROL,
    '\u2028\u2029',
    '\ufeff',
    '\uffff',
    '😀',
    'é',
    '\u202eabc',
    ' ',
    '[["x"]]',
    '%s $1 $&',
    null,
    '',
  ],
];
const TIMES = [
  ...['2026-05-04 09:00:00.000', '2026-05-04T09:00:00.000', '2026-05-04 09:00:00', '2026-05-04T08:59:59'],
  ...[
    '2026-05-04 09:00:00.',
    '2026-05-04 09:00:00.5',
    '2026-05-04 09:00:00.123456',
    '2026-05-04T09:00:00.12',
  ],
  ...['2026-02-31 09:00:00.000', '2026-13-01 09:00:00', '2026-05-04', '2026-05-04 09:00', 'ten past nine'],
  ...['2026-05-04 09:00:00.0000x', '2026-05-04 09:00:00\n', '2026-05-04 09:00:00Z', '２026-05-04 09:00:00'],
  ...['ten past nine is a time', 'ten past 9 is no clock!', null, ''],
];
const NOT_TEXT = ['id', 'recordingfile', 'linkedid', 'start', 'answer', 'endtime', 'transfer'];
const COLUMNS = LEG_FIELDS.filter((f) => ![...NOT_TEXT, 'duration', 'billsec'].includes(f));

/** Legs with each text in every column, and legs of one call in every order of their start times. */
const LEGS = [
  ...TEXTS.map((text, i) =>
    leg({ ...Object.fromEntries(COLUMNS.map((column) => [column, text])), linkedid: `t.${i}"\\` }),
  ),
  ...TIMES.flatMap((time, i) => [
    leg({ start: time, answer: time, endtime: time, linkedid: `time.${i}` }),
    leg({ start: time, linkedid: 'all', transfer: i % 2 === 0 ? null : i, duration: null, billsec: -i }),
    leg({ start: TIMES.at(-i - 1) ?? null, linkedid: `pair.${i % 7}`, is_app: null, work_completed: '' }),
  ]),
].map((values): LegValues => ({ transfer: 0, ...values }));

describe.each(availablePairs)('on $name', ({ name, open }) => {
  const held = useApp(open);
  const sqlite = name.startsWith('SQLite');

  beforeAll(async () => {
    await insertLegs(held.stores, ...LEGS);
    if (!sqlite) return;
    // Values that only SQLite accepts: lone surrogates, NUL characters, non-numeric numbers.
    const set = (values: string, id: number) => `update cdr_general set ${values} where id = ${id}`;
    await createOutsider(held.stores).sql(
      set(`src_name = cast(x'61eda08062' as text), dst_name = cast(x'ff' as text)`, 1),
      set(`src_name = 'a' || char(0) || 'b', answer = '2026-05-04 09:00:00' || char(0)`, 2),
      set(`transfer = 1.5`, 3),
      set(`duration = 1.9, billsec = 'twelve'`, 4),
      set(`duration = '12 or so', billsec = ''`, 5),
    );
  });

  const exported = async (query: string) =>
    (await held.call('GET', `/cdr:export?format=ndjson&${query}`, { token: await held.app.admin() })).text;
  async function paged(query: string): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    for (let hasMore = true; hasMore; ) {
      const path = `/cdr?${query}&order=ASC&limit=100&offset=${found.length}`;
      const { records, pagination } = (await held.asAdmin('GET', path)).body.data;
      found.push(...records);
      hasMore = pagination.hasMore;
    }
    return found;
  }
  const line = (shown: unknown) =>
    JSON.stringify(shown, (key, value) => (/^(playback|download)_url$/.test(key) ? undefined : value));

  test.each([
    ['a call per line', 'idFrom=0'],
    ['a call per line, of those that a search finds', 'idFrom=0&src_num=2'],
    ['a leg per line', 'idFrom=0&grouped=false'],
    ['a leg per line, of those that a search finds', 'idFrom=0&grouped=false&src_num=2'],
  ])('NDJSON with %s has the same bytes as the page, whatever the texts are', async (_, query) => {
    const lines = (await paged(query)).map(line);
    expect(lines.length).toBeGreaterThan(20);
    expect((await exported(query)).split('\n')).toEqual([...lines, '']);
  });

  test.skipIf(!sqlite)('bytes that another tool wrote as a text are shown as text', async () => {
    await insertLegs(held.stores, leg({ linkedid: 'bytes' }));
    const bytes = `appname = x'68c3a4', endtime = x'68c3a4'`;
    await createOutsider(held.stores).sql(`update cdr_general set ${bytes} where linkedid = 'bytes'`);
    const call = (await held.asAdmin('GET', '/cdr/bytes')).body.data;
    expect(call.records).toMatchObject([{ appname: 'hä', endtime: 'hä' }]);
    expect(await exported('linkedid=bytes')).toBe(`${line(call)}\n`);
  });
});
