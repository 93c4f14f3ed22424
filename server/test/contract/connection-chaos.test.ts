import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { type ServiceProcess, startService } from '../real/pbxcore-process.ts';

const BASE = '/pbxcore/api/v3';
const PASSWORD = 'only-for-this-test';
const AT_ONCE = 40;
/** Maximum of simultaneously stalled connections. */
const STALLED = 400;

type Layer = 'HTTP' | 'HTTPS' | 'bytes at the HTTPS port';
type Ending = 'reset' | 'half-close' | 'stall';
interface Attempt {
  readonly layer: Layer;
  readonly bytes: Buffer;
  readonly sent: number;
  readonly ending: Ending;
}

describe('the service survives any connection behaviour at any time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-chaos-'));
  let service: ServiceProcess;
  let ports: Record<Layer, number>;
  let key: string;
  let hello: Buffer;
  /** Number of sockets before the first connection. */
  let idleSockets: number;

  beforeAll(async () => {
    service = await startService({
      PBXCORE_DATA_DIR: folder,
      PBXCORE_ADMIN_PASSWORD: PASSWORD,
      PBXCORE_HTTPS_PORT: '0',
      PBXCORE_RATE_LIMIT_ANONYMOUS: '0',
      PBXCORE_LOG_LEVEL: 'warn',
    });
    idleSockets = socketCount();
    const secure = Number(/https:\/\/[^:]+:(\d+)/.exec(service.output())?.[1]);
    ports = { HTTP: Number(new URL(service.origin).port), HTTPS: secure, 'bytes at the HTTPS port': secure };
    const post = async (path: string, body: object, token = '') => {
      const answer = await fetch(service.origin + BASE + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          connection: 'close',
        },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { data: { accessToken: string; key: string } }).data;
    };
    const { accessToken } = await post('/auth:login', { login: 'admin', password: PASSWORD });
    const allowed_paths = { '/api/v3/firewall-bouncer': 'read' };
    ({ key } = await post('/api-keys', { description: 'bouncer', allowed_paths }, accessToken));
    hello = await clientHello();
  });
  afterAll(async () => {
    await service?.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Every kind of request, short enough to try each of its bytes as the last. */
  function requests(): Record<string, string> {
    const own = `Host: x\r\nX-Api-Key: ${key}\r\n`;
    const health = 'GET /health HTTP/1.1\r\nHost: x\r\n';
    return {
      poll: `GET ${BASE}/firewall-bouncer/v1/decisions/stream HTTP/1.1\r\n${own}\r\n`,
      head: 'HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n',
      'old version': 'GET /health HTTP/1.0\r\n\r\n',
      'no host': 'GET /health HTTP/1.1\r\n\r\n',
      body: `POST ${BASE}/auth:refresh HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`,
      'unwanted body': 'POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{"a":"0123456789ab"}',
      chunks: 'POST /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'broken chunks': 'POST /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
      connect: 'CONNECT x:1 HTTP/1.1\r\n\r\nand more',
      upgrade: `${health}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      'upgrade with a body':
        'POST /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}',
      continue: 'POST /health HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
      'odd expectation': `${health}Expect: miracles\r\n\r\n`,
      garbage: 'hello world\r\n\r\nGET / HTTP/1.1\r\n\r\n',
      'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      pipelined: `${health}\r\nGET /docs HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\n\r\n`,
    };
  }

  function attempts(): Attempt[] {
    const plain = Object.values(requests()).map((text) => Buffer.from(text));
    const kinds: [Layer, Buffer[]][] = [
      ['HTTP', [...plain, hello]],
      ['HTTPS', plain],
      ['bytes at the HTTPS port', [hello, Buffer.from(requests().connect as string)]],
    ];
    return kinds.flatMap(([layer, list]) =>
      list.flatMap((bytes) =>
        Array.from({ length: bytes.length + 1 }, (_, sent) =>
          (['reset', 'half-close', 'stall'] as const).map((ending) => ({ layer, bytes, sent, ending })),
        ).flat(),
      ),
    );
  }

  /** Resolves when the connection is closed; returns a stalled one. */
  async function attempt({ layer, bytes, sent, ending }: Attempt): Promise<Socket | undefined> {
    const tcp = connectTcp(ports[layer], '127.0.0.1').on('error', () => {});
    const gone = new Promise<void>((resolve) => tcp.once('close', () => resolve()));
    const socket = layer === 'HTTPS' ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp;
    socket.on('error', () => {});
    await once(socket, layer === 'HTTPS' ? 'secureConnect' : 'connect');
    await new Promise<void>((resolve) => socket.write(bytes.subarray(0, sent), () => resolve()));
    if (ending === 'stall') return tcp;
    if (ending === 'half-close') socket.resume().end();
    // A complete request is reset while its answer arrives.
    else if (sent === bytes.length && layer !== 'bytes at the HTTPS port' && bytes !== hello)
      socket.once('data', () => tcp.resetAndDestroy());
    else tcp.resetAndDestroy();
    await gone;
    return undefined;
  }

  const answers = async () => {
    expect(await statusOf('HTTP')).toBe(200);
    expect(await statusOf('HTTPS')).toBe(200);
  };
  const statusOf = (layer: 'HTTP' | 'HTTPS') =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { port: ports[layer], host: '127.0.0.1', path: '/health', agent: false };
      const ask = layer === 'HTTP' ? get : getSecurely;
      ask({ ...options, rejectUnauthorized: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject);
    });
  const socketCount = () =>
    readdirSync(`/proc/${service.pid}/fd`).filter((fd) => {
      try {
        return readlinkSync(`/proc/${service.pid}/fd/${fd}`).startsWith('socket:');
      } catch {
        return false; // closed meanwhile
      }
    }).length;

  test('resets, half-closes and stalls at every byte of every kind of request, on both ports', async () => {
    const all = attempts();
    const queue = all.values();
    let stalled: Socket[] = [];
    async function endStalled(): Promise<void> {
      const batch = stalled;
      stalled = [];
      await answers();
      for (const socket of batch) socket.resetAndDestroy();
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const next of queue) {
          const standing = await attempt(next);
          if (standing && stalled.push(standing) >= STALLED) await endStalled();
        }
      }),
    );
    await endStalled();
    console.log(`${all.length} connections were reset, half-closed or stalled`);
    expect(all.length).toBeGreaterThan(5000);
    await eventually(() => expect(socketCount()).toBe(idleSockets));
    await answers();
    expect(service.output()).not.toMatch(/"level":[56]0/);
  });
});

/** The first message of a TLS client that offers little. */
async function clientHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const short = {
    ecdhCurve: 'X25519',
    ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256',
    sigalgs: 'ecdsa_secp256r1_sha256',
  };
  const client = connectTls({ port, host: '127.0.0.1', ...short });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}
