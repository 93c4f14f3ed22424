import { CUT_KEYS, declareFields, MAX_KEYS } from '@pbxcore/module/fields';
import { expect, test } from 'vitest';
import { longestTurn } from '../../../test/timed-ping.ts';
import { createRouter } from '../../http/router.ts';
import type { RecordRows, ValueRows } from '../data/record-rows.ts';
import { createStoredRecords } from '../data/stored-records.ts';
import { parseManifest } from '../description/manifest.ts';
import type { CallActs } from './call-acts.ts';
import { createCoreReads } from './core-reads.ts';
import { createCoreRequests } from './core-requests.ts';
import { createModuleQuestions } from './module-questions.ts';

const manifest = parseManifest(
  JSON.stringify({ id: 'Asks', version: '1', generation: 3, slug: 'asks', main: 'i.js' }),
  '1',
);
const fields = declareFields({ name: { type: 'string', unique: true } }, 'notes');

/** Questions of a module with many keys and no records. */
function rig() {
  const warnings: string[] = [];
  const rows = { get: async () => undefined, find: async () => undefined } as Partial<RecordRows>;
  const values = { keys: async ({ limit }) => Array(limit).fill('key') } as Partial<ValueRows>;
  const none = async () => undefined;
  const requestsOf = createCoreRequests({
    router: () => createRouter([]),
    callerLimit: { spend() {} },
    onWritten() {},
  });
  const notes = createStoredRecords({ name: 'notes', rows: () => rows as RecordRows, fields });
  const ask = createModuleQuestions({
    manifest,
    data: { values: () => values as ValueRows, open: none, index: async () => {}, keep: async () => {} },
    recordsOf: (name) => (name === 'notes' ? notes : undefined),
    core: { read: createCoreReads({ routes: () => [] }), request: requestsOf(manifest) },
    callActs: {} as CallActs,
    warn: (text) => warnings.push(text),
  });
  return { ask: (what: string, json: string) => ask(what, json, undefined), warnings };
}

test.each(['{"toString":0,"valueOf":0}', '[[]]', '"\\u0000"'])(
  'a question with %s in place of a text is refused, without a failure of the exchange',
  async (odd) => {
    const { ask, warnings } = rig();
    const questions: [what: string, args: string][] = [
      ['records.get', `${odd},"1"`],
      ['records.get', `"notes",${odd}`],
      ['records.find', `"notes",${odd},"x"`],
      ['records.find', `"notes","name",${odd}`],
      ['records.update', `"notes",${odd},{}`],
      ['records.remove', `"notes",${odd}`],
      ['records.save', `"notes",[{"id":${odd},"fields":{}}]`],
      ['records.list', `"notes",{"limit":${odd}}`],
      ['records.list', `"notes",{"offset":${odd}}`],
      ['records.list', `"notes",{"search":${odd}}`],
      ['records.following', `"notes",{"after":${odd}}`],
      ['records.following', `"notes",{"search":${odd}}`],
      ['store.keys', odd],
      ['store.keys', `"",${odd}`],
      ['core', odd],
      ['core.request', `${odd},"/employees",{},""`],
      ['core.request', `"GET",${odd},{},""`],
    ];
    for (const [what, args] of questions) {
      const reply = await ask(what, `[${args}]`);
      expect(reply, `${what} ${args}`).toMatchObject({ t: 'refusal', status: 400 });
    }
    expect(warnings).toEqual([]);
  },
);

test('a question for an unknown id gets no record', async () => {
  const { ask } = rig();
  for (const id of ['null', '7', 'true', '"x"'])
    expect(await ask('records.get', `["notes",${id}]`)).toEqual({ t: 'reply', json: '' });
});

test('a cut list of keys is reported only once', async () => {
  const { ask, warnings } = rig();
  for (let i = 0; i < 3; i++) {
    const reply = await ask('store.keys', '[]');
    expect(reply.t === 'reply' && JSON.parse(reply.json)).toHaveLength(MAX_KEYS);
  }
  expect(warnings).toEqual([CUT_KEYS]);
});

/** Nearly 2 MiB. */
const LARGE = {
  lists: `["notes",[${'[],'.repeat(690_000)}[]]]`,
  names: `["notes",{"list":[${Array.from({ length: 130_000 }, (_, i) => `{"k${i}":1}`).join()}]}]`,
  texts: `["notes",{"name":"${'x'.repeat(2_000_000)}"}]`,
};

test.each([
  ['records.get', 'lists', 422],
  ['records.create', 'names', 422],
  ['records.create', 'texts', 422],
  ['records.none', 'names', 404],
] as const)('large questions that are refused are not read in one go: %s of %s', async (what, of, status) => {
  const { ask } = rig();
  const asked = Promise.all(Array.from({ length: 4 }, () => ask(what, LARGE[of])));
  const longest = await longestTurn(asked);
  console.log(`${what} of ${of}: the longest turn worked ${longest.toFixed(1)} ms`);
  for (const reply of await asked) expect(reply).toMatchObject({ t: 'refusal', status });
  expect(longest).toBeLessThan(100);
});

test('a question larger than a value may be is refused when it holds too many values', async () => {
  const { ask } = rig();
  const list = (count: number, text: string) =>
    `["notes",{"name":"x","list":[${'1,'.repeat(count)}"${text}"]}]`;
  const refusal = { t: 'refusal', status: 422, reasons: ['more than 20000 values at once'] };
  const long = 'x'.repeat(300_000);
  expect(await ask('records.find', list(20_000, long))).toEqual(refusal);
  // These are parsed, and refused because of their contents.
  for (const json of [list(100_000, ''), list(19_000, long)])
    expect(await ask('records.find', json)).toMatchObject({ status: 400 });
});
