import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import {
  type DesiredCallFlow,
  type DesiredOutboundRoute,
  PLAIN_CALL_FLOW,
} from '../../src/engine/desired-call-flow.ts';
import type { DesiredExtension, DesiredProvider } from '../../src/engine/desired-state.ts';
import { extension } from '../../src/engine/engine.suite.ts';
import type { EndedLeg, EngineEvent } from '../../src/engine/events.ts';
import { createConfiguredEngine } from '../../src/features/telephony/engine.ts';
import { systemClock, systemSteadyClock } from '../../src/lib/clock.ts';
import { type Phone, startPhone } from '../real/baresip.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { sdpOf, startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { engineConfig } from './engine-rig.ts';

const rule = { source: 'default', customHeader: '', parserStart: '', parserEnd: '', parserRegex: '' };

/** An outbound route of the rig's provider P that takes every number. */
export const route = (id: number, fields: Partial<DesiredOutboundRoute> = {}): DesiredOutboundRoute => ({
  id,
  name: `Route ${id}`,
  providerId: 'SIP-P',
  beginsWith: '',
  restDigits: -1,
  trim: 0,
  prepend: '',
  callerId: '',
  forwardedCallerId: 'caller',
  callClass: 'national',
  isDisabled: false,
  ...fields,
});

interface Served {
  readonly extensions?: readonly (Partial<DesiredExtension> & { readonly number: string })[];
  readonly providers?: Readonly<Record<string, Partial<DesiredProvider>>>;
  readonly callFlow?: Partial<DesiredCallFlow>;
  /** Providers that are not in service. */
  readonly without?: readonly ('P' | 'Q' | 'R')[];
}

/** The result of a call: its legs in short, and what each provider was asked. */
interface Outcome {
  /** The final status that the caller's phone received. */
  readonly told: string;
  /** `dialled to provider disposition/status` */
  readonly legs: readonly string[];
  readonly ended: readonly EndedLeg[];
  /** INVITEs in order, without retransmissions. */
  readonly asked: readonly Invitation[];
}

export interface Invitation {
  readonly provider: string;
  readonly number: string;
  /** Value of a header, `''` if there is none. */
  header(name: string): string;
}

/** Providers P, Q and R that answer as the test says, the engine behind its port, and phones. */
export async function openOutboundRig() {
  const net = createLoopbackNet();
  const address = net.next();
  const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-outbound-'));
  const opened = new AsyncDisposableStack();
  const events: EngineEvent[] = [];
  const asked: Invitation[] = [];
  /** Answer by provider; a provider without one stays silent. */
  let answers: Readonly<Record<string, string>> = {};

  async function openPeer(id: string) {
    const known = new Set<string>();
    const self = net.next();
    const peer = await startPeer({
      address: self,
      server: address,
      reply(request, method) {
        if (method === 'ACK') return [];
        if (method !== 'INVITE') return [{ status: '200 OK' }];
        const callId = header(request, 'Call-ID');
        if (!known.has(callId)) {
          known.add(callId);
          const number = decodeURIComponent(/^INVITE sip:([^@]*)@/.exec(request)?.[1] ?? '');
          asked.push({ provider: id, number, header: (name) => header(request, name) });
        }
        const status = answers[id];
        if (status === undefined) return [];
        return [status.startsWith('200') ? { status, more: [sdpOf(self)] } : { status }];
      },
    });
    opened.defer(() => peer.stop());
    return peer;
  }
  const peers = { P: await openPeer('P'), Q: await openPeer('Q'), R: await openPeer('R') };

  const { engine } = await createConfiguredEngine({
    config: engineConfig(dataDir, address),
    clock: systemClock,
    steady: systemSteadyClock,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    opened,
    errorLogger: (what) => (error) => console.error(what, error),
  });
  engine.listen((event) => void events.push(event));
  await soon(() => {
    if (!events.some(({ type }) => type === 'engine-up')) throw new Error('the engine is not up');
  });

  const providerOf = (name: keyof typeof peers, fields: Partial<DesiredProvider> = {}): DesiredProvider => ({
    id: `SIP-${name}`,
    description: name,
    registration: 'none',
    host: peers[name].address,
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

  async function outcome(begin: () => Promise<void>, told: () => Promise<string>): Promise<Outcome> {
    asked.length = 0;
    const from = events.length;
    await begin();
    const said = await told();
    const ended = await soon(() => {
      const since = events.slice(from);
      const legs = since.flatMap((event) => (event.type === 'leg-ended' ? event.leg : []));
      const over = since.filter(({ type }) => type === 'call-ended').length;
      if (legs.length === 0 || over === 0) throw new Error('the call is not over');
      return legs;
    });
    const legs = ended.map(
      ({ destination, toProvider, disposition, dialStatus }) =>
        `${destination.number} ${toProvider.replace('SIP-', '')} ${disposition}${dialStatus ? `/${dialStatus}` : ''}`,
    );
    return { told: said, legs, ended, asked: [...asked] };
  }

  return {
    net,
    address,
    engine,
    peers,
    events,
    /** What the providers were asked since the call began. */
    asked: asked as readonly Invitation[],
    async serve({ extensions = [], providers = {}, callFlow = {}, without = [] }: Served): Promise<void> {
      await engine.apply({
        extensions: ['201', '202', '203'].map((number) =>
          extension(
            number,
            extensions.find((known) => known.number === number),
          ),
        ),
        providers: (['P', 'Q', 'R'] as const)
          .filter((name) => !without.includes(name))
          .map((name) => providerOf(name, providers[name])),
        refusedSources: [],
        callFlow: { ...PLAIN_CALL_FLOW, ...callFlow },
      });
    },
    /** Sets what each provider answers to calls from now on. */
    say(now: Readonly<Record<string, string>>): void {
      answers = now;
    },
    async phone(number: string): Promise<Phone> {
      const phone = await startPhone({
        number,
        secret: `secret-of-${number}`,
        address: net.next(),
        server: address,
      });
      opened.defer(() => phone.unplug());
      return phone;
    },
    /** Dials, hangs up if somebody answers, and waits until the call is over. */
    call: (phone: Phone, number: string, said: 'refused' | 'answered' = 'refused'): Promise<Outcome> =>
      outcome(
        () => phone.dial(number),
        async () => {
          if (said === 'refused') return (await phone.next('CALL_CLOSED')).param ?? '';
          await phone.next('CALL_ESTABLISHED');
          await phone.hangUp();
          await phone.next('CALL_CLOSED');
          return 'answered';
        },
      ),
    outcome,
    async close(): Promise<void> {
      await opened.disposeAsync();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type OutboundRig = Awaited<ReturnType<typeof openOutboundRig>>;

const header = (request: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(request)?.[1]?.trim() ?? '';
