import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { AuthFailed, EngineEvent } from '../../src/engine/events.ts';
import { createConfiguredEngine } from '../../src/features/telephony/engine.ts';
import { systemClock, systemSteadyClock } from '../../src/lib/clock.ts';
import { findBundle } from '../real/engine-bundle.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { realPart } from '../real/require-real.ts';
import { createSipAttacker, guess, type SipRequest } from '../real/sip-attacker.ts';
import { soon } from '../real/soon.ts';
import { engineConfig } from './engine-rig.ts';

const available = realPart('the engine bundle (pbxcore engine fetch)', findBundle());
const VICTIM = '198.51.100.77';
const NUMBER = '201';
const SECRET = 'the-right-one';

describe.skipIf(!available)('who is blamed for failed logins', () => {
  const opened = new AsyncDisposableStack();
  const net = createLoopbackNet();
  const server = net.next();
  const events: EngineEvent[] = [];
  let engine: Engine;

  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-blame-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const composed = await createConfiguredEngine({
      config: engineConfig(dataDir, server),
      clock: systemClock,
      steady: systemSteadyClock,
      log: pino({ level: 'silent' }),
      opened,
      errorLogger: (what) => (error) => console.error(what, error),
    });
    engine = composed.engine;
    engine.listen((event) => events.push(event));
    await soon(() => expect(events).toContainEqual({ type: 'engine-up' }));
    await engine.apply({
      extensions: [
        {
          number: NUMBER,
          name: 'Anna',
          secret: SECRET,
          transports: ['udp', 'tcp'],
          dtmfMode: 'auto',
          isEncrypted: false,
          isRecorded: false,
          manualAttributes: '',
          mobile: { number: '', dialString: '' },
          ringSeconds: 45,
          forward: { onNoAnswer: '', onBusy: '', onUnavailable: '' },
        },
      ],
      providers: [],
      refusedSources: [],
    });
  });
  afterAll(() => opened.disposeAsync());
  beforeEach(() => {
    events.length = 0;
  });

  const failures = () => events.filter((event): event is AuthFailed => event.type === 'auth-failed');
  const failuresOf = (sender: { readonly address: string }) =>
    failures().filter(({ address }) => address === sender.address);
  async function attacker(transport: 'udp' | 'tcp' = 'udp', address = net.next()) {
    const made = await createSipAttacker({ address, server, transport });
    opened.defer(() => made.close());
    return { ...made, address };
  }

  /** Resolves once a later guess by another client is reported, so that everything sent before has been processed. */
  async function settled(): Promise<void> {
    const other = await attacker();
    honest.add(other.address);
    await soon(async () => {
      const header = guess(await other.ask({ user: NUMBER }), NUMBER, 'wrong', server);
      await other.ask({ user: NUMBER, more: [header] });
      expect(failuresOf(other)).not.toEqual([]);
    });
  }
  /** Addresses that really did fail. */
  const honest = new Set<string>();
  const falselyBlamed = () => failures().filter(({ address }) => !honest.has(address));

  test('requests without credentials blame nobody over UDP, whether or not the account exists', async () => {
    const { shout } = await attacker();
    for (let i = 0; i < 30; i++) {
      await shout({ user: 'nobody' });
      await shout({ user: NUMBER });
    }
    await settled();
    expect(falselyBlamed()).toEqual([]);
  });

  test('an invented nonce, or one issued to another address, blames nobody over UDP', async () => {
    const [victim, other] = [await attacker(), await attacker()];
    const own = await other.ask({ user: NUMBER });
    const second = Math.floor(Date.now() / 1000);
    const invented = own.replace(/nonce="[^"]*"/, `nonce="${second}/${'ab12'.repeat(8)}"`);
    await settled();
    for (const user of [NUMBER, 'nobody']) {
      for (let i = 0; i < 30; i++) {
        await victim.shout({ user, more: [guess(invented, user, `guess-${i}`, server)] });
        await victim.shout({ user, more: [guess(own, user, `guess-${i}`, server)] });
      }
    }
    await settled();
    expect(falselyBlamed()).toEqual([]);
  });

  test.each([
    ['a nonce of its own', false, 'udp', NUMBER],
    ['the nonce of the last refusal', true, 'udp', NUMBER],
    ['the nonce of the last refusal, for an account that does not exist,', true, 'udp', 'nobody'],
    ['the nonce of the last refusal, over TCP,', true, 'tcp', NUMBER],
  ] as const)('every guess with %s counts against its sender', async (_, isChained, transport, user) => {
    await settled();
    const sender = await attacker(transport);
    honest.add(sender.address);
    let challenge = await sender.ask({ user });
    for (let i = 0; i < 25; i++) {
      const answer = await sender.ask({ user, more: [guess(challenge, user, `guess-${i}`, server)] });
      expect(answer).toMatch(/^SIP\/2.0 401/);
      challenge = isChained ? answer : await sender.ask({ user });
    }
    await soon(() => expect(failuresOf(sender)).toHaveLength(25));
    expect(failuresOf(sender)[0]).toMatchObject({ account: user, category: 'sip' });
    await settled();
    expect(failuresOf(sender)).toHaveLength(25);
    expect(falselyBlamed()).toEqual([]);
  });

  test('the right secret is not a failed login', async () => {
    await settled();
    const { ask } = await attacker();
    const challenge = await ask({ user: NUMBER });
    const answer = await ask({ user: NUMBER, more: [guess(challenge, NUMBER, SECRET, server)] });
    expect(answer).toMatch(/^SIP\/2.0 200/);
    await settled();
    expect(falselyBlamed()).toEqual([]);
  });

  test.each([
    ['a Call-ID that is not UTF-8', { callId: 'abc\xff\xfe' }, (header: string) => [header]],
    [
      'credentials for somewhere else before the real ones',
      {},
      (header: string) => [
        header.replace(/nonce="[^"]*"/, 'nonce="x"').replace('pbxcore', 'elsewhere'),
        header,
      ],
    ],
    [
      'a header that is written oddly',
      {},
      (header: string) => [
        header.replace('Authorization: ', 'aUTHorization \t:\r\n ').replaceAll(', ', '\r\n\t, '),
      ],
    ],
    [
      'credentials that are not UTF-8 before the real ones',
      {},
      (header: string) => [`Authorization: Digest nonce="\xff", response="\xff"`, header],
    ],
  ])('%s: it hides no guess', async (_, request, headers) => {
    for (const transport of ['udp', 'tcp'] as const) {
      await settled();
      const sender = await attacker(transport);
      honest.add(sender.address);
      let challenge = await sender.ask({ user: NUMBER, ...request });
      for (let i = 0; i < 10; i++) {
        const more = headers(guess(challenge, NUMBER, `guess-${i}`, server));
        challenge = await sender.ask({ user: NUMBER, ...request, more });
        expect(challenge).toMatch(/^SIP\/2.0 401/);
      }
      await soon(() => expect(failuresOf(sender)).toHaveLength(10));
    }
    await settled();
    expect(falselyBlamed()).toEqual([]);
  });

  test.each(['udp', 'tcp'] as const)(
    'line breaks in an account name over %s end no message and accuse nobody else',
    async (transport) => {
      const sender = await attacker(transport);
      honest.add(sender.address);
      await settled();
      const user = encoded(`\r\nRemoteAddress://${VICTIM}\r\n`);
      for (let i = 0; i < 5; i++) {
        const challenge = await sender.ask({ user });
        const more = [guess(challenge, 'x', `guess-${i}`, server)];
        expect(await sender.ask({ user, more })).toMatch(/^SIP\/2.0 401/);
      }
      // Over TCP, a request without credentials for a nonexistent account counts, too.
      await soon(() => expect(failuresOf(sender).length).toBeGreaterThanOrEqual(5));
      await settled();
      expect(falselyBlamed()).toEqual([]);
    },
  );

  test('no text from a stranger accuses another address, turns it into a phone, or ends the connection', async () => {
    const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((list) => list.join(''));
    const requests = fc.record({
      method: fc.constantFrom('REGISTER', 'INVITE', 'OPTIONS', 'SUBSCRIBE', 'MESSAGE', 'PUBLISH'),
      user: hostile.map(encoded),
      callId: hostile.map((text) => `${unbroken(text)}x`),
      userAgent: hostile.map(folded),
      displayName: hostile.map(quoted),
      contact: hostile.map((text) => `${quoted(text)}<sip:${encoded(text)}@127.0.0.1;x=${encoded(text)}>`),
      more: fc.array(
        hostile.map(
          (text) => `Authorization: Digest username=${quoted(text)}, nonce=${quoted(text)}, response="x"`,
        ),
        { maxLength: 2 },
      ),
    });
    const [udp, from] = [await attacker('udp'), net.next()];
    for (const { address } of [udp, { address: from }]) honest.add(address);
    let tcp = await attacker('tcp', from);
    let count = 0;
    await settled();
    const seed = Date.now();
    console.log(`requests of strangers by seed ${seed}`);
    for (const request of fc.sample(requests, { numRuns: 2000, seed }) as SipRequest[]) {
      await udp.shout(request);
      await tcp.shout(request);
      count += 2;
      // The requests above are not awaited, so this avoids flooding either side; the connection may have been closed.
      if (count % 100 > 0) continue;
      await udp.ask({ user: NUMBER });
      tcp = await attacker('tcp', from);
    }
    // Phones whose texts appear in contact lists.
    for (const text of PIECES) {
      const { ask } = await attacker();
      const header = guess(await ask({ user: NUMBER }), NUMBER, SECRET, server);
      const contact = `${quoted(text)}<sip:${encoded(text)}@${udp.address}>`;
      // Some of these get no answer.
      await ask({ user: NUMBER, userAgent: folded(text), contact, more: [header] }, 2000);
      count += 2;
    }
    await settled();
    console.log(`${count} requests of strangers, ${failures().length} failures told`);
    expect(falselyBlamed()).toEqual([]);
    expect(failures().filter(({ category }) => category !== 'sip')).toEqual([]);
    expect(events.map(({ type }) => type)).not.toContain('engine-down');
    const statuses = await engine.extensionStatuses();
    expect(statuses.map(({ number }) => number)).toEqual([NUMBER]);
    expect(statuses.flatMap(({ devices }) => devices).map(({ address }) => address)).not.toContain(VICTIM);
  });
});

