import { createHmac } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { incomingLeg, useExample } from './example-rig.ts';
import { availablePairs } from './use-app.ts';

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: string;
}

describe.each(availablePairs)('the webhook sender, on $name', ({ open }) => {
  const received: Delivery[] = [];
  const statuses: number[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body, event: String(request.headers['x-pbxcore-event']) });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => receiver.close());
  // Long enough to observe a waiting delivery.
  const allowed = { allow_private: '127.0.0.0/8', first_wait_seconds: 10 };
  const { held, engine, call } = useExample('webhook-sender', 'WebhookSender', open, allowed);
  let secret = '';

  test('calls and bans are sent to a target with a signature', async () => {
    const created = await call('POST', '/targets', { body: { url, description: 'CRM' } });
    expect(created.status, created.text).toBe(201);
    ({ secret } = created.body.data);
    const startedAt = held.app.now();
    engine.startLeg(incomingLeg('in-1', '+4940111', startedAt));
    engine.changeLeg('in-1', { answeredAt: startedAt + 5_000 });
    engine.endLeg('in-1', { endedAt: startedAt + 65_000 });
    engine.endCall('in-1');
    engine.startLeg(incomingLeg('in-2', '+4940222', startedAt));
    engine.endLeg('in-2', { endedAt: startedAt + 20_000 });
    engine.endCall('in-2');
    await held.asAdmin('POST', '/firewall:banIp', { ip: '198.51.100.7', seconds: 600 });
    await held.asAdmin('POST', '/firewall:unbanIp', { ip: '198.51.100.7' });
    await eventually(() =>
      expect(received.map(({ event }) => event).sort()).toEqual([
        'ban-added',
        'ban-lifted',
        'call-answered',
        'call-ended',
        'call-ended',
        'call-missed',
        'call-started',
        'call-started',
      ]),
    );
    for (const { headers, body } of received) {
      const stamp = headers['x-pbxcore-timestamp'];
      const expected = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
      expect(headers['x-pbxcore-signature']).toBe(`v1=${expected}`);
    }
    const ended = received.find(({ event, body }) => event === 'call-ended' && body.includes('in-1'));
    expect(JSON.parse(ended?.body ?? '{}')).toMatchObject({
      event: 'call-ended',
      data: {
        linkedid: 'in-1',
        src_num: '+4940111',
        direction: 'incoming',
        billsec: 60,
        disposition: 'ANSWERED',
      },
    });
    const ban = received.find(({ event }) => event === 'ban-added');
    expect(JSON.parse(ban?.body ?? '{}').data).toMatchObject({ address: '198.51.100.7', category: 'sip' });
  });

  test('a delivery that a target refuses for the moment survives a restart and is sent again', async () => {
    await eventually(async () =>
      expect((await call('GET', '/deliveries?state=pending')).body.pagination.total).toBe(0),
    );
    received.length = 0;
    statuses.push(503);
    const [target] = (await call('GET', '/targets')).body.data;
    expect(target.secret).toBe('XXXXXXXX');
    const { delivery } = (await call('POST', `/targets/${target.id}:test`)).body.data;
    await eventually(async () =>
      expect((await call('GET', `/deliveries/${delivery}`)).body.data).toMatchObject({
        state: 'pending',
        attempts: 1,
        status: 503,
      }),
    );
    expect((await call('POST', `/deliveries/${delivery}:retry`)).status).toBe(409);
    await held.app.restart();
    await eventually(async () =>
      expect((await call('GET', `/deliveries/${delivery}`)).body.data).toMatchObject({
        state: 'delivered',
        attempts: 2,
      }),
    );
    expect(received.map(({ event }) => event)).toEqual(['test', 'test']);
  });

  test('a module with a public route accepts what was signed, and nothing that differs by a byte', async () => {
    const secret = 'shared by sender and receiver';
    const guide = await readFile(join(import.meta.dirname, '../../../docs/modules.md'), 'utf8');
    const [, code = ''] = /^### Raw bodies$[\s\S]*?```js\n([\s\S]*?)```/m.exec(guide) ?? [];
    const settings = { secret: { type: 'string', min: 16, secret: true } };
    const folder = join(held.app.config.modulesDir, 'Hooks');
    await mkdir(folder);
    await writeFile(join(folder, 'module.json'), JSON.stringify(manifestOf('Hooks', { settings })));
    await writeFile(join(folder, 'index.js'), code);
    await held.asAdmin('PATCH', '/modules/Hooks', { settings: { secret } });
    const enabled = await held.asAdmin('POST', '/modules/Hooks:enable');
    expect(enabled.status, enabled.text).toBe(200);

    const receive = `${held.app.origin}/pbxcore/api/v3/module-hooks/events:receive`;
    async function deliver(target: object): Promise<object> {
      const { id } = (await call('POST', '/targets', { body: target })).body.data;
      const { delivery } = (await call('POST', `/targets/${id}:test`)).body.data;
      return eventually(async () => {
        const { data } = (await call('GET', `/deliveries/${delivery}`)).body;
        expect(data.state).not.toBe('pending');
        return data;
      });
    }
    expect(await deliver({ url: receive, secret })).toMatchObject({ state: 'delivered', status: 200 });
    const foreign = await deliver({ url: receive, secret: 'of somebody else altogether' });
    expect(foreign).toMatchObject({ state: 'failed', status: 403 });

    received.length = 0;
    await deliver({ url, secret });
    const [{ headers, body }] = received as [Delivery];
    const names = ['content-type', 'x-pbxcore-timestamp', 'x-pbxcore-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    const send = async (bytes: Uint8Array, more: Record<string, string> = {}) =>
      (await fetch(receive, { method: 'POST', headers: { ...signed, ...more }, body: bytes })).status;
    const bytes = Buffer.from(body);
    expect(await send(bytes)).toBe(200);
    const changed = [...bytes.keys()].map((at) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)));
    const others = [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from('\n')])];
    const statuses = await Promise.all([...changed, ...others].map((one) => send(one)));
    expect(new Set(statuses)).toEqual(new Set([403]));
    const later = String(Number(signed['x-pbxcore-timestamp']) + 1);
    for (const wrong of ['', 'v1=', 'v1=00', later])
      expect(await send(bytes, { 'x-pbxcore-signature': wrong })).toBe(403);
    expect(await send(bytes, { 'x-pbxcore-timestamp': later })).toBe(403);
    console.log(`${statuses.length} changed bodies: all refused`);
  });

  test('a target in a private network is refused unless the operator has allowed it', async () => {
    for (const inside of ['http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest/'])
      expect((await call('POST', '/targets', { body: { url: inside } })).status).toBe(422);
    await held.asAdmin('PATCH', '/modules/WebhookSender', { settings: { allow_private: '' } });
    await eventually(async () => {
      const refused = await call('POST', '/targets', { body: { url } });
      expect(refused.status, refused.text).toBe(422);
      expect(refused.body.messages.error[0]).toContain('not on the public internet');
    });
    // A host name is checked when connecting.
    const named = await call('POST', '/targets', { body: { url: url.replace('127.0.0.1', 'localhost') } });
    expect(named.status, named.text).toBe(201);
    received.length = 0;
    const { delivery } = (await call('POST', `/targets/${named.body.data.id}:test`)).body.data;
    await eventually(async () =>
      expect((await call('GET', `/deliveries/${delivery}`)).body.data.error).toContain(
        'not on the public internet',
      ),
    );
    expect(received).toEqual([]);
  });
});
