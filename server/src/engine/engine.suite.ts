import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { EngineAway } from '../lib/errors.ts';
import { type DesiredQueue, PLAIN_CALL_FLOW } from './desired-call-flow.ts';
import type { DesiredExtension, DesiredProvider, DesiredState } from './desired-state.ts';
import type { Engine } from './engine.ts';
import type { EngineEvent } from './events.ts';

/** An engine and the world around it: phones, a provider, attackers. Phones use the numbers 201 and 202. */
export interface EngineRig {
  readonly engine: Engine;
  /** The account that the rig's provider accepts, as a provider of type `outbound`. */
  readonly provider: DesiredProvider;
  /** A phone registers with this secret; resolves when the attempt is over. */
  registerPhone(number: string, secret: string): Promise<void>;
  unregisterPhone(number: string): Promise<void>;
  /** The phone of one number calls the other; `answered` resolves when both talk. */
  call(from: string, to: string): Promise<RigCall>;
  stopEngine(): Promise<void>;
  startEngine(): Promise<void>;
  close(): Promise<void>;
}

interface RigCall {
  answer(): Promise<void>;
  /** The caller puts the other on hold. */
  hold(): Promise<void>;
  resume(): Promise<void>;
  hangUp(): Promise<void>;
}

export const extension = (number: string, fields: Partial<DesiredExtension> = {}): DesiredExtension => ({
  number,
  name: `Employee ${number}`,
  secret: `secret-of-${number}`,
  transports: ['udp'],
  dtmfMode: 'auto',
  isEncrypted: false,
  isRecorded: false,
  manualAttributes: '',
  mobile: { number: '', dialString: '' },
  ringSeconds: 45,
  forward: { onNoAnswer: '', onBusy: '', onUnavailable: '' },
  ...fields,
});

const QUEUE: DesiredQueue = {
  id: 'QUEUE-1',
  number: '600',
  name: 'Support',
  revision: 1,
  strategy: 'ringall',
  ringSeconds: 15,
  wrapUpSeconds: 0,
  ringsBusyMembers: false,
  hears: 'ringing',
  musicSoundId: '',
  periodicSoundId: '',
  periodicSeconds: 0,
  announcesPosition: false,
  announcesHoldTime: false,
  timeoutSeconds: 0,
  onTimeout: '',
  onEmpty: '',
  maxWaiting: 0,
  onFull: '',
  rejectSeconds: 60,
  callerIdPrefix: '',
  members: [],
};

/** An ordinary queue. */
export const queue = (number: string, fields: Partial<DesiredQueue> = {}): DesiredQueue => ({
  ...QUEUE,
  id: `QUEUE-${number}`,
  number,
  name: `Queue ${number}`,
  ...fields,
});

type Watched = {
  events: EngineEvent[];
  of<T extends EngineEvent['type']>(type: T): Extract<EngineEvent, { type: T }>[];
};

