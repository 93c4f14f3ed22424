import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { SAY } from '../hostile-attempts.ts';
import { useHostile } from '../hostile-rig.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { longestTurn } from '../timed-ping.ts';
import { activeLeg } from './active-leg.ts';

/** About ten times what an otherwise idle machine needs. */
const HELD_UP_MS = 100;
const BROKEN = 'it sent something that is not a message';

/** The largest answer allowed, with the content that takes longest to parse. */
const LARGE = `'[' + Array.from({ length: 260_000 }, (_, i) => '{"k' + i.toString(36) + '":0}').join() + ']'`;

describe('a caller name from a module', () => {
  const engine = createFakeEngine();
  const running = useModules({ engine });

  test('blocks nobody: it must be short, and anything else is not parsed', async () => {
    const code = `${SAY}
      const large = ${LARGE};
      let n = 0;
      let asked = 0;
      export default { resources: [{ path: '/pbxcore/api/v3/module-names/x', permission: 'x', channels: ['localhost'], list: () => (n++, [asked]) }], callerName() {
        asked++;
        // Calls are counted from 1, these and those over HTTP.
        say(JSON.stringify({ t: 'done', n: ++n, json: { $: 0 }, info: [], warning: [] }), large);
        return new Promise(() => {});
      } };`;
    await running.dir.write(manifestOf('Names', { reads: ['calls'] }), code);
    expect((await running.asAdmin('POST', '/modules/Names:enable')).status).toBe(200);
    const naming = (async () => {
      for (let call = 1; call <= 3; call++) {
        const source = { channel: `PJSIP/${call}`, number: `493012${call}`, name: '' };
        engine.startLeg(activeLeg(`l${call}`, { did: '4000', source }));
        await eventually(async () => {
          // Its answer follows the name on the same channel.
          expect((await running.call('GET', '/module-names/x')).body.data).toEqual([call]);
        });
      }
    })();
    const longest = await longestTurn(naming);
    console.log(`Names: the longest turn worked ${longest.toFixed(1)} ms`);
    expect(longest).toBeLessThan(HELD_UP_MS);
  });
});

const SPECIAL = {
  Downloads: `{ file: 'index.js', download: long }`,
  Files: `{ file: 'a/../'.repeat(800_000) + 'index.js' }`,
  Redirects: `{ redirect: '/' + long }`,
  Types: `{ text: 'x', type: 'text/' + 'x'.repeat(4_000_000) }`,
};

describe('an answer that is not an envelope', () => {
  const { install, call, evil, meanwhile, expectDisabled } = useHostile({ stuckMs: 1_000 });

  test.each(Object.entries(SPECIAL))(
    '%s: one with an overlong text ends the module, which is named and disabled',
    async (id, special) => {
      const deed = `() => { ${SAY} const long = 'ü'.repeat(2_000_000); const special = ${special}; const texts = Object.values(special);
        const beside = Object.fromEntries(Object.keys(special).map((key, $) => [key, { $ }]));
        for (let n = 1; n < 100; n++) say(JSON.stringify({ t: 'done', n, json: '{}', info: [], warning: [], special: beside }), ...texts);
        for (;;); }`;
      await install(id, deed);
      const said = await meanwhile(id, () => expectDisabled(id));
      expect(said).toContain(BROKEN);
    },
  );

  test.each([
    ['Named', `{ fpassthru: { filename: 'index.js', download_name: 'ü'.repeat(4_000_000) } }`],
    ['Sent', `{ redirect: '/' + 'x'.repeat(4_000_000) }`],
    ['Headed', `{ echo: 'x', headers: { 'cache-control': 'x'.repeat(5_000) } }`],
    [
      'Crowned',
      `{ echo: 'x', headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => ['x-' + i, ''])) }`,
    ],
  ])('%s: an oversized one from a handler is a clear 500, and the module goes on', async (id, answer) => {
    await install(id, `() => ({ $pbxcore: 'answer', ...${answer} })`);
    const { status, body } = await meanwhile(id, () => evil(id));
    expect(status).toBe(500);
    expect(body.messages.error[0]).toContain('too many headers, or too long a name or address');
    expect((await call(id)).status).toBe(200);
  });
});

describe('a record that a module says it has created', () => {
  const running = useModules({
    write: (dir) =>
      dir.write(
        manifestOf('Makes'),
        `const made = { long: { id: 'x'.repeat(4_000_000) }, much: { list: JSON.parse(${LARGE}), id: '1' }, late: { text: 'x', id: 2 } };
        export default { resources: [{ path: '/pbxcore/api/v3/module-makes/things', permission: 'x', channels: ['public'],
          fields: { what: { type: 'string' } }, create: ({ body }) => made[body.what] }] };`,
      ),
    enable: ['Makes'],
  });

  test('is reported with its id, unless the id is too long or comes too late in the answer', async () => {
    const reader = await openEvents(running.app.port, {
      token: await running.app.admin(),
      topics: 'records',
    });
    try {
      await reader.snapshot('records');
      for (const what of ['long', 'much', 'late'])
        expect((await running.call('POST', '/module-makes/things', { body: { what } })).status).toBe(201);
      await reader.event('record', ({ id }) => id === '2');
      const told = reader.events.filter(({ event }) => event === 'record').map(({ data }) => data);
      const created = { resource: 'module-makes/things', change: 'created', by: '' };
      expect(told).toEqual(['', '', '2'].map((id) => ({ ...created, id })));
    } finally {
      reader.close();
    }
  });
});
