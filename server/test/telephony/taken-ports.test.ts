import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUNDLE_DIR, findBundle } from '../real/engine-bundle.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { pbxcore, type ServiceProcess, startService } from '../real/pbxcore-process.ts';
import { realPart } from '../real/require-real.ts';
import { soon } from '../real/soon.ts';

/** Other programs that already use a port; each returns a function that ends it. */
const takers = {
  async udp(port: number, host: string) {
    const socket = createSocket('udp4').bind(port, host);
    await once(socket, 'listening');
    return () => new Promise<void>((resolve) => socket.close(resolve));
  },
  async tcp(port: number, host: string) {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    return () => new Promise<unknown>((resolve) => server.close(resolve));
  },
};

describe.skipIf(!realPart('the engine bundle (pbxcore engine fetch)', findBundle()))('taken ports', () => {
  let dataDir: string;
  let service: ServiceProcess | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-ports-'));
  });
  afterEach(async () => {
    await service?.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  test.each([
    ['UDP', 'udp', 5060],
    ['TLS', 'tcp', 5061],
  ] as const)(
    'a %s port that another program uses is named in log and status while the interface answers; once it is free, the engine starts',
    async (named, protocol, port) => {
      const host = createLoopbackNet().next();
      const free = await takers[protocol](port, host);
      const settings = {
        PBXCORE_DATA_DIR: dataDir,
        PBXCORE_ADMIN_PASSWORD: 'only-for-this-test',
        PBXCORE_ENGINE: 'asterisk',
        PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
        PBXCORE_ASTERISK_FETCH: 'no',
        PBXCORE_SIP_HOST: host,
      };
      const running = await startService(settings);
      service = running;
      const health = async () => (await fetch(`${running.origin}/health`)).json();
      const told = `it cannot listen on SIP port ${port} (${named}): does another program use it?`;

      await soon(async () => expect(await health()).toEqual({ status: 'up', engine: 'away' }));
      expect(running.output()).toContain(told);
      const status = await pbxcore(['engine', 'status'], settings);
      expect(status).toMatchObject({ code: 1, stdout: expect.stringContaining(told) });
      expect((await fetch(`${running.origin}/pbxcore/api/v3/system:ping`)).status).toBe(200);

      await free();
      await soon(async () => expect(await health()).toEqual({ status: 'up', engine: 'up' }));
    },
  );
});
