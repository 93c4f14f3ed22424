import { EngineAway, NotFound } from '../lib/errors.ts';
import { handingOver, originLegId } from './call-orders.ts';
import type { DesiredMember } from './desired-call-flow.ts';
import type { DesiredState } from './desired-state.ts';
import type {
  ActiveLeg,
  Device,
  Engine,
  EngineListener,
  ProviderStatus,
  QueueMemberStatus,
} from './engine.ts';
import type {
  AuthFailed,
  AuthSucceeded,
  EmergencyCall,
  EndedLeg,
  EngineEvent,
  MemberSwitched,
  NightSwitched,
  TlsMissing,
} from './events.ts';

const NOTHING: DesiredState = { extensions: [], providers: [], refusedSources: [] };

/** Stands in for a real engine in tests: the test plays phones, providers and attackers. */
export interface FakeEngine extends Engine {
  /** What is served now. */
  readonly served: DesiredState;
  readonly applied: number;
  /** How often the engine was asked for its extensions. */
  readonly asked: number;

  goDown(): void;
  /** A restarted engine serves nothing until a state is applied; devices register again. */
  comeUp(): void;
  /** The next `apply` calls reject. */
  refuseApply(times: number): void;

  register(number: string, device?: Partial<Device>): void;
  /** One device, or all of the extension. */
  unregister(number: string, address?: string): void;
  setProvider(id: string, status: Partial<ProviderStatus>): void;
  startLeg(leg: ActiveLeg): void;
  changeLeg(id: string, changes: Partial<ActiveLeg>): void;
  endLeg(id: string, ending: { endedAt: number } & Partial<EndedLeg>): void;
  endCall(linkedId: string): void;
  finishRecording(legId: string, linkedId: string, file: string): void;
  /** A member of a queue stops ringing, for now. */
  restLeg(id: string): void;
  changeMember(queueId: string, number: string, changes: Partial<QueueMemberStatus>): void;
  switchMember(switched: Omit<MemberSwitched, 'type'>): void;
  callForHelp(call: Omit<EmergencyCall, 'type'>): void;
  failAuth(failure: Omit<AuthFailed, 'type'>): void;
  succeedAuth(success: Omit<AuthSucceeded, 'type'>): void;
  missTls(login: Omit<TlsMissing, 'type'>): void;
  switchNight(switched: Omit<NightSwitched, 'type'>): void;
}

const PHONE: Device = {
  address: '192.0.2.10',
  port: 5060,
  userAgent: 'Test phone',
  reach: 'reachable',
  rttMs: 12,
};

