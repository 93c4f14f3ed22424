import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeApp, openEmbedded } from '../make-app.ts';
import { EXAMPLE_CONFIG, missingProgram } from '../real/bouncer.ts';
import { realPart } from '../real/require-real.ts';
import { startProcess } from '../real/running-process.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'examples', 'custom-bouncer.ts');

test('the sample bouncer adds and removes, skips the allow-list, and survives errors', async () => {
  const stores = await openEmbedded();
  const app = await makeApp(stores);
  onTestFinished(async () => {
    await app.close();
    await stores.stop();
  });
  const admin = async (method: string, path: string, body?: object) => {
    const answer = await app.call(method, path, { token: await app.admin(), ...(body && { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.data;
  };
  const ban = (ip: string, seconds = 600) => admin('POST', '/firewall:banIp', { ip, seconds });
  const key = 'k'.repeat(64);
  const { id } = await app.createKey({ key });

  const sample = startProcess(process.execPath, [SAMPLE], {
    env: { BOUNCER_KEY: key, BOUNCER_URL: app.origin, BOUNCER_SECONDS: '0.2' },
  });
  onTestFinished(async () => void (await sample.stop()));

  await ban('203.0.113.7');
  await ban('2001:db8::7', 60);
  await sample.said(/^add 203\.0\.113\.7$/);
  await sample.said(/^add 2001:db8::7$/);
  await admin('POST', '/firewall:unbanIp', { ip: '203.0.113.7' });
  await sample.said(/^remove 203\.0\.113\.7$/);
  await app.advance(61_000);
  await sample.said(/^remove 2001:db8::7$/);

  // Denied by a filter, then whitelisted: the service still lists it, and the client removes it.
  await admin('POST', '/firewall', { network: '10.0.0.0', subnet: 8, deny: '192.0.2.16/28' });
  await sample.said(/^add 192\.0\.2\.16\/28$/);
  await admin('PATCH', '/fail2ban', { whitelist: '192.0.2.0/24 198.51.100.7' });
  await sample.said(/^remove 192\.0\.2\.16\/28$/);
  await ban('198.51.100.0/24');

  await ban('203.0.113.8');
  await sample.said(/^add 203\.0\.113\.8$/);
  await admin('DELETE', `/api-keys/${id}`);
  await sample.said(/^poll failed: decisions\/stream answered 401/);
  expect(sample.lines, 'by default a refused key ends no block').toContain('add 203.0.113.8');
  expect(sample.lines).not.toContain('remove 203.0.113.8');
  await ban('203.0.113.9');
  await app.createKey({ key });
  await sample.said(/^add 203\.0\.113\.9$/);
  expect(sample.lines).not.toContain('add 198.51.100.0/24');
});

test('the sample bouncer can end all blocks some time after the service refuses its key, but not when it is away', async () => {
  // A service that answers with the test's status; `undefined` = the connection breaks.
  let status: number | undefined = 200;
  const service = createServer((request, response) => {
    if (status === undefined) {
      request.socket.destroy();
      return;
    }
    const isStream = request.url?.endsWith('/stream');
    const ban = { value: '203.0.113.7', duration: '600s' };
    const body = status !== 200 ? { message: 'no' } : isStream ? { new: [ban], deleted: [] } : [];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void service.close());
  const sample = startProcess(process.execPath, [SAMPLE], {
    env: {
      BOUNCER_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      BOUNCER_SECONDS: '0.05',
      BOUNCER_REFUSED_SECONDS: '0.3',
    },
  });
  onTestFinished(async () => void (await sample.stop()));
  /** Answers with this status and waits for these lines of the sample in turn. */
  const answering = async (next: number | undefined, ...patterns: RegExp[]) => {
    const from = sample.lines.length;
    status = next;
    for (const pattern of patterns) await sample.said(pattern, { from });
  };
  const blocks = () => sample.lines.filter((line) => /^(add|remove) /.test(line));

  await answering(200, /^add 203\.0\.113\.7$/);
  for (const away of [503, undefined]) {
    const from = sample.lines.length;
    await answering(away);
    // Longer than the setting, counted in the sample's own pauses of 50 ms.
    await expect.poll(() => sample.lines.length - from, { timeout: 60_000 }).toBeGreaterThan(12);
    expect(sample.lines.slice(from)).toEqual(
      sample.lines.slice(from).map(() => expect.stringMatching(/^poll failed/)),
    );
  }
  expect(blocks()).toEqual(['add 203.0.113.7']);
  for (const refusal of [401, 403]) {
    await answering(refusal, new RegExp(`^poll failed: \\S+ answered ${refusal}`), /^remove 203\.0\.113\.7$/);
    await answering(200, /^add 203\.0\.113\.7$/);
  }
});

const bouncer = 'crowdsec-firewall-bouncer';
test.skipIf(!realPart(bouncer, !missingProgram(bouncer)))(
  'the stock bouncer accepts the example configuration unchanged',
  async () => {
    const checked = startProcess(bouncer, ['-t', '-c', EXAMPLE_CONFIG]);
    await checked.said(/config is valid/);
  },
);
