import { describe, expect, test } from 'vitest';
import { brief, DECISIONS, STREAM, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

describe.each(storePairs)(
  'contract 17.20: the stream with the options of the key on $name',
  (pair: StorePair) => {
    const firewall = useFirewall(pair);
    const { ban, lift, deny, done, poll } = firewall;
    const rule = test.skipIf(!pair.available);
    const liftOne = (ip: string, category: string) => done('POST', '/firewall:unbanIp', { ip, category });
    const allow = (whitelist: string) => done('PATCH', '/fail2ban', { whitelist });
    const setOptions = (options: object, id = firewall.keyId) =>
      done('PATCH', `/api-keys/${id}`, { bouncer_options: options });
    const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      firewall.app.call(method, path, { key: firewall.key, headers });
    const look = async (query: string) => (await get(DECISIONS + query)).body;

    describe('deleted_excludes_present', () => {
      rule(
        'the removal of an address that is still banned otherwise is left out; that of its last ban is sent',
        async () => {
          await setOptions({ deleted_excludes_present: true });
          const specified = (await firewall.app.createKey()).key;
          await ban('203.0.113.7', 600, 'sip');
          await ban('203.0.113.7', 900, 'http');
          await poll();
          await poll('', specified);
          await liftOne('203.0.113.7', 'http');
          const told = await poll();
          expect([brief(told.new), told.deleted]).toEqual([['203.0.113.7 sip 600s'], []]);
          // Contract 16.2 still holds for keys without options.
          expect(brief((await poll('', specified)).deleted)).toEqual(['203.0.113.7 http 900s']);
          await lift('203.0.113.7');
          expect(brief((await poll()).deleted)).toEqual(['203.0.113.7 sip 600s']);
          expect((await poll()).deleted).toEqual([]);
        },
      );

      rule(
        'a removal withheld from a client with one entry per origin is sent once the address is gone',
        async () => {
          await setOptions({ deleted_excludes_present: true });
          const denied = await deny('203.0.113.7');
          await ban('203.0.113.7', 600);
          await poll();
          await done('DELETE', `/firewall/${denied}`);
          for (let i = 0; i < 3; i++) expect((await poll()).deleted).toEqual([]);
          await ban('203.0.113.8', 600);
          expect((await poll()).deleted).toEqual([]);
          // The cursor carries this to other nodes and across restarts.
          await firewall.app.restart();
          expect((await poll()).deleted).toEqual([]);
          await lift('203.0.113.7');
          expect((await poll()).deleted).toMatchObject([
            { value: '203.0.113.7', scenario: 'pbx/sip' },
            { value: '203.0.113.7', scenario: 'pbx/manual' },
          ]);
          expect((await poll()).deleted).toEqual([]);
        },
      );
    });

    describe('one_per_address', () => {
      rule('each value is sent once, with its longest ban, in the stream and in a lookup', async () => {
        await setOptions({ one_per_address: true });
        await ban('203.0.113.7', 600, 'sip');
        await ban('203.0.113.7', 900, 'http');
        await ban('203.0.113.0/24', 60);
        await deny('198.51.100.7');
        await ban('198.51.100.7', 60);
        expect(brief((await poll()).new)).toEqual([
          '198.51.100.7 manual 596h',
          '203.0.113.0/24 sip 60s',
          '203.0.113.7 http 900s',
        ]);
        expect(brief(await look('?ip=203.0.113.7'))).toEqual([
          '203.0.113.7 http 900s',
          '203.0.113.0/24 sip 60s',
        ]);
        await liftOne('203.0.113.7', 'http');
        expect(brief((await poll()).new)).toContain('203.0.113.7 sip 600s');
      });
    });

    describe('duration_format', () => {
      rule.each([
        ['seconds', ['600s', '59s', '3600s', '596h']],
        ['go', ['10m0s', '59s', '1h0m0s', '596h0m0s']],
        ['go_fraction', ['10m0.5s', '59.5s', '1h0m0.5s', '596h0m0.5s']],
      ])('%s: in new, in deleted and in a lookup', async (duration_format, durations) => {
        await setOptions({ duration_format });
        for (const [i, seconds] of [600, 59, 3600].entries()) await ban(`203.0.113.${i}`, seconds);
        const denied = await deny('203.0.113.9');
        const said = (list: { duration: string }[]) => list.map(({ duration }) => duration);
        expect(said((await poll()).new)).toEqual(durations);
        expect(said(await look('?ip=203.0.113.0'))).toEqual([durations[0]]);
        expect(said(await look('?ip=203.0.113.9'))).toEqual([durations[3]]);
        await done('DELETE', `/firewall/${denied}`);
        for (let i = 0; i < 3; i++) await lift(`203.0.113.${i}`);
        expect(said((await poll()).deleted)).toEqual(durations);
      });
    });

    describe('subtract_whitelist', () => {
      const plain = async () => valuesOf((await poll('', (await firewall.app.createKey()).key)).new);

      rule('a ban wholly inside an entry is left out, a range around an entry is not', async () => {
        await setOptions({ subtract_whitelist: true });
        await deny('203.0.113.7 203.0.113.64/26 198.51.100.0/24 192.0.2.1 2001:db8::7');
        await allow('203.0.113.0/24 198.51.100.7 2001:db8::/32');
        expect(valuesOf((await poll()).new)).toEqual(['192.0.2.1', '198.51.100.0/24']);
        expect(await plain()).toHaveLength(5);
        expect(await look('?ip=203.0.113.7')).toBe(null);
        expect(await look('?ip=198.51.100.7'), 'asked for an allowed address').toBe(null);
        expect(valuesOf(await look('?ip=198.51.100.8'))).toEqual(['198.51.100.0/24']);
      });

      rule('a new entry is sent as a removal, and a removed entry brings the ban back', async () => {
        await setOptions({ subtract_whitelist: true });
        await deny('203.0.113.7');
        expect(valuesOf((await poll()).new)).toEqual(['203.0.113.7']);
        await allow('203.0.113.0/24');
        expect(await poll()).toMatchObject({
          new: [],
          deleted: [{ value: '203.0.113.7', duration: '596h' }],
        });
        await allow('');
        expect(await poll()).toMatchObject({ new: [{ value: '203.0.113.7' }], deleted: [] });
        const filter = await done('POST', '/firewall', {
          network: '203.0.113.0',
          subnet: 24,
          newer_block_ip: true,
        });
        expect(await poll()).toMatchObject({ new: [], deleted: [{ value: '203.0.113.7' }] });
        await done('DELETE', `/firewall/${filter.id}`);
        expect(valuesOf((await poll()).new)).toEqual(['203.0.113.7']);
      });
    });

    describe('changed options', () => {
      rule('bans they hide are sent as removed at the next poll, bans they show again as new', async () => {
        await deny('203.0.113.7 192.0.2.1');
        await allow('203.0.113.0/24');
        await ban('192.0.2.1', 60);
        expect((await poll()).new).toHaveLength(3);
        await setOptions({ subtract_whitelist: true });
        expect(brief((await poll()).deleted)).toEqual(['203.0.113.7 manual 596h']);
        await setOptions({ one_per_address: true, deleted_excludes_present: true });
        expect(await poll()).toMatchObject({ new: [{ scenario: 'pbx/manual' }], deleted: [] });
        await done('PATCH', `/api-keys/${firewall.keyId}`, { client: '' });
        const told = await poll();
        expect([valuesOf(told.new), told.deleted]).toEqual([['192.0.2.1', '192.0.2.1', '203.0.113.7'], []]);
      });

      rule('the ETag follows what the key gets', async () => {
        await deny('203.0.113.7 192.0.2.1');
        await allow('203.0.113.0/24');
        const etagOf = async () => (await get(STREAM)).headers.get('etag') as string;
        const before = await etagOf();
        await setOptions({ subtract_whitelist: true });
        const after = await etagOf();
        expect(after).not.toBe(before);
        expect((await get(STREAM, {}, 'HEAD')).headers.get('etag')).toBe(after);
        expect((await get(STREAM, { 'if-none-match': after })).status).toBe(304);
        await setOptions({ duration_format: 'go' });
        expect((await get(STREAM, { 'if-none-match': after })).status).toBe(200);
        expect(await etagOf()).toMatch(/^W\/"[0-9a-f-]+"$/);
        await allow('');
        expect((await get(STREAM, { 'if-none-match': await etagOf() })).status).toBe(304);
      });
    });

    rule('a request with an access token gets everything as specified', async () => {
      await ban('203.0.113.7', 600);
      await setOptions({ duration_format: 'go' });
      const token = await firewall.app.admin();
      const { body } = await firewall.app.call('GET', STREAM, { token });
      expect(brief(body.new)).toEqual(['203.0.113.7 sip 600s']);
    });
  },
);
