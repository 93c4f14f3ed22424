import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { STREAM, useFirewall } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';
import { startService } from '../real/pbxcore-process.ts';
import { connectSlowClient, manyAddresses, type SlowClient } from '../slow-client.ts';

const COUNT = 40_000;
const patience = { timeout: 20_000, interval: 50 };
const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Held memory, not garbage: memory freed by one collection is only subtracted in the next. */
function bytesHeld(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('clients that read slowly or not at all', () => {
  const firewall = useFirewall(storePairs[0] as StorePair);
  const slow = async (headers = {}): Promise<SlowClient> => {
    const client = await connectSlowClient({
      port: firewall.app.port,
      path: STREAM,
      key: firewall.key,
      headers,
    });
    await client.began;
    return client;
  };
  const leave = (clients: readonly SlowClient[]) => Promise.all(clients.map((client) => client.leave()));
  async function crowd(): Promise<void> {
    await firewall.insertFilter({ deny: manyAddresses(COUNT).join(' ') });
    await firewall.app.advance(5000);
    expect((await firewall.poll()).new).toHaveLength(COUNT);
  }

  test('a hundred of them share one rendering: memory does not grow with their number, other polls go on', async () => {
    await crowd();
    const body = (await firewall.app.call('GET', STREAM, { key: firewall.key })).text.length;
    const before = bytesHeld();
    const clients: SlowClient[] = [];
    for (let i = 0; i < 100; i++) clients.push(await slow(i % 2 ? { 'Accept-Encoding': 'gzip' } : {}));
    const grown = bytesHeld() - before;
    expect(grown, `${Math.round(grown / 1e6)} MB for 100 clients of ${body} bytes each`).toBeLessThan(
      body * 8,
    );
    expect((await firewall.poll()).new).toHaveLength(COUNT);
    await leave(clients);
  });

  test('one that reads nothing is cut off in favour of newer ones: every poll is answered, memory does not grow', async () => {
    await crowd();
    const { text } = await firewall.app.call('GET', STREAM, { key: firewall.key });
    const before = bytesHeld();
    const clients: SlowClient[] = [];
    for (let i = 0; i < 20; i++) {
      await firewall.app.advance(1000);
      clients.push(await slow());
      expect((await firewall.poll()).new).toHaveLength(COUNT);
    }
    const grown = bytesHeld() - before;
    expect(grown, `${Math.round(grown / 1e6)} MB for 20 seconds`).toBeLessThan(text.length * 10);
    await leave(clients);
  });

  test('a slow client finally reads the complete list of one moment, whatever changed meanwhile', async () => {
    await crowd();
    const client = await slow();
    for (let i = 0; i < 5; i++) {
      await firewall.ban(`203.0.113.${i}`, 600);
      await firewall.app.advance(1000);
      await firewall.poll();
    }
    const text = await client.readAll();
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
    expect(body.new.map(({ value }: { value: string }) => value)).toEqual(manyAddresses(COUNT).sort());
  });

  test('clients that vanish leave no connection behind', async () => {
    await crowd();
    await firewall.poll();
    const before = connections();
    for (let round = 0; round < 5; round++) {
      const clients = await Promise.all(Array.from({ length: 20 }, () => slow()));
      await leave(clients);
    }
    await vi.waitFor(() => expect(connections()).toBeLessThanOrEqual(before + 2), patience);
    expect((await firewall.poll()).new).toHaveLength(COUNT);
  });
});

describe.concurrent('the service as a process of its own', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the service with a client that has begun to receive a long answer and stopped reading. */
  async function startWithSlowClient() {
    const folder = mkdtempSync(join(tmpdir(), 'pbxcore-slow-'));
    folders.push(folder);
    const settings = {
      PBXCORE_DATA_DIR: folder,
      PBXCORE_ADMIN_PASSWORD: 'only-for-this-test',
      PBXCORE_LOG_LEVEL: 'silent',
    };
    const service = await startService(settings);
    const post = async (path: string, body: object, token = '') => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = await fetch(`${service.origin}/pbxcore/api/v3${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { data: { accessToken: string; key: string } }).data;
    };
    const { accessToken } = await post('/auth:login', { login: 'admin', password: 'only-for-this-test' });
    const grants = { '/api/v3/firewall-bouncer': 'read' };
    const { key } = await post('/api-keys', { description: 'bouncer', allowed_paths: grants }, accessToken);
    const database = new DatabaseSync(join(folder, 'pbxcore.sqlite'), { timeout: 5000 });
    database.prepare('insert into "m_NetworkFilters" (deny) values (?)').run(manyAddresses(COUNT).join(' '));
    database.close();
    const poll = async () => {
      const answer = await fetch(`${service.origin}/pbxcore/api/v3${STREAM}`, {
        headers: { 'x-api-key': key },
      });
      return ((await answer.json()) as { new: unknown[] }).new.length;
    };
    await vi.waitFor(async () => expect(await poll()).toBe(COUNT), patience);
    const client = await connectSlowClient({ port: Number(new URL(service.origin).port), path: STREAM, key });
    await client.began;
    return { service, client };
  }

  test('SIGTERM lets a response in progress finish, then the service ends with 0', async () => {
    const { service, client } = await startWithSlowClient();
    const ended = service.end('SIGTERM');
    await vi.waitFor(() => expect(isListening(service.origin)).resolves.toBe(false), patience);
    const text = await client.readAll();
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).new).toHaveLength(COUNT);
    expect((await ended).code).toBe(0);
  });

  test('SIGTERM does not wait for a client that never reads until it is cut off', async () => {
    const { service, client } = await startWithSlowClient();
    const began = performance.now();
    expect((await service.end('SIGTERM')).code).toBe(0);
    // Ten seconds for the answer, plus the time to close.
    expect(performance.now() - began).toBeLessThan(25_000);
    await client.leave();
  });
});

/** Over a new connection: an open one may still be served. */
async function isListening(origin: string): Promise<boolean> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const connected = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return connected !== undefined;
}
