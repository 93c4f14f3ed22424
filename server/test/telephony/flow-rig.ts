import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import {
  type DesiredCallFlow,
  type DesiredIncomingRoute,
  type DesiredMenu,
  PLAIN_CALL_FLOW,
} from '../../src/engine/desired-call-flow.ts';
import type { DesiredProvider, DesiredState } from '../../src/engine/desired-state.ts';
import { extension } from '../../src/engine/engine.suite.ts';
import type { EndedLeg } from '../../src/engine/events.ts';
import { createConfiguredEngine } from '../../src/features/telephony/engine.ts';
import { systemClock, systemSteadyClock } from '../../src/lib/clock.ts';
import { type Phone, type PhoneOptions, startPhone } from '../real/baresip.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { startOutside } from '../real/outside-caller.ts';
import { soon } from '../real/soon.ts';
import { engineConfig } from './engine-rig.ts';

const rule = { source: 'default', customHeader: '', parserStart: '', parserEnd: '', parserRegex: '' };

export const trunkAt = (
  id: string,
  host: string,
  fields: Partial<DesiredProvider> = {},
): DesiredProvider => ({
  id,
  description: id,
  registration: 'none',
  host,
  port: 5060,
  additionalHosts: [],
  username: '',
  secret: '',
  transports: ['udp'],
  dtmfMode: 'auto',
  qualifySeconds: 0,
  fromUser: '',
  fromDomain: '',
  hidesFromUser: false,
  outboundProxy: '',
  manualAttributes: '',
  callerIdRule: rule,
  didRule: rule,
  ...fields,
});

export const incomingRoute = (
  id: number,
  number: string,
  target: string,
  fields: Partial<DesiredIncomingRoute> = {},
): DesiredIncomingRoute => ({
  id,
  name: `Route ${id}`,
  number,
  target,
  match: 'exact',
  providerId: '',
  callers: [],
  priority: id,
  timeoutSeconds: 0,
  soundId: '',
  ...fields,
});

export const defaultRoute = (
  target: string,
  fields: Partial<DesiredCallFlow['defaultRoute']> = {},
): DesiredCallFlow['defaultRoute'] => ({ ...PLAIN_CALL_FLOW.defaultRoute, target, ...fields });

export const menu = (number: string, fields: Partial<DesiredMenu> = {}): DesiredMenu => ({
  id: `IVR-${number}`,
  number,
  name: `Menu ${number}`,
  soundId: '',
  timeoutSeconds: 1,
  repeats: 0,
  onTimeout: 'hangup',
  onInvalid: 'hangup',
  timeoutSoundId: '',
  invalidSoundId: '',
  isDirect: false,
  actions: [],
  ...fields,
});

/** `201 CHANUNAVAIL`, `4930 FAILED/HANGUP`, ` announce NO ANSWER/CONTINUE`. */
export const told = ({ destination, application, disposition, dialStatus }: EndedLeg): string =>
  `${[destination.number, application, disposition].filter((part) => part !== '').join(' ')}${dialStatus ? `/${dialStatus}` : ''}`;

/** The engine alone, configured by the test; its legs are read as the service reads them. */
export async function openFlowRig() {
  const net = createLoopbackNet();
  const address = net.next();
  const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-flow-'));
  const opened = new AsyncDisposableStack();
  const { engine } = await createConfiguredEngine({
    config: engineConfig(dataDir, address),
    clock: systemClock,
    steady: systemSteadyClock,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    opened,
    errorLogger: (what) => (error) => console.error(what, error),
  });
  const legs: EndedLeg[] = [];
  const over = new Set<string>();
  const menuListeners: ((caller: string) => void)[] = [];
  await new Promise<void>((resolve) => {
    engine.listen((event) => {
      if (event.type === 'engine-up') resolve();
      if (event.type === 'leg-started' && event.leg.application === 'ivr')
        for (const listener of menuListeners) listener(event.leg.source.number);
      if (event.type === 'leg-ended') legs.push(event.leg);
      if (event.type === 'call-ended') over.add(event.linkedId);
    });
  });
  const outside = await startOutside(net.next(), address);
  const phones: Phone[] = [];

  return {
    net,
    address,
    dataDir,
    outside,
    /** Employees without a phone are unreachable at once, so that a call runs its whole chain without waiting. */
    async serve(
      numbers: readonly (string | ReturnType<typeof extension>)[],
      callFlow: Partial<DesiredCallFlow>,
      providers: DesiredState['providers'] = [trunkAt('SIP-A', outside.address)],
    ): Promise<void> {
      await engine.apply({
        extensions: numbers.map((one) => (typeof one === 'string' ? extension(one) : one)),
        providers,
        refusedSources: [],
        callFlow: { ...PLAIN_CALL_FLOW, ...callFlow },
      });
    },
    async phone(number: string, options: Partial<PhoneOptions> = {}): Promise<Phone> {
      const place = { address: net.next(), server: address };
      const phone = await startPhone({ number, secret: `secret-of-${number}`, ...place, ...options });
      phones.push(phone);
      return phone;
    },
    activeCalls: () => engine.activeCalls(),
    /** Legs of this caller's only call, once it is over. */
    legsOf: (caller: string): Promise<EndedLeg[]> =>
      soon(() => {
        const [first] = legs.filter(({ source }) => source.number === caller);
        if (!first || !over.has(first.linkedId)) throw new Error(`the call of ${caller} is not over`);
        return legs.filter(({ linkedId }) => linkedId === first.linkedId);
      }),
    /** Called each time somebody enters a menu. */
    onMenu: (listener: (caller: string) => void): void => void menuListeners.push(listener),
    /** Forgets all legs, so that callers may call again. */
    forget(): void {
      legs.length = 0;
    },
    async close(): Promise<void> {
      for (const phone of phones) await phone.leave();
      await outside.stop();
      await opened.disposeAsync();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type FlowRig = Awaited<ReturnType<typeof openFlowRig>>;
