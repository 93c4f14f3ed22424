import { expect, test } from 'vitest';
import { callOrdersSuite } from './call-orders.suite.ts';
import type { DesiredProvider } from './desired-state.ts';
import { type EngineRig, engineSuite } from './engine.suite.ts';
import { createFakeEngine } from './fake-engine.ts';
import { createNoneEngine } from './none-engine.ts';

const rule = { source: 'default', customHeader: '', parserStart: '', parserEnd: '', parserRegex: '' };
const provider: DesiredProvider = {
  id: 'SIP-TRUNK-0000TEST',
  description: 'Provider',
  registration: 'outbound',
  host: '192.0.2.80',
  port: 5060,
  additionalHosts: [],
  username: 'trunk',
  secret: 'trunk-secret',
  transports: ['udp'],
  dtmfMode: 'auto',
  qualifySeconds: 60,
  fromUser: '',
  fromDomain: '',
  hidesFromUser: false,
  outboundProxy: '',
  manualAttributes: '',
  callerIdRule: rule,
  didRule: rule,
};

/** The fake has no network: the rig plays the part of phones and a provider. */
async function openRig(): Promise<EngineRig> {
  const engine = createFakeEngine();
  let calls = 0;
  const { apply } = engine;
  engine.apply = async (state) => {
    await apply(state);
    if (state.providers.length > 0) engine.setProvider(provider.id, { state: 'registered', rttMs: 20 });
  };
  return {
    engine,
    provider,
    async registerPhone(number, secret) {
      const account = engine.served.extensions.find((known) => known.number === number);
      if (account?.secret === secret) {
        engine.succeedAuth({ category: 'sip', address: '192.0.2.10', account: number });
        engine.register(number);
      } else engine.failAuth({ category: 'sip', address: '192.0.2.10', account: number });
    },
    unregisterPhone: async (number) => engine.unregister(number),
    async call(from, to) {
      const id = `fake-${++calls}`;
      engine.startLeg({
        id,
        linkedId: id,
        startedAt: 1_000,
        answeredAt: null,
        source: { channel: `PJSIP/${from}`, number: from, name: '' },
        destination: { channel: `PJSIP/${to}`, number: to, name: '' },
        did: '',
      });
      return {
        answer: async () => engine.changeLeg(id, { answeredAt: 3_000 }),
        hold: async () => engine.changeLeg(id, { isHeld: true }),
        resume: async () => engine.changeLeg(id, { isHeld: false }),
        async hangUp() {
          engine.endLeg(id, { endedAt: 9_000 });
          engine.endCall(id);
        },
      };
    },
    stopEngine: async () => engine.goDown(),
    startEngine: async () => engine.comeUp(),
    close: () => engine.close(),
  };
}

engineSuite('the fake engine', openRig);
callOrdersSuite('the fake engine', openRig);

test('without an engine nothing is served, nothing is reported, and only orders fail', async () => {
  const engine = createNoneEngine();
  const told: unknown[] = [];
  engine.listen((event) => told.push(event));
  await engine.apply({ extensions: [], providers: [provider], refusedSources: [] });
  expect(engine.capabilities().telephony).toBe(false);
  expect(
    await Promise.all([engine.extensionStatuses(), engine.providerStatuses(), engine.activeCalls()]),
  ).toEqual([[], [], []]);
  await expect(engine.hangUp('none-1.1')).rejects.toThrow('no telephony engine is configured');
  expect(told).toEqual([]);
});
