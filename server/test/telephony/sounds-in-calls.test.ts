import { beforeAll, describe, expect, test } from 'vitest';
import { startOutside } from '../real/outside-caller.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, LOUD, SILENT, talk, useExchange } from './use-exchange.ts';

const MESSAGE_LINE = '4930111';
const QUEUE_LINE = '4930600';
const MESSAGE_SECONDS = 6;
const [OLD_HZ, NEW_HZ, MUSIC_HZ, OWN_HZ, NEXT_HZ] = [500, 900, 1200, 700, 1600];

describe.skipIf(!telephonyAvailable())('contract 24: sounds that change during calls', () => {
  const held = useExchange(['201', '202', '203', '204'].map((number) => ({ number })));
  const admin: typeof held.exchange.admin = (...asked) => held.exchange.admin(...asked);
  let outside: Awaited<ReturnType<typeof startOutside>>;
  let own: string;

  const store = async (hz: number, seconds: number, fields: Readonly<Record<string, string>>) =>
    (await held.exchange.upload(toneWav(hz, seconds), { normalize: 'false', ...fields })).id;

  beforeAll(async () => {
    outside = await startOutside(held.exchange.net.next(), held.exchange.address);
    held.outlive(() => outside.stop());
    await admin('POST', '/sip-providers', { description: 'P', host: outside.address });
    // The class of all music plays in order of name, so the queue's own sound comes second there.
    await store(MUSIC_HZ, 6, { name: 'A', category: 'moh' });
    own = await store(OWN_HZ, 6, { name: 'B', category: 'moh' });
    const queue = { caller_hear: 'moh', members: [{ extension: '204' }] };
    await admin('POST', '/call-queues', { ...queue, name: 'Own', extension: '600', moh_sound_id: own });
    await admin('POST', '/incoming-routes', { number: QUEUE_LINE, extension: '600' });
    await held.exchange.settled();
  });

  test('24.6: new audio is for the next caller; a current listener hears the old audio to its end', async () => {
    const id = await store(OLD_HZ, MESSAGE_SECONDS, { name: 'Hello', category: 'custom' });
    await admin('POST', '/incoming-routes', {
      number: MESSAGE_LINE,
      extension: 'hangup',
      audio_message_id: id,
    });
    await held.exchange.settled();
    const call = outside.call(MESSAGE_LINE, { caller: '+49170006' });
    await soon(() => expect(outside.heard().strength(OLD_HZ)).toBeGreaterThan(LOUD / 2));
    await store(NEW_HZ, 2, { id });
    await held.exchange.settled();
    await soon(() => expect(call.isOver()).toBe(true));
    expect(outside.heard().secondsOf(OLD_HZ)).toBeGreaterThan(MESSAGE_SECONDS - 0.5);
    expect(outside.heard().strength(NEW_HZ)).toBeLessThan(SILENT);
    outside.forget();
    const next = outside.call(MESSAGE_LINE, { caller: '+49170007' });
    await soon(() => expect(next.isOver()).toBe(true));
    expect(outside.heard().secondsOf(NEW_HZ)).toBeGreaterThan(1.5);
    expect(outside.heard().strength(OLD_HZ)).toBeLessThan(SILENT);
    outside.forget();
  });

  test('24.9: a queue plays only its own sound, and its new audio to the next caller', async () => {
    for (const [hz, others] of [
      [OWN_HZ, [MUSIC_HZ, NEXT_HZ]],
      [NEXT_HZ, [MUSIC_HZ, OWN_HZ]],
    ] as const) {
      if (hz === NEXT_HZ) {
        await store(NEXT_HZ, 6, { id: own });
        await held.exchange.settled();
      }
      const call = outside.call(QUEUE_LINE, { caller: `+4917${hz}` });
      await soon(() => expect(outside.heard().secondsOf(hz)).toBeGreaterThan(1.5));
      await call.hangUp();
      for (const other of others) expect(outside.heard().strength(other)).toBeLessThan(SILENT);
      await held.exchange.callsOf(`+4917${hz}`);
      outside.forget();
    }
  });

  test('24.10: a party in a transfer hears the common music, then the music of the target queue', async () => {
    const [anna, boris, clara] = [
      await held.phone('201', { hz: 300 }),
      await held.phone('202', { hz: 400 }),
      await held.phone('203', { hz: 350 }),
    ];
    await connect(clara, anna);
    await anna.hold();
    await anna.dial('202');
    await boris.next('CALL_INCOMING');
    await talk(2000);
    // Boris does not answer; she transfers the caller to the queue instead.
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    await anna.line(1);
    await anna.resume();
    await anna.transfer('600');
    await soon(async () =>
      expect(await admin('GET', '/pbx-status:getActiveCalls')).toMatchObject([
        { src_num: '203', dst_num: '600' },
      ]),
    );
    await talk(2500);
    await clara.hangUp();
    const sound = await clara.heard();
    expect(sound.secondsOf(MUSIC_HZ)).toBeGreaterThan(1);
    expect(Math.max(sound.secondsOf(OWN_HZ), sound.secondsOf(NEXT_HZ))).toBeGreaterThan(1);
  });
});