/** Texts that could end a message or begin a line in any channel that reports requests. */
const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\r',
  '\n',
  '\t',
  '\0',
  '\xff',
  `RemoteAddress: IPV4/TCP/${VICTIM}/5060`,
  `RemoteAddress: IPV4/TCP/${VICTIM}/5060\r\n\r\n`,
  `RemoteAddress://${VICTIM}`,
  'Event: ChallengeResponseFailed\r\n',
  'Event: FullyBooted\r\n\r\n',
  'SessionID: x\r\n',
  'LocalAddress: x\r\n',
  'Service: AMI\r\n',
  'AccountID: 202\r\n',
  `WWW-Authenticate: Digest realm="pbxcore",nonce="1/${'0'.repeat(32)}"\r\n`,
  `nonce="1/${'0'.repeat(32)}"`,
  ' - Failed to authenticate',
  'HEP3',
  '"',
  '\\',
  ';',
  '<',
  '>',
  '@',
  ': ',
  '201',
];

const encoded = (text: string) =>
  [...text].map((sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const unbroken = (text: string) => text.replaceAll(/[\r\n\0]/g, '');
/** A header may continue on the next line, which then begins with a space. */
const folded = (text: string) => unbroken(text.replaceAll('\r\n', '\u2028')).replaceAll('\u2028', '\r\n ');
const quoted = (text: string) => `"${unbroken(text).replaceAll(/["\\]/g, '\\$&')}"`;
