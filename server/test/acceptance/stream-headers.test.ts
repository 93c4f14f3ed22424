import { request } from 'node:http';
import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { STREAM, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

describe.each(storePairs)('contract 8.6: headers of the stream on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { ban, lift, poll } = firewall;
  const rule = test.skipIf(!pair.available);
  const get = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
    firewall.app.call(method, STREAM + query, { key: firewall.key, headers });
  /** The raw bytes of the answer, not decoded. */
  const raw = (headers: Record<string, string>) =>
    new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const path = `/pbxcore/api/v3${STREAM}`;
      const options = { port: firewall.app.port, path, headers: { 'x-api-key': firewall.key, ...headers } };
      request(options, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        });
      })
        .once('error', reject)
        .end();
    });

  describe('ETag and If-None-Match', () => {
    const etagOf = async () => (await get()).headers.get('etag') as string;

    rule(
      'the ETag names the membership: not durations, not deleted, not the key, and it outlives a restart',
      async () => {
        await ban('203.0.113.7', 600);
        await ban('203.0.113.8', 600);
        const etag = await etagOf();
        expect(etag).toMatch(/^W\/"[0-9a-f-]+"$/);
        await firewall.app.advance(5000);
        await ban('203.0.113.7', 900);
        expect(await etagOf()).toBe(etag);
        await firewall.app.restart();
        expect(await etagOf()).toBe(etag);
        await lift('203.0.113.8');
        expect(await etagOf()).not.toBe(etag);
        await ban('203.0.113.8', 60, 'http');
        expect(await etagOf(), 'another scenario').not.toBe(etag);
        await lift('203.0.113.8');
        await ban('203.0.113.8', 60);
        expect(await etagOf(), 'the same members again').toBe(etag);
      },
    );

    rule('a match is 304 with the ETag and no body, and counts as a poll', async () => {
      await ban('203.0.113.7', 86_400);
      const etag = await etagOf();
      for (let hours = 0; hours < 2; hours++) {
        await firewall.app.advance(3_000_000);
        const same = await get('', { 'if-none-match': `"other", ${etag}` });
        expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
      }
      await lift('203.0.113.7');
      expect((await poll()).deleted).toHaveLength(1);
    });

    rule(
      'no 304 with startup, without a cursor, with something deleted, or with another membership',
      async () => {
        await ban('203.0.113.7', 600);
        await ban('203.0.113.8', 600);
        const { key: fresh } = await firewall.app.createKey();
        const etag = await etagOf();
        const ask = async (query = '', key = firewall.key) =>
          (await firewall.app.call('GET', STREAM + query, { key, headers: { 'if-none-match': etag } }))
            .status;
        expect(await ask()).toBe(304);
        expect(await ask('?startup=true')).toBe(200);
        expect(await ask('', fresh)).toBe(200);
        expect(await ask('', fresh), 'now it has one').toBe(304);
        await lift('203.0.113.8');
        const other = await etagOf();
        expect(await ask('', fresh)).toBe(200);
        await ban('203.0.113.8', 600);
        expect(await ask()).toBe(304);
        expect(await ask('', fresh)).toBe(304);
        expect(other).not.toBe(etag);
      },
    );

    rule('a 304 moves the cursor: what it stood for is told when it is gone', async () => {
      await poll();
      await ban('203.0.113.7', 600);
      const etag = (await get('', {}, 'HEAD')).headers.get('etag') as string;
      expect((await get('', { 'if-none-match': etag })).status).toBe(304);
      await lift('203.0.113.7');
      expect(valuesOf((await poll()).deleted)).toEqual(['203.0.113.7']);
    });

    rule('* matches only where a 304 is allowed', async () => {
      expect((await get('', { 'if-none-match': '*' })).status).toBe(200);
      expect((await get('', { 'if-none-match': '*' })).status).toBe(304);
    });
  });

  describe('gzip', () => {
    rule('the compressed answer is one gzip member and equals the plain one', async () => {
      await firewall.deny(Array.from({ length: 200 }, (_, i) => `198.18.0.${i}`).join(' '));
      await ban('203.0.113.7', 600);
      await poll();
      await lift('203.0.113.7');
      const cut = async (headers: Record<string, string>) => {
        const { key } = await firewall.app.createKey();
        return raw({ ...headers, 'x-api-key': key });
      };
      const [plain, packed] = [await cut({}), await cut({ 'accept-encoding': 'br, gzip;q=0.5' })];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(gunzipSync(packed.bytes).toString()).toBe(plain.bytes.toString());
      const own = await raw({ 'accept-encoding': 'gzip' });
      expect(valuesOf(JSON.parse(gunzipSync(own.bytes).toString()).deleted)).toEqual(['203.0.113.7']);
      // All input must belong to the first gzip member; a second one would begin where this one ends.
      const member = createGunzip();
      member.end(packed.bytes);
      for await (const _ of member);
      expect(member.bytesWritten).toBe(packed.bytes.length);
      expect(packed.bytes.lastIndexOf(Buffer.from([0x1f, 0x8b, 8, 0]))).toBe(0);
    });

    rule('a short answer, and a client that refuses gzip, get it plain', async () => {
      expect((await raw({ 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
      await firewall.deny(Array.from({ length: 100 }, (_, i) => `198.18.0.${i}`).join(' '));
      for (const refusal of ['identity', 'gzip;q=0', 'br', ''])
        expect(
          (await raw({ 'accept-encoding': refusal })).headers['content-encoding'],
          refusal,
        ).toBeUndefined();
      for (const offer of ['gzip', 'GZIP', '*', 'deflate, gzip;q=1.0'])
        expect((await raw({ 'accept-encoding': offer })).headers['content-encoding'], offer).toBe('gzip');
    });
  });
});
