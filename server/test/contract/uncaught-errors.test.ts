import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { defectOnSignal, startService } from '../real/pbxcore-process.ts';

const HEAD =
  'POST /pbxcore/api/v3/auth:refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';

describe('ADR 16: an uncaught error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-uncaught-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts the service with an open request whose body is incomplete. */
  async function startAndAsk(kind: 'error' | 'rejection') {
    const service = await startService({
      PBXCORE_DATA_DIR: folder,
      PBXCORE_LOG_LEVEL: 'warn',
      ...defectOnSignal(kind),
    });
    const port = Number(new URL(service.origin).port);
    const client = connect(port, '127.0.0.1');
    client.on('error', () => {});
    await once(client, 'connect');
    // Both are sent in one write, so the answer to the first proves that the second was received.
    client.write(`HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n${HEAD}{`);
    await once(client, 'data');
    const isListening = async () => {
      const socket = connect(port, '127.0.0.1');
      const connected = await once(socket, 'connect').catch(() => undefined);
      socket.destroy();
      return connected !== undefined;
    };
    return { service, client, isListening };
  }

  test.each(['error', 'rejection'] as const)(
    '(%s) is logged once, requests in progress finish, and the service ends with 70',
    async (kind) => {
      const { service, client, isListening } = await startAndAsk(kind);
      const ended = service.end('SIGUSR2');
      await eventually(() => expect(isListening()).resolves.toBe(false));
      client.write('}');
      const [answer] = await once(client, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
      const { code, stdout } = await ended;
      expect(code).toBe(70);
      expect(
        stdout.match(/"level":60.*a defect of the test.*uncaught error: the service exits/g),
      ).toHaveLength(1);
      expect(existsSync(join(folder, 'service.json'))).toBe(false);
      expect(await startAndEnd()).toBe(0);
    },
  );

  test('does not wait for requests in progress for ever', async () => {
    const { service, client } = await startAndAsk('error');
    expect((await service.end('SIGUSR2')).code).toBe(70);
    client.destroy();
  });

  const startAndEnd = async () =>
    (await (await startService({ PBXCORE_DATA_DIR: folder })).end('SIGTERM')).code;
});
