import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { answerCounts, answeredBetween } from '../answer-counts.ts';
import { eventually } from '../eventually.ts';
import { createOutsider } from '../outsider.ts';
import { sendAndReset } from '../resetting-client.ts';
import { rawRequest } from './raw-http.ts';
import { availablePairs, useApp } from './use-app.ts';

const WRITES = 150;
const API = '/pbxcore/api/v3';

describe.each(availablePairs)('contract 17.2: a caller that resets its connection, on $name', ({ open }) => {
  const running = useApp(open, { PBXCORE_HTTPS_PORT: '0' });

  /** A key whose filter permits everybody except the test. */
  async function keyDeniedHere(): Promise<string> {
    const [row] = await createOutsider(running.stores).sql(
      `insert into "m_NetworkFilters" (permit, deny) values ('0.0.0.0/0', '127.0.0.1') returning id`,
    );
    return running.keyFor({ '/api/v3/firewall': 'write' }, { networkfilterid: String(row?.id) });
  }

  let attempts = 0;
  const bans = (headers: Record<string, string>) =>
    Array.from({ length: WRITES }, () => {
      const body = JSON.stringify({ ip: `198.51.100.${++attempts % 250}`, seconds: 600 });
      return rawRequest(
        'POST',
        `${API}/firewall:banIp`,
        { 'Content-Type': 'application/json', ...headers },
        body,
      );
    });

  /** Nobody is left to read the answers, so the service's own counts are checked. */
  async function answeredAs(status: string, attack: () => void | Promise<void>): Promise<void> {
    const before = await answerCounts(running.app);
    await attack();
    await eventually(async () => {
      const answered = [...answeredBetween(before, await answerCounts(running.app))];
      expect(answered.filter(([name]) => name.includes('banIp'))).toEqual([
        [`POST /firewall:banIp ${status}`, WRITES],
      ]);
    });
    expect((await running.asAdmin('GET', '/firewall:getBannedIps')).body.data).toEqual({});
  }

  test('the filter of its key refuses it if it resets before it is accepted', async () => {
    const key = await keyDeniedHere();
    await answeredAs('403', () => sendAndReset(running.app.port, bans({ 'X-Api-Key': key })));
    console.log(`${WRITES} writes, reset before they were accepted: none passed`);
  });

  test('the filter of its key refuses it if it resets with the last byte', async () => {
    const key = await keyDeniedHere();
    await answeredAs('403', async () => {
      for (const request of bans({ 'X-Api-Key': key })) await resetAfter(request, running.app.port);
    });
  });

  test('the filter of its key refuses it on HTTPS too', async () => {
    const key = await keyDeniedHere();
    await answeredAs('403', async () => {
      for (const request of bans({ 'X-Api-Key': key }))
        await resetAfterTls(request, running.app.app.httpsPort as number);
    });
  });

  test('without a filter a caller of unknown address is 401, whatever its credential', async () => {
    const key = await running.keyFor({}, { full_permissions: true });
    await answeredAs('401', () => sendAndReset(running.app.port, bans({ 'X-Api-Key': key })));
    const token = await running.app.admin();
    await answeredAs('401', () => sendAndReset(running.app.port, bans({ Authorization: `Bearer ${token}` })));
  });
});

/** Sends a request whose last byte and reset arrive together. */
function resetAfter(request: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request);
      socket.resetAndDestroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

function resetAfterTls(request: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const below: Socket = connect(port, '127.0.0.1');
    const socket = connectTls({ socket: below, rejectUnauthorized: false }, () => {
      socket.write(request);
      below.resetAndDestroy();
    });
    for (const end of [below, socket])
      end.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || reject(error));
    below.on('close', () => resolve());
  });
}
