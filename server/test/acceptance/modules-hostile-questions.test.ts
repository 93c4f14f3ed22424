import { describe, expect, test } from 'vitest';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { longestTurn } from '../timed-ping.ts';

/** About five times what an otherwise idle machine needs. */
const HELD_UP_MS = 200;

/** New property names, which take longest to parse for their size. */
const named = (count: number) => `Array.from({ length: ${count} }, (_, i) => ({ ['k' + i]: 1 }))`;
/** Combining marks that take a minute to normalize one by one. */
const MARKS = `'a' + '\\u0315\\u0300'.repeat(100_000)`;
const FIELDS = `{ text: { type: 'string', max: 1048576, search: true }, name: { type: 'string', max: 1048576, unique: true }, list: { type: 'array' } }`;

describe('requests of a module block nobody, whether answered or refused', () => {
  const running = useModules({ limits: { callMs: 60_000, memoryMb: 256, totalMb: 512 } });

  test.each([
    ['Lists', `Array(690_000).fill([])`, `records('x').get(large)`],
    ['Names', named(150_000), `records('x').create({ list: large })`],
    ['Values', named(20_000), `store.set('large', large)`],
    ['Texts', `'x'.repeat(2_000_000)`, `records('x').create({ text: large })`],
    ['Searches', MARKS, `records('x').list({ search: large })`],
    ['Finds', MARKS, `records('x').find('name', large)`],
    ['Marks', MARKS, `records('x').create({ text: large })`],
    ['Bodies', named(75_000), `core.request('POST', '/employees', { body: { list: large } })`],
    ['Gathered', named(20_000), `core.request('POST', '/employees', { body: { list: large } })`],
    [
      'Unknown',
      `Object.assign({}, ...${named(24_000)})`,
      `core.request('POST', '/employees', { body: large })`,
    ],
    ['Reads', named(5_000), `records('x').get('1')`],
    ['Pages', named(5_000), `records('x').list().then(({ items }) => items.length)`, 60],
    ['Parts', named(5_000), `(async () => { for await (const one of records('x').each()) one.id; })()`, 60],
  ])(
    '%s',
    async (id, large, deed, count = 1) => {
      const path = `/module-${id.toLowerCase()}/x`;
      const code = `export default { resources: [{ path: '/pbxcore/api/v3${path}', permission: 'x', channels: ['localhost'], stored: true, fields: ${FIELDS},
        actions: [{ name: 'ask', verb: 'GET', async handle(call, { records, store, core }) {
          const large = ${large};
          for (let i = 0; i < ${count}; i++) await records('x').create({ list: large }).catch(() => {});
          await Promise.allSettled(Array.from({ length: ${count > 1 ? 2 : 8} }, () => ${deed}));
          return {};
        } }] }] };`;
      await running.dir.write(manifestOf(id, { writes: ['employees'] }), code);
      expect((await running.asAdmin('POST', `/modules/${id}:enable`)).status).toBe(200);
      const asking = running.call('GET', `${path}:ask`);
      const longest = await longestTurn(asking);
      console.log(`${id}: the longest turn worked ${longest.toFixed(1)} ms`);
      expect((await asking).status).toBe(200);
      expect(longest).toBeLessThan(HELD_UP_MS);
    },
    60_000,
  );
});
