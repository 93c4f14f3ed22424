import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedAmi } from '../../../../test/scripted-ami.ts';
import { selfSignedCertificate } from '../../../lib/self-signed.ts';
import { createAmi } from './ami.ts';

const ENDINGS = ['reset', 'half-close', 'stall', 'garbage'] as const;
const AT_ONCE = 32;
const certificate = selfSignedCertificate(['localhost'], Date.now());
const GARBAGE = Buffer.from([0, 0xff, 0x0d, 0x0a, 0x0d, 0x0a, 0x3a, 0x20, 0xc3, 0x0a, 0x45, 0x76, 0x0d]);

/** What happens once this many bytes went from the engine to us. */
interface Cut {
  readonly after: number;
  readonly ending: (typeof ENDINGS)[number];
}

// Over TLS only every fifth byte is tried, because handshakes are expensive.
describe.each([
  ['plain', 1],
  ['TLS', 5],
] as const)('the control connection, %s', (kind, step) => {
  const defects: unknown[] = [];
  const opened: { close(): unknown }[] = [];
  let enginePort: number;

  beforeAll(async () => {
    const engine = await startScriptedAmi(({ ActionID = '' }, send) => {
      send({ Response: 'Success', ActionID, EventList: 'start' });
      send({ Event: 'ContactList', ActionID, Uri: 'sip:201@192.0.2.1' });
      send({ Event: 'ContactListComplete', ActionID, EventList: 'Complete' });
    });
    opened.push(engine);
    enginePort = engine.port;
    if (kind === 'plain') return;
    const terminator = createTlsServer(certificate, (secure) => {
      const behind = connect(engine.port, '127.0.0.1');
      join(secure, behind);
    }).on('tlsClientError', (_, socket) => socket.destroy());
    opened.push(terminator);
    enginePort = await portOf(terminator);
  });
  afterAll(async () => {
    for (const one of opened.reverse()) await one.close();
  });

  /** A proxy between the engine and us that knows no protocol. */
  async function openWire() {
    let cut: Cut | undefined;
    let passed = 0;
    const server = createServer((ours) => {
      const engine = connect(enginePort, '127.0.0.1');
      join(ours, engine, (chunk) => {
        const room = (cut?.after ?? Number.POSITIVE_INFINITY) - passed;
        passed += chunk.length;
        if (room < 0) return cut?.ending === 'garbage' && ours.write(chunk);
        ours.write(chunk.subarray(0, room));
        return room > chunk.length || bring(ours, chunk.subarray(room));
      });
      if (cut?.after === 0) bring(ours, Buffer.alloc(0));
    });
    function bring(ours: Socket, rest: Buffer): void {
      if (cut?.ending === 'reset') ours.resetAndDestroy();
      else if (cut?.ending === 'half-close') ours.end();
      else if (cut?.ending === 'garbage') ours.write(Buffer.concat([GARBAGE, rest]));
    }
    return {
      port: await portOf(server),
      plan(next?: Cut): void {
        cut = next;
        passed = 0;
      },
      passed: () => passed,
      close: () => server.close(),
    };
  }

  /** One conversation, until it is over or lost. */
  async function converse(port: number, { ending }: Partial<Cut> = {}): Promise<'whole' | 'lost'> {
    const over = Promise.withResolvers<'whole' | 'lost'>();
    const lost = () => over.resolve('lost');
    // Garbage may spoil one answer and nothing after it: a connection that answers a ping again has no reason to drop.
    const giveUp = (): unknown => (ami.isUp ? ami.action('Ping').then(lost, giveUp) : lost());
    // Do not wait long for a connection that stands still.
    const timeoutMs = ending === 'stall' || ending === 'garbage' ? 40 : 30_000;
    const tls = kind === 'TLS' && { tls: { ca: certificate.cert, servername: 'localhost' } };
    const ami = createAmi({
      place: () => ({ host: '127.0.0.1', port, user: 'pbxcore', secret: 'right', ...tls }),
      onUp: () =>
        void Promise.all([ami.action('Ping'), ami.list('PJSIPShowContacts')]).then(
          () => over.resolve('whole'),
          giveUp,
        ),
      onDown: lost,
      onFailed: lost,
      onDefect: (error) => defects.push(error),
      pingMs: 20,
      timeoutMs,
    });
    const outcome = await over.promise;
    ami.close();
    return outcome;
  }

  test('is restored and breaks nothing else, whatever the engine does after any byte', async () => {
    const wire = await openWire();
    wire.plan();
    expect(await converse(wire.port)).toBe('whole');
    const length = wire.passed();
    wire.close();
    const cuts: Cut[] = [];
    for (let after = 0; after <= length; after += step)
      cuts.push(...ENDINGS.map((ending) => ({ after, ending })));
    const queue = cuts.values();
    const outcomes = { whole: 0, lost: 0 };
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const own = await openWire();
        for (const cut of queue) {
          own.plan(cut);
          outcomes[await converse(own.port, cut)]++;
        }
        own.plan();
        expect(await converse(own.port)).toBe('whole');
        own.close();
      }),
    );
    console.log(`${kind}: ${cuts.length} control connections, ${outcomes.lost} of them lost`);
    expect(outcomes.lost).toBeGreaterThan(cuts.length / 2);
    expect(defects).toEqual([]);
  }, 180_000);
});

function join(ours: Socket, engine: Socket, pass = (chunk: Buffer): unknown => ours.write(chunk)): void {
  ours.on('data', (chunk) => engine.write(chunk)).on('error', () => {});
  engine.on('data', pass).on('error', () => {});
  ours.once('close', () => engine.destroy());
  engine.once('close', () => ours.destroy());
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
