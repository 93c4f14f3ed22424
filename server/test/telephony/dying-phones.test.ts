import { beforeAll, describe, expect, test } from 'vitest';
import { type Phone, startPhone } from '../real/baresip.ts';
import { ACCOUNT, PROVIDER_NUMBERS, type Provider, startProvider } from '../real/provider-asterisk.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { connect, talk, useExchange } from './use-exchange.ts';

const SILENCE_SECONDS = 5;
const HOLDING = '207';

describe.skipIf(!telephonyAvailable())('phones and providers that die during a call', () => {
  const held = useExchange(
    ['201', '202', '203', '204', '205', '206', '207', '208'].map((number) => ({ number })),
    { PBXCORE_SILENCE_TIMEOUT: String(SILENCE_SECONDS), PBXCORE_SESSION_TIMER: '90' },
  );
  let provider: Provider;
  let waiting: Phone;
  const allActive = async (): Promise<{ src_num: string }[]> =>
    held.exchange.admin('GET', '/pbx-status:getActiveCalls');
  const active = async () => (await allActive()).filter(({ src_num }) => src_num !== HOLDING);

  beforeAll(async () => {
    provider = await startProvider(held.exchange.net.next());
    const trunk = { description: 'Trunk', host: provider.address, ...ACCOUNT };
    await held.exchange.admin('POST', '/sip-providers', trunk);
    await held.exchange.settled();
    waiting = await leaveHolding();
  });

  /** A held call without sound, whose holder dies. Its session timer probes at half-time, so this starts first. */
  async function leaveHolding(): Promise<Phone> {
    const { net, address: server } = held.exchange;
    const start = (number: string) =>
      startPhone({ number, secret: secretOf(number), address: net.next(), server });
    const [holding, waiting] = [await start(HOLDING), await start('208')];
    held.outlive(() => waiting.unplug());
    await connect(holding, waiting);
    await holding.hold();
    await soon(() => expect(holding.trace.join('\n')).toMatch(/^a=(recvonly|inactive)/m));
    await holding.unplug();
    return waiting;
  }

  test('a phone that dies ends its call over a provider or with a colleague; a call on hold is spared', async () => {
    const [anna, boris, cora] = [await held.phone('201'), await held.phone('202'), await held.phone('203')];
    const [dora, emil] = [await held.phone('204'), await held.phone('205')];
    await connect(dora, emil);
    await dora.hold();
    await connect(boris, cora);
    await anna.dial(PROVIDER_NUMBERS.answers);
    await anna.next('CALL_ESTABLISHED');
    await soon(async () => expect(await active()).toHaveLength(3));
    await anna.unplug();
    await boris.unplug();
    await cora.next('CALL_CLOSED');
    await soon(async () => expect((await active()).map(({ src_num }) => src_num)).toEqual(['204']));
    for (const caller of ['201', '202'])
      expect(await held.exchange.callsOf(caller)).toMatchObject([{ disposition: 'ANSWERED' }]);

    // Longer than the silence that ends other calls; there is no event to wait for.
    await talk((SILENCE_SECONDS + 2) * 1000);
    expect((await active()).map(({ src_num }) => src_num)).toEqual(['204']);
    await dora.resume();
    await talk(1000);
    expect(await active()).toHaveLength(1);
    await dora.hangUp();
    await emil.next('CALL_CLOSED');
  });

  test('a provider that dies ends the call over it', async () => {
    const anna = await held.phone('206');
    await anna.dial(PROVIDER_NUMBERS.answers);
    await anna.next('CALL_ESTABLISHED');
    // The engine counts silence in whole seconds, so up to a second may be missing.
    await talk(1500);
    await provider.stop();
    await anna.next('CALL_CLOSED');
    const [call] = await held.exchange.callsOf('206');
    expect(call).toMatchObject({ disposition: 'ANSWERED' });
    expect(call?.totalBillsec).toBeGreaterThanOrEqual(SILENCE_SECONDS);
    expect(await active()).toEqual([]);
  });

  test('a phone that dies while it holds a call is noticed at the session refresh', async () => {
    const closed = expect.objectContaining({ type: 'CALL_CLOSED' });
    await soon(() => expect(waiting.events).toContainEqual(closed), 90_000);
    await soon(async () => expect(await allActive()).toEqual([]));
    const [call] = await held.exchange.callsOf(HOLDING);
    expect(call).toMatchObject({ disposition: 'ANSWERED' });
    // Half of the timer, minus rounding: silence did not end it.
    expect(call?.totalBillsec).toBeGreaterThanOrEqual(44);
  }, 120_000);
});
