import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useFirewall } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

const METRICS = '/firewall-bouncer/v1/usage-metrics';
const REPORT = {
  remediation_components: [{ name: 'cs-firewall-bouncer', metrics: [], feature_flags: null }],
};

describe.each(storePairs)('contract 8.7: POST /v1/usage-metrics on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const rule = test.skipIf(!pair.available);
  const json = { 'content-type': 'application/json' };
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    firewall.app.call('POST', METRICS, { key: firewall.key, body, headers });
  /** Sends raw bytes; the harness only sends JSON. */
  const postBytes = (body: Buffer, headers: Record<string, string>, key = firewall.key) =>
    fetch(`${firewall.app.origin}/pbxcore/api/v3${METRICS}`, {
      method: 'POST',
      headers: { 'x-api-key': key, ...headers },
      body: new Uint8Array(body),
    });
  const stored = async () => {
    const rows = await firewall.outsider.sql(
      `select last_metrics, last_metrics_at from api_keys where id = ${firewall.keyId}`,
    );
    return { report: JSON.parse(String(rows[0]?.last_metrics)), at: Number(rows[0]?.last_metrics_at) };
  };

  rule(
    'a JSON object is kept as the key’s last report: 201 and an empty body, with a key that only reads',
    async () => {
      const answer = await post(REPORT);
      expect([answer.status, answer.text]).toEqual([201, '']);
      expect(await stored()).toEqual({ report: REPORT, at: firewall.app.now() });
      await firewall.app.advance(60_000);
      await post({ anything: [1, { deep: null }] });
      expect(await stored()).toEqual({ report: { anything: [1, { deep: null }] }, at: firewall.app.now() });
    },
  );

  rule('the key screen shows when it came', async () => {
    await post(REPORT);
    const { bouncer } = await firewall.done('GET', `/api-keys/${firewall.keyId}`);
    expect(bouncer.last_metrics_at).toMatch(/^2026-05-04 10:/);
  });

  rule('gzip is accepted', async () => {
    const answer = await postBytes(gzipSync(JSON.stringify(REPORT)), { ...json, 'content-encoding': 'gzip' });
    expect(answer.status).toBe(201);
    expect((await stored()).report).toEqual(REPORT);
  });

  rule.each(['[]', 'null', '5', '"text"', '{', '{"a":1}x'])(
    '%s is 400 with a message and is not kept',
    async (body) => {
      await post(REPORT);
      const refused = await post(body);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(/\w/);
      expect((await stored()).report).toEqual(REPORT);
    },
  );

  rule('broken gzip is 400; more than 1 MiB, also after decompression, is 413', async () => {
    const packed = { ...json, 'content-encoding': 'gzip' };
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    expect((await postBytes(Buffer.from('no gzip'), packed)).status).toBe(400);
    expect((await postBytes(gzipSync(JSON.stringify(REPORT)).subarray(0, -6), packed)).status).toBe(400);
    expect((await postBytes(gzipSync(large), packed)).status).toBe(413);
    expect((await postBytes(Buffer.from(large), json)).status).toBe(413);
  });

  rule('another type or encoding is 415', async () => {
    expect((await postBytes(Buffer.from('{}'), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await postBytes(Buffer.from('{}'), { ...json, 'content-encoding': 'br' })).status).toBe(415);
  });

  rule('a body is read only after authentication: a bad key with broken gzip is 401', async () => {
    const packed = { ...json, 'content-encoding': 'gzip' };
    expect((await postBytes(Buffer.from('no gzip'), packed, 'f'.repeat(64))).status).toBe(401);
  });
});
