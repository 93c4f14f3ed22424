import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { brief, STREAM, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';
import { connectSlowClient, manyAddresses } from '../slow-client.ts';

describe.each(storePairs)('contract 8.1 and 8.4: the stream on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { ban, lift, poll } = firewall;
  const rule = test.skipIf(!pair.available);
  const get = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
    firewall.app.call(method, STREAM + query, { key: firewall.key, headers });
  /** Not `fetch`, which would normalize the path. */
  const statusOf = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { port: firewall.app.port, path, headers: { 'x-api-key': firewall.key } };
      request(options, (response) => resolve(response.resume().statusCode ?? 0))
        .once('error', reject)
        .end();
    });

  rule('the body has exactly two keys and no wrapper, also when there is nothing to tell', async () => {
    const answer = await get();
    expect(answer.text).toBe('{"new":[],"deleted":[]}');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  rule.each(['true', 'TRUE', 'True', 'tRuE'])(
    'startup=%s empties deleted and makes the fresh snapshot the cursor',
    async (text) => {
      await ban('203.0.113.7', 600);
      await poll();
      await lift('203.0.113.7');
      await ban('203.0.113.8', 600);
      expect(await poll(`?startup=${text}`)).toMatchObject({ new: [{ value: '203.0.113.8' }], deleted: [] });
      await lift('203.0.113.8');
      expect(valuesOf((await poll()).deleted)).toEqual(['203.0.113.8']);
    },
  );

  rule.each([
    '?startup=false',
    '?startup=1',
    '?startup=yes',
    '?startup=',
    '?startup',
    '?startup=%20true',
    '?',
    '',
  ])('a poll with %j is an ordinary one', async (query) => {
    await ban('203.0.113.7', 600);
    await poll();
    await lift('203.0.113.7');
    expect(valuesOf((await poll(query)).deleted)).toEqual(['203.0.113.7']);
  });

  rule('scopes, origins and every other parameter are accepted and ignored', async () => {
    await ban('203.0.113.7', 600);
    await firewall.deny('198.51.100.0/24');
    const query =
      '?startup=false&scopes=ip&origins=lists&scenarios_containing=ssh&dedup=true&x[]=1&scopes=Range';
    expect((await poll(query)).new).toHaveLength(2);
  });

  rule('a changed duration is no removal, and deleted repeats the object as it was told', async () => {
    await ban('203.0.113.7', 600);
    await poll();
    await ban('203.0.113.7', 900);
    const renewed = await poll();
    expect([brief(renewed.new), renewed.deleted]).toEqual([['203.0.113.7 sip 900s'], []]);
    await firewall.app.advance(100_000);
    await lift('203.0.113.7');
    expect(brief((await poll()).deleted)).toEqual(['203.0.113.7 sip 900s']);
  });

  rule('deleted may name an address that new still holds under another scenario', async () => {
    await ban('203.0.113.7', 600, 'sip');
    await ban('203.0.113.7', 600, 'http');
    await poll();
    await firewall.done('POST', '/firewall:unbanIp', { ip: '203.0.113.7', category: 'sip' });
    const told = await poll();
    expect([brief(told.new), brief(told.deleted)]).toEqual([
      ['203.0.113.7 http 600s'],
      ['203.0.113.7 sip 600s'],
    ]);
  });

  rule('a ban that came and went between two polls is in neither list', async () => {
    await poll();
    await ban('203.0.113.7', 600);
    await lift('203.0.113.7');
    expect(await poll()).toEqual({ new: [], deleted: [] });
  });

  rule('a cursor lives 3600 s from the last poll: told at 3599 s, forgotten at 3600 s', async () => {
    // Redis also counts real time, some of which a busy machine uses up.
    for (const [seconds, told] of [
      [firewall.stores.redis ? 3590 : 3599, 1],
      [3600, 0],
    ] as const) {
      await ban('203.0.113.7', 60);
      await poll();
      await firewall.app.advance(seconds * 1000);
      expect((await poll()).deleted, `${seconds} s`).toHaveLength(told);
    }
  });

  rule('a ban told removed is removed with its key’s cursor only: keys are independent', async () => {
    const { key: other } = await firewall.app.createKey();
    await ban('203.0.113.7', 600);
    await poll();
    await poll('', other);
    await lift('203.0.113.7');
    expect((await poll()).deleted).toHaveLength(1);
    expect((await poll()).deleted).toHaveLength(0);
    expect((await poll('', other)).deleted).toHaveLength(1);
  });

  rule('administrators share the cursor anon, which is no key’s', async () => {
    const look = async () =>
      (await firewall.app.call('GET', STREAM, { token: await firewall.app.admin() })).body;
    await ban('203.0.113.7', 600);
    await look();
    await poll();
    await lift('203.0.113.7');
    expect((await look()).deleted).toHaveLength(1);
    expect((await look()).deleted).toHaveLength(0);
    expect((await poll()).deleted).toHaveLength(1);
  });

  rule('a deleted key’s cursor is removed: its id is never reused, and its next poll is 401', async () => {
    await poll();
    await firewall.done('DELETE', `/api-keys/${firewall.keyId}`);
    const refused = await get();
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(refused.body.message).toMatch(/\w/);
    if (firewall.stores.redis)
      expect(await firewall.outsider.redis('EXISTS', `pbxcore:fwbouncer:cursor:${firewall.keyId}`)).toBe(0);
  });

  rule('HEAD is 200 without a body and touches no cursor', async () => {
    await ban('203.0.113.7', 600);
    await poll();
    await lift('203.0.113.7');
    const head = await get('?startup=true', {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('etag')).toMatch(/^W\/"[0-9a-f-]+"$/);
    expect((await poll()).deleted).toHaveLength(1);
  });

  rule('other verbs are 405 with a message, before authentication', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await firewall.app.call(method, STREAM);
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(refused.body.message).toContain('not supported');
    }
  });

  rule.each([
    '//v1/decisions/stream',
    '/v1//decisions///stream',
    '/v1/decisions/stream/',
    '//v1/decisions/stream?startup=true',
  ])('several slashes in a row count as one: /firewall-bouncer%s', async (path) => {
    expect(await statusOf(`/pbxcore/api/v3/firewall-bouncer${path}`)).toBe(200);
  });

  rule('an encoded slash is no separator, and an unknown path has a message too', async () => {
    for (const path of ['/v1%2Fdecisions/stream', '/v2/decisions/stream', '', '/v1/decisions/other']) {
      const refused = await firewall.app.call('GET', `/firewall-bouncer${path}`, { key: firewall.key });
      expect(refused.status, path).toBe(404);
      expect(refused.body.message, path).toMatch(/\w/);
    }
  });

  describe('overlapping and aborted polls', () => {
    async function crowd(): Promise<string> {
      const id = await firewall.insertFilter({ deny: manyAddresses().join(' ') });
      await firewall.app.advance(5000);
      return id;
    }

    rule('a client that leaves before the end is told the same removals again', async () => {
      await crowd();
      await ban('203.0.113.7', 600);
      await poll();
      await lift('203.0.113.7');
      for (const headers of [{}, {}, { 'If-None-Match': 'W/"x"' }]) {
        const cut = await connectSlowClient({
          port: firewall.app.port,
          path: STREAM,
          key: firewall.key,
          headers,
        });
        await cut.began;
        await cut.leave();
      }
      expect(valuesOf((await poll()).deleted)).toEqual(['203.0.113.7']);
      expect((await poll()).deleted).toEqual([]);
    });

    rule(
      'the lifetime of a cursor is renewed when the GET arrives, even if its answer never does',
      async () => {
        await crowd();
        await ban('203.0.113.7', 86_400);
        await poll();
        await lift('203.0.113.7');
        await firewall.app.advance(3_000_000);
        const cut = await connectSlowClient({ port: firewall.app.port, path: STREAM, key: firewall.key });
        await cut.began;
        await cut.leave();
        await firewall.app.advance(3_000_000);
        expect(valuesOf((await poll()).deleted)).toEqual(['203.0.113.7']);
      },
    );

    rule('a snapshot taken earlier never replaces one taken later', async () => {
      await crowd();
      await poll();
      const slow = await connectSlowClient({ port: firewall.app.port, path: STREAM, key: firewall.key });
      await slow.began;
      await ban('203.0.113.7', 600);
      expect(valuesOf((await poll()).new)).toContain('203.0.113.7');
      expect(await slow.readAll()).not.toContain('203.0.113.7');
      // If the cursor were the earlier snapshot, the service would not know that this ban had been sent.
      await lift('203.0.113.7');
      expect(valuesOf((await poll()).deleted)).toEqual(['203.0.113.7']);
    });
  });
});