export function createFakeEngine({ up = true }: { up?: boolean } = {}): FakeEngine {
  const listeners = new Set<EngineListener>();
  const devices = new Map<string, Device[]>();
  const providers = new Map<string, ProviderStatus>();
  const legs = new Map<string, ActiveLeg>();
  const emergencies = new Set<string>();
  const memberDevices = new Map<string, Partial<QueueMemberStatus>>();
  let served = NOTHING;
  let applied = 0;
  let asked = 0;
  let refusals = 0;
  let isUp = up;

  function emit(event: EngineEvent): void {
    for (const listener of listeners) listener(event);
  }

  function reachable(): void {
    if (!isUp) throw new EngineAway('the telephony engine is not reachable');
  }

  const extension = (number: string) => ({ number, devices: devices.get(number) ?? [] });

  function setDevices(number: string, next: Device[]): void {
    if (!served.extensions.some((known) => known.number === number))
      throw new Error(`${number} is not served`);
    devices.set(number, next);
    emit({ type: 'registration-changed', extension: extension(number) });
  }

  function legNamed(id: string): ActiveLeg {
    const leg = legs.get(id);
    if (!leg) throw new Error(`no leg ${id}`);
    return leg;
  }

  /** Follows the member's phone, unless the test has set something else. */
  function memberStatus(queueId: string, { number, state }: DesiredMember): QueueMemberStatus {
    const said = memberDevices.get(`${queueId} ${number}`);
    const device = (devices.get(number) ?? []).length > 0 ? 'free' : 'unavailable';
    return { number, device, isPaused: state !== 'in', lastCallAt: null, ...said };
  }

  const partyOf = (number: string) => {
    const name = served.extensions.find((known) => known.number === number)?.name ?? '';
    return { channel: `PJSIP/${number}`, number, name };
  };
  let made = 0;

  const unknown = (id: string): ProviderStatus => ({ id, state: 'unknown', rttMs: null, addresses: [] });

  const fake: FakeEngine = {
    get served() {
      return served;
    },
    get applied() {
      return applied;
    },
    get asked() {
      return asked;
    },

    async apply(state) {
      reachable();
      if (refusals > 0) {
        refusals--;
        throw new Error('the engine refused its configuration');
      }
      // A copy: later changes to the caller's object have not been applied.
      served = structuredClone(state);
      applied++;
      const isServed = (number: string) => served.extensions.some((known) => known.number === number);
      for (const number of devices.keys()) if (!isServed(number)) devices.delete(number);
      for (const id of providers.keys())
        if (!served.providers.some((known) => known.id === id)) providers.delete(id);
    },
    async extensionStatuses() {
      reachable();
      asked++;
      return served.extensions.map(({ number }) => extension(number));
    },
    async providerStatuses() {
      reachable();
      return served.providers.map(({ id }) => providers.get(id) ?? unknown(id));
    },
    async activeCalls() {
      reachable();
      return [...legs.values()];
    },
    async queueStatuses() {
      reachable();
      return (served.callFlow?.queues ?? []).map(({ id, members }) => ({
        queueId: id,
        members: members.map((member) => memberStatus(id, member)),
      }));
    },
    async originate({ from, to }) {
      reachable();
      const linkedId = `made-${++made}.1`;
      const source = partyOf(from);
      const destination = { ...partyOf(to), channel: '' };
      const times = { startedAt: Date.now(), answeredAt: null };
      fake.startLeg({ id: originLegId(linkedId), linkedId, ...times, source, destination, did: '' });
      return linkedId;
    },
    async hangUp(linkedId) {
      reachable();
      const ended = [...legs.values()].filter((leg) => leg.linkedId === linkedId);
      if (ended.length === 0) throw new NotFound(`call ${linkedId} not found`);
      for (const { id } of ended) fake.endLeg(id, { endedAt: Date.now() });
      fake.endCall(linkedId);
    },
    async transfer(order) {
      reachable();
      const { leg, side } = handingOver([...legs.values()], order, accountOf);
      const source = side === 'source' ? leg.destination : leg.source;
      const times = { startedAt: Date.now(), answeredAt: null };
      fake.endLeg(leg.id, { endedAt: times.startedAt });
      fake.startLeg({ ...leg, ...times, id: `${leg.id}-t`, source, destination: partyOf(order.to) });
    },
    capabilities: () => ({ telephony: true, recording: true }),
    listen(listener) {
      listeners.add(listener);
      if (isUp) listener({ type: 'engine-up' });
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
    },

    goDown() {
      isUp = false;
      emit({ type: 'engine-down' });
    },
    comeUp() {
      served = NOTHING;
      devices.clear();
      providers.clear();
      legs.clear();
      emergencies.clear();
      isUp = true;
      emit({ type: 'engine-up' });
    },
    refuseApply(times) {
      refusals = times;
    },

    register(number, device = {}) {
      const added = { ...PHONE, ...device };
      const others = (devices.get(number) ?? []).filter(({ address }) => address !== added.address);
      setDevices(number, [...others, added]);
    },
    unregister(number, gone) {
      const left = (devices.get(number) ?? []).filter(
        ({ address }) => gone !== undefined && address !== gone,
      );
      setDevices(number, left);
    },
    setProvider(id, status) {
      const provider = { ...(providers.get(id) ?? unknown(id)), ...status };
      providers.set(id, provider);
      emit({ type: 'provider-changed', provider });
    },
    startLeg(begun) {
      const leg = emergencies.has(begun.linkedId) ? { ...begun, isEmergency: true } : begun;
      legs.set(leg.id, leg);
      emit({ type: 'leg-started', leg });
    },
    changeLeg(id, changes) {
      const leg = { ...legNamed(id), ...changes };
      legs.set(id, leg);
      emit({ type: 'leg-changed', leg });
    },
    endLeg(id, ending) {
      const leg = legNamed(id);
      legs.delete(id);
      emit({ type: 'leg-ended', leg: { ...endingOf(leg), ...ending } });
    },
    endCall(linkedId) {
      emergencies.delete(linkedId);
      // Later queries for active calls show none of its legs.
      for (const leg of [...legs.values()]) if (leg.linkedId === linkedId) legs.delete(leg.id);
      emit({ type: 'call-ended', linkedId });
    },
    finishRecording(legId, linkedId, file) {
      emit({ type: 'recording-finished', legId, linkedId, file });
    },
    restLeg(id) {
      const leg = legNamed(id);
      legs.delete(id);
      emit({ type: 'leg-rested', leg });
    },
    changeMember(queueId, number, changes) {
      const key = `${queueId} ${number}`;
      memberDevices.set(key, { ...memberDevices.get(key), ...changes });
      const queue = served.callFlow?.queues.find(({ id }) => id === queueId);
      const member = queue?.members.find((known) => known.number === number);
      if (!member) throw new Error(`${number} is no member of ${queueId}`);
      emit({ type: 'queue-member-changed', queueId, member: memberStatus(queueId, member) });
    },
    switchMember(switched) {
      emit({ type: 'member-switched', ...switched });
    },
    callForHelp(call) {
      emergencies.add(call.linkedId);
      for (const { id, linkedId } of legs.values())
        if (linkedId === call.linkedId) fake.changeLeg(id, { isEmergency: true });
      emit({ type: 'emergency-call', ...call });
    },
    failAuth: (failure) => emit({ type: 'auth-failed', ...failure }),
    succeedAuth: (success) => emit({ type: 'auth-succeeded', ...success }),
    missTls: (login) => emit({ type: 'tls-missing', ...login }),
    switchNight: (switched) => emit({ type: 'night-switched', ...switched }),
  };
  return fake;
}

const accountOf = (channel: string): string => /^PJSIP\/(\d+)$/.exec(channel)?.[1] ?? '';

const endingOf = (leg: ActiveLeg) => ({
  application: '',
  isApplication: false,
  ...leg,
  disposition: leg.answeredAt === null ? ('NO ANSWER' as const) : ('ANSWERED' as const),
  fromProvider: '',
  toProvider: '',
  dtmfDigits: '',
  isTransfer: false,
  sourceCallId: '',
  destinationCallId: '',
});