/** Run by every engine, the fake too, so that what works with one works with the other. */
export function engineSuite(name: string, open: () => Promise<EngineRig>): void {
  describe(name, () => {
    let rig: EngineRig;
    let engine: Engine;
    let watched: Watched;

    const state = (...numbers: string[]): DesiredState => ({
      extensions: numbers.map((number) => extension(number)),
      providers: [rig.provider],
      refusedSources: [],
    });
    const devicesOf = async (number: string) =>
      (await engine.extensionStatuses()).find((status) => status.number === number)?.devices;

    beforeEach(async () => {
      rig = await open();
      engine = rig.engine;
      watched = watch(engine);
      await eventually(() => expect(watched.of('engine-up')).toHaveLength(1));
    });
    afterEach(() => rig.close());

    test('it says that it is a telephony engine', () => expect(engine.capabilities().telephony).toBe(true));

    test('a listener that is added late is informed that the engine is up', () =>
      expect(watch(engine).events).toEqual([{ type: 'engine-up' }]));

    test('every applied extension and provider has a status, registered or not', async () => {
      await engine.apply(state('201', '202'));
      const numbers = (await engine.extensionStatuses()).map(({ number }) => number).sort();
      expect(numbers).toEqual(['201', '202']);
      expect(await devicesOf('201')).toEqual([]);
      expect((await engine.providerStatuses()).map(({ id }) => id)).toEqual([rig.provider.id]);
    });

    test('every applied queue has a status with all members; one that is out is paused, one that registers is free', async () => {
      const member = (number: string, out = false) =>
        ({ number, name: '', state: out ? 'out' : 'in', reason: '' }) as const;
      const members = [member('201'), member('202', true)];
      const callFlow = { ...PLAIN_CALL_FLOW, queues: [{ ...QUEUE, members }] };
      await engine.apply({ ...state('201', '202'), callFlow });
      const memberOf = async (number: string) => {
        const [queue] = await engine.queueStatuses();
        expect(queue?.members).toHaveLength(2);
        return queue?.members.find((known) => known.number === number);
      };
      expect(await memberOf('201')).toEqual({
        number: '201',
        device: 'unavailable',
        isPaused: false,
        lastCallAt: null,
      });
      expect(await memberOf('202')).toMatchObject({ isPaused: true });
      await rig.registerPhone('201', 'secret-of-201');
      await eventually(async () => expect(await memberOf('201')).toMatchObject({ device: 'free' }));
      await engine.apply(state('201', '202'));
      expect(await engine.queueStatuses()).toEqual([]);
    });

    test('accounts that are missing in the next state are out of service', async () => {
      await engine.apply(state('201', '202'));
      await rig.registerPhone('202', 'secret-of-202');
      await engine.apply({ extensions: [extension('201')], providers: [], refusedSources: [] });
      expect((await engine.extensionStatuses()).map(({ number }) => number)).toEqual(['201']);
      expect(await engine.providerStatuses()).toEqual([]);
    });

    test('a phone that registers is reported and appears in the statuses', async () => {
      await engine.apply(state('201'));
      await rig.registerPhone('201', 'secret-of-201');
      await eventually(() => {
        const last = watched.of('registration-changed').at(-1)?.extension;
        expect(last?.number).toBe('201');
        expect(last?.devices).toHaveLength(1);
      });
      const [device] = (await devicesOf('201')) ?? [];
      expect(device?.address).toMatch(/^[\d.]+$|:/);
      expect(device?.reach).not.toBe('unreachable');
    });

    test('a phone that unregisters is reported', async () => {
      await engine.apply(state('201'));
      await rig.registerPhone('201', 'secret-of-201');
      await eventually(() => expect(watched.of('registration-changed')).not.toEqual([]));
      await rig.unregisterPhone('201');
      await eventually(() =>
        expect(watched.of('registration-changed').at(-1)?.extension).toEqual({ number: '201', devices: [] }),
      );
      expect(await devicesOf('201')).toEqual([]);
    });

    test('a phone that is challenged and then let in is a success from its address, not a failure', async () => {
      await engine.apply(state('201'));
      await rig.registerPhone('201', 'secret-of-201');
      await eventually(() => expect(watched.of('registration-changed')).not.toEqual([]));
      expect(watched.of('auth-failed')).toEqual([]);
      await eventually(() => expect(watched.of('auth-succeeded')).not.toEqual([]));
      const [success] = watched.of('auth-succeeded');
      expect(success).toMatchObject({ category: 'sip', account: '201' });
      expect((await devicesOf('201'))?.[0]?.address).toBe(success?.address);
    });

    test('a wrong secret is a failure with the address it came from', async () => {
      await engine.apply(state('201'));
      await rig.registerPhone('201', 'not the secret');
      await eventually(() => expect(watched.of('auth-failed')).not.toEqual([]));
      const [failure] = watched.of('auth-failed');
      expect(failure?.category).toBe('sip');
      expect(failure?.address).toMatch(/^[\d.]+$|:/);
      expect(await devicesOf('201')).toEqual([]);
    });

    test('a provider that accepts us becomes registered', async () => {
      await engine.apply(state('201'));
      await eventually(() =>
        expect(watched.of('provider-changed').at(-1)?.provider.state).toBe('registered'),
      );
      expect((await engine.providerStatuses())[0]?.state).toBe('registered');
    });

    test('a call is active from its start to its end, and its leg is reported before the end of the call', async () => {
      await engine.apply(state('201', '202'));
      await rig.registerPhone('201', 'secret-of-201');
      await rig.registerPhone('202', 'secret-of-202');
      const call = await rig.call('201', '202');
      await eventually(async () => expect(await engine.activeCalls()).toHaveLength(1));
      const [ringing] = await engine.activeCalls();
      expect(ringing).toMatchObject({
        answeredAt: null,
        source: { number: '201' },
        destination: { number: '202' },
      });
      await call.answer();
      await eventually(async () => expect((await engine.activeCalls())[0]?.answeredAt).toBeGreaterThan(0));
      await call.hangUp();
      await eventually(() => expect(watched.of('call-ended')).toHaveLength(1));
      expect(await engine.activeCalls()).toEqual([]);
      const [ended] = watched.of('leg-ended');
      expect(ended?.leg).toMatchObject({
        id: ringing?.id,
        linkedId: ringing?.linkedId,
        disposition: 'ANSWERED',
      });
      expect(ended?.leg.endedAt).toBeGreaterThanOrEqual(ended?.leg.answeredAt as number);
      const order = watched.events.map(({ type }) => type).filter((type) => /^(leg|call)-/.test(type));
      expect([order[0], order.at(-2), order.at(-1)]).toEqual(['leg-started', 'leg-ended', 'call-ended']);
      expect(watched.of('call-ended')[0]?.linkedId).toBe(ringing?.linkedId);
    });

    test('a call is reported as held only while it is on hold', async () => {
      await engine.apply(state('201', '202'));
      await rig.registerPhone('201', 'secret-of-201');
      await rig.registerPhone('202', 'secret-of-202');
      const call = await rig.call('201', '202');
      await call.answer();
      const told = () => watched.of('leg-changed').map(({ leg }) => leg.isHeld ?? false);
      const asked = async () => (await engine.activeCalls()).map(({ isHeld }) => isHeld ?? false);
      await eventually(() => expect(told()).toContain(false));
      await call.hold();
      await eventually(() => expect(told().at(-1)).toBe(true));
      expect(await asked()).toEqual([true]);
      await call.resume();
      await eventually(() => expect(told().at(-1)).toBe(false));
      expect(await asked()).toEqual([false]);
      await call.hangUp();
    });

    test('a lost engine is reported once, fails all queries, and is reported again when it is back', async () => {
      await engine.apply(state('201'));
      await rig.stopEngine();
      await eventually(() => expect(watched.of('engine-down')).toHaveLength(1));
      await expect(engine.extensionStatuses()).rejects.toThrow(EngineAway);
      await expect(engine.providerStatuses()).rejects.toThrow(EngineAway);
      await expect(engine.activeCalls()).rejects.toThrow(EngineAway);
      await expect(engine.apply(state('201'))).rejects.toThrow(EngineAway);
      expect(watch(engine).events).toEqual([]);
      await rig.startEngine();
      await eventually(() => expect(watched.of('engine-up')).toHaveLength(2));
      await engine.apply(state('201', '202'));
      expect(await engine.extensionStatuses()).toHaveLength(2);
    });

    test('nothing is reported to a listener that was removed, nor after closing', async () => {
      const stopped: EngineEvent[] = [];
      const stop = engine.listen((event) => stopped.push(event));
      stop();
      await engine.apply(state('201'));
      await rig.registerPhone('201', 'secret-of-201');
      await eventually(() => expect(watched.of('registration-changed')).not.toEqual([]));
      expect(stopped).toEqual([{ type: 'engine-up' }]);
      await engine.close();
      const told = watched.events.length;
      await rig.unregisterPhone('201').catch(() => {});
      expect(watched.events).toHaveLength(told);
    });
  });
}

function watch(engine: Engine): Watched {
  const events: EngineEvent[] = [];
  engine.listen((event) => events.push(event));
  return {
    events,
    of: <T extends EngineEvent['type']>(type: T) =>
      events.filter((event): event is Extract<EngineEvent, { type: T }> => event.type === type),
  };
}
