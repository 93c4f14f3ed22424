import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { rule, weekly } from '../../src/engine/call-flow/off-work.suite.ts';
import { type DesiredSound, PLAIN_CALL_FLOW } from '../../src/engine/desired-call-flow.ts';
import type { DesiredProvider, DesiredState, HeaderRule } from '../../src/engine/desired-state.ts';
import type { EndedLeg } from '../../src/engine/events.ts';
import { createConfiguredEngine } from '../../src/features/telephony/engine.ts';
import { systemClock, systemSteadyClock } from '../../src/lib/clock.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { ACCOUNT, startProvider } from '../real/provider-asterisk.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { engineConfig } from './engine-rig.ts';
import { telephonyAvailable } from './exchange.ts';

const NO_RULE: HeaderRule = {
  source: 'default',
  customHeader: '',
  parserStart: '',
  parserEnd: '',
  parserRegex: '',
};
const SECONDS = 3;

const providerAt = (host: string): DesiredProvider => ({
  id: 'SIP-TRUNK-0A1B2C3D',
  description: 'P',
  registration: 'outbound',
  host,
  port: 5060,
  additionalHosts: [],
  ...ACCOUNT,
  transports: ['udp'],
  dtmfMode: 'auto',
  qualifySeconds: 60,
  fromUser: '',
  fromDomain: '',
  hidesFromUser: false,
  outboundProxy: '',
  manualAttributes: '',
  callerIdRule: NO_RULE,
  didRule: NO_RULE,
});

describe.skipIf(!telephonyAvailable())('a closed line with a message', () => {
  test('26.10, 29.1: the message plays once, the call ends, and the leg is that of an application', async () => {
    const net = createLoopbackNet();
    await using opened = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-hours-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const file = join(dataDir, 'closed');
    await writeFile(`${file}.wav`, toneWav(1300, SECONDS));
    const company = await startProvider(net.next());
    opened.defer(() => company.stop());
    const { engine } = await createConfiguredEngine({
      config: engineConfig(dataDir, net.next()),
      clock: systemClock,
      steady: systemSteadyClock,
      log: pino({ level: 'silent' }),
      opened,
      errorLogger: (what) => (error) => console.error(what, error),
    });
    const legs: EndedLeg[] = [];
    engine.listen((event) => {
      if (event.type === 'leg-ended') legs.push(event.leg);
    });
    const sound: DesiredSound = { id: '4', name: 'Closed', category: 'custom', file, seconds: SECONDS };
    const closed = rule({ name: 'Our week end, '.repeat(9), when: weekly(1, 7), target: '', soundId: '4' });
    const state: DesiredState = {
      extensions: [],
      providers: [providerAt(company.address)],
      refusedSources: [],
      callFlow: { ...PLAIN_CALL_FLOW, sounds: [sound], offWorkRules: [closed] },
    };
    await soon(() => engine.apply(state));
    await soon(async () => {
      const [provider] = await engine.providerStatuses();
      expect(provider?.state).toBe('registered');
    });
    await company.callIn('4930111', '+4917012345');
    const leg = await soon(async () => {
      const [first] = legs;
      if (!first) throw new Error('no leg has ended');
      return first;
    });
    expect(leg).toMatchObject({
      destination: { number: '', name: closed.name.slice(0, 100).trim(), channel: 'App:offwork' },
      did: '4930111',
      fromProvider: 'SIP-TRUNK-0A1B2C3D',
      disposition: 'NO ANSWER',
      dialStatus: 'CONTINUE',
      answeredAt: null,
      application: 'offwork',
      isApplication: true,
    });
    const seconds = (leg.endedAt - leg.startedAt) / 1000;
    console.info(`a message of ${SECONDS} s took ${seconds} s`);
    expect(seconds).toBeGreaterThan(SECONDS - 0.5);
    await soon(async () => expect(await engine.activeCalls()).toEqual([]));
    expect(legs).toHaveLength(1);
  });
});
