import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  type DesiredCallFlow,
  type DesiredQueue,
  PLAIN_CALL_FLOW,
} from '../../src/engine/desired-call-flow.ts';
import type { DesiredExtension, DesiredState } from '../../src/engine/desired-state.ts';
import { extension } from '../../src/engine/engine.suite.ts';

import type { Engine } from '../../src/engine/engine.ts';
import type { EndedLeg, EngineEvent } from '../../src/engine/events.ts';
import { createConfiguredEngine } from '../../src/features/telephony/engine.ts';
import { systemClock, systemSteadyClock } from '../../src/lib/clock.ts';
import { type Phone, type PhoneOptions, startPhone } from '../real/baresip.ts';
import { createLoopbackNet, type LoopbackNet } from '../real/loopback.ts';
import { soon } from '../real/soon.ts';
import { engineConfig } from './engine-rig.ts';
import { secretOf } from './exchange.ts';

interface QueueRig {
  readonly engine: Engine;
  readonly events: readonly EngineEvent[];
  readonly net: LoopbackNet;
  readonly address: string;
  readonly dataDir: string;
  /** Resolves when the engine serves exactly these queues and, of the rest of the call flow, only `more`. */
  serve(queues: readonly DesiredQueue[], more?: Partial<DesiredCallFlow>): Promise<void>;
  /** A registered phone, stopped after the test. */
  phone(number: string, options?: Partial<PhoneOptions>): Promise<Phone>;
  /** This caller's legs in the order they began, once the call is over. */
  legsOf(caller: string): Promise<EndedLeg[]>;
  defer(cleanUp: () => unknown): void;
}

export const members = (...numbers: readonly string[]) =>
  numbers.map((number) => ({ number, name: `Employee ${number}`, state: 'in' as const, reason: '' }));

/** `600 queue NO ANSWER/TIMEOUT`, `201 queue BUSY`: a leg in the notation of the vectors in contract 29.5. */
export const shown = ({
  destination,
  application,
  isApplication,
  disposition,
  dialStatus,
}: EndedLeg): string =>
  [
    destination.number,
    isApplication ? application : '',
    dialStatus ? `${disposition}/${dialStatus}` : disposition,
  ]
    .filter(Boolean)
    .join(' ');

/** Legs that begin at the same moment are sorted by number, the queue before its members. */
function byBeginning(a: EndedLeg, b: EndedLeg): number {
  if (Math.abs(a.startedAt - b.startedAt) > 100) return a.startedAt - b.startedAt;
  const [one, other] = [a, b].map((leg) => `${leg.isApplication ? 0 : 1}${leg.destination.number}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

export const secondsOf = ({ startedAt, endedAt }: EndedLeg): number => (endedAt - startedAt) / 1000;

/** One engine with queues and phones for all tests of a file; each test uses its own numbers. */
export function useQueues(employees: readonly (Partial<DesiredExtension> & { number: string })[]): QueueRig {
  const net = createLoopbackNet();
  const address = net.next();
  const opened = new AsyncDisposableStack();
  const events: EngineEvent[] = [];
  const extensions = employees.map(({ number, ...fields }) =>
    extension(number, { secret: secretOf(number), ...fields }),
  );
  let engine: Engine;
  let dataDir = '';
  let cleanUps: (() => unknown)[] = [];
  const state = (callFlow: DesiredCallFlow): DesiredState => ({
    extensions,
    providers: [],
    refusedSources: [],
    callFlow,
  });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-queues-'));
    ({ engine } = await createConfiguredEngine({
      config: engineConfig(dataDir, address),
      clock: systemClock,
      steady: systemSteadyClock,
      log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
      opened,
      errorLogger: (what) => (error) => console.error(what, error),
    }));
    const { promise, resolve } = Promise.withResolvers<void>();
    engine.listen((event) => {
      events.push(event);
      if (event.type === 'engine-up') resolve();
    });
    await promise;
  });
  afterEach(async () => {
    const due = cleanUps.reverse();
    cleanUps = [];
    for (const cleanUp of due) await cleanUp();
  });
  afterAll(async () => {
    await opened.disposeAsync();
    if (!process.env.KEEP) await rm(dataDir, { recursive: true, force: true });
    else console.log(dataDir);
  });

  return {
    net,
    address,
    events,
    get engine() {
      return engine;
    },
    get dataDir() {
      return dataDir;
    },
    serve: (queues, more = {}) => engine.apply(state({ ...PLAIN_CALL_FLOW, queues, ...more })),
    async phone(number, options = {}) {
      const phone = await startPhone({
        number,
        secret: secretOf(number),
        address: net.next(),
        server: address,
        ...options,
      });
      cleanUps.push(() => phone.leave());
      const outcome = phone.events.findLast(({ type }) => type.startsWith('REGISTER_'));
      if (outcome?.type !== 'REGISTER_OK') throw new Error(`${number} could not register: ${outcome?.param}`);
      return phone;
    },
    legsOf: (caller) =>
      soon(async () => {
        const legs = events.flatMap((event) =>
          event.type === 'leg-ended' && event.leg.source.number === caller ? event.leg : [],
        );
        const over = events.flatMap((event) => (event.type === 'call-ended' ? event.linkedId : []));
        if (legs.length === 0 || !legs.every(({ linkedId }) => over.includes(linkedId)))
          throw new Error(`the call of ${caller} is not over`);
        return legs.sort(byBeginning);
      }),
    defer: (cleanUp) => void cleanUps.push(cleanUp),
  };
}
