import type { Clock } from '../lib/clock.ts';
import { ENGINE_LOST_AFTER_MS } from '../lib/engine-lost.ts';
import type { ActiveLeg, Engine, ExtensionStatus, ProviderStatus, QueueStatus } from './engine.ts';
import type { AuthFailed, AuthSucceeded, EngineEvent, TlsMissing } from './events.ts';
import { createFailedLogins, type FailedLogin } from './failed-logins.ts';

/** Events suffice unless one is lost; round trip times change without one. */
const REFRESH_MS = 30_000;

export interface KnownProvider extends ProviderStatus {
  /** When it entered this state, as far as we saw it. */
  readonly since: number;
}

/** What is known of an engine. Never changed once given out: results from a part hold while the part is the same. */
export interface EngineSnapshot {
  readonly extensions: ReadonlyMap<string, ExtensionStatus>;
  readonly providers: ReadonlyMap<string, KnownProvider>;
  readonly legs: ReadonlyMap<string, ActiveLeg>;
  /** By the queue's id. */
  readonly queues: ReadonlyMap<string, QueueStatus>;
  /** By extension number, the latest first. */
  readonly failedLogins: ReadonlyMap<string, readonly FailedLogin[]>;
  /** When the engine last reported anything; `undefined` = never. */
  readonly asOf: number | undefined;
  /** Since when it is unreachable; `undefined` = it is reachable. */
  readonly awaySince: number | undefined;
}

type Login = AuthFailed | AuthSucceeded | TlsMissing;
/** Limited, because strangers guess at many numbers. */
const MAX_EARLY = 1000;

type FailingListener = (phone: { number: string; address: string; isWithoutTls: boolean }) => void;

interface ViewOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly refreshMs?: number;
  readonly lostAfterMs?: number;
}

/** Holds in memory what the engine reports, so that any number of readers cost the engine nothing. */
export function createEngineView(options: ViewOptions) {
  const { engine, clock, onError, refreshMs = REFRESH_MS, lostAfterMs = ENGINE_LOST_AFTER_MS } = options;
  const extensions = createPart<ExtensionStatus>();
  const providers = createPart<KnownProvider>();
  const legs = createPart<ActiveLeg>();
  const queues = createPart<QueueStatus>();
  const failedLogins = createFailedLogins({ clock });
  /** Logins of accounts that are not known yet: the engine may have got them a moment ago. */
  let early: Login[] = [];
  let asOf: number | undefined;
  let awaySince: number | undefined = clock.now();
  /** Events that came during a query: they may be younger than its answer, so they are applied once more. */
  let heard: EngineEvent[] = [];
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let lostTimer: NodeJS.Timeout | undefined;
  const listeners: (() => void)[] = [];
  const stateListeners: ((provider: KnownProvider) => void)[] = [];
  const failingListeners: FailingListener[] = [];

  const tell = () => {
    for (const listener of listeners) listener();
  };

  function hear(event: EngineEvent): void {
    if (event.type === 'engine-up') {
      awaySince = undefined;
      clearTimeout(lostTimer);
      void refresh().catch(onError);
    } else if (event.type === 'engine-down') {
      if (awaySince === undefined) lostTimer = setTimeout(loseProviders, lostAfterMs).unref();
      awaySince ??= clock.now();
    } else if (
      event.type === 'auth-failed' ||
      event.type === 'auth-succeeded' ||
      event.type === 'tls-missing'
    ) {
      if (!noteLogin(event)) return;
    } else {
      if (running) heard.push(event);
      if (!take(event)) return;
      asOf = clock.now();
    }
    tell();
  }

  /** False: the event concerns nothing that is held here. */
  function take(event: EngineEvent): boolean {
    switch (event.type) {
      case 'registration-changed':
        extensions.set(event.extension.number, event.extension);
        return true;
      case 'provider-changed':
        setProvider(event.provider, providers.get(event.provider.id));
        return true;
      case 'leg-started':
      case 'leg-changed':
        legs.set(event.leg.id, event.leg);
        return true;
      case 'leg-rested':
      case 'leg-ended':
        legs.delete(event.leg.id);
        return true;
      case 'queue-member-changed':
        setMember(event.queueId, event.member);
        return true;
      case 'call-ended':
        for (const leg of legs.values()) if (leg.linkedId === event.linkedId) legs.delete(leg.id);
        return true;
      default:
        return false;
    }
  }

  /** False: nothing new. No answer of the engine holds logins, so they are never applied twice. */
  function noteLogin(login: Login): boolean {
    const { type, account = '', address } = login;
    const isWithoutTls = type === 'tls-missing';
    if (!isWithoutTls && login.category !== 'sip') return false;
    if (!extensions.get(account)) {
      if (early.length < MAX_EARLY) early.push(login);
      return false;
    }
    if (type === 'auth-succeeded') return failedLogins.succeeded(account, address);
    if (!failedLogins.failed(account, address, isWithoutTls)) return false;
    for (const listener of failingListeners) listener({ number: account, address, isWithoutTls });
    return true;
  }

  function setMember(queueId: string, member: QueueStatus['members'][number]): void {
    const others = (queues.get(queueId)?.members ?? []).filter(({ number }) => number !== member.number);
    queues.set(queueId, { queueId, members: [...others, member] });
  }

  function setProvider(status: ProviderStatus, before: KnownProvider | undefined): void {
    const isSame = before?.state === status.state;
    const provider = { ...status, since: isSame ? before.since : clock.now() };
    providers.set(status.id, provider);
    if (!isSame) for (const listener of stateListeners) listener(provider);
  }

  /** A change of state like any other: it has to reach the history (contract 4.4). */
  function loseProviders(): void {
    for (const provider of providers.values())
      setProvider({ ...provider, state: 'unknown', rttMs: null }, provider);
    tell();
  }

  async function ask(): Promise<void> {
    heard = [];
    const askedAt = clock.now();
    const [phones, trunks, active, lines] = await Promise.all([
      engine.extensionStatuses(),
      engine.providerStatuses(),
      engine.activeCalls(),
      engine.queueStatuses(),
    ]);
    extensions.replace(phones.map((status) => [status.number, status]));
    legs.replace(active.map((leg) => [leg.id, leg]));
    queues.replace(lines.map((status) => [status.queueId, status]));
    const before = providers.read();
    providers.replace([]);
    for (const status of trunks) setProvider(status, before.get(status.id));
    failedLogins.purge((number) => extensions.get(number) !== undefined);
    asOf = askedAt;
    heard.forEach(take);
    const known = early.filter(({ account = '' }) => extensions.get(account));
    early = [];
    known.forEach(noteLogin);
    tell();
  }

  function start(): Promise<void> {
    running = ask().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** Callers that come during a query wait for one more query, which all of them share. */
  function refresh(): Promise<void> {
    if (!running) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return running ?? start();
      });
    return next;
  }

  const stopListening = engine.listen(hear);
  const timer = setInterval(() => {
    if (awaySince === undefined && !running) void start().catch(onError);
  }, refreshMs);
  timer.unref();

  return {
    current: (): EngineSnapshot => ({
      extensions: extensions.read(),
      providers: providers.read(),
      legs: legs.read(),
      queues: queues.read(),
      failedLogins: failedLogins.read(),
      asOf,
      awaySince,
    }),
    /** False: no engine is available, so there is nothing to see here. */
    hasEngine: (): boolean => engine.capabilities().telephony,
    /** Resolves when the engine has been queried after this call; rejects if that fails. */
    refresh,
    /** What was reported of them so far does not count any more. */
    forgetProviders(ids: readonly string[]): void {
      for (const id of ids) providers.delete(id);
      if (ids.length > 0) tell();
    },
    onChange(listener: () => void): void {
      listeners.push(listener);
    },
    /** Called when an extension begins to fail from an address. */
    onFailingPhone(listener: FailingListener): void {
      failingListeners.push(listener);
    },
    onProviderStateChange(listener: (provider: KnownProvider) => void): void {
      stateListeners.push(listener);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      clearTimeout(lostTimer);
      stopListening();
      listeners.length = 0;
      stateListeners.length = 0;
      failingListeners.length = 0;
      await (next ?? running)?.catch(() => {});
    },
  };
}

export type EngineView = ReturnType<typeof createEngineView>;

/** A map that is copied only if it was read since: thousands of changes in a row cost as many steps, not copies. */
function createPart<T>() {
  let map = new Map<string, T>();
  let isGivenOut = false;

  function own(): Map<string, T> {
    if (isGivenOut) map = new Map(map);
    isGivenOut = false;
    return map;
  }

  return {
    get: (key: string): T | undefined => map.get(key),
    values: (): T[] => [...map.values()],
    set: (key: string, value: T): void => void own().set(key, value),
    delete: (key: string): void => void own().delete(key),
    replace(entries: readonly (readonly [string, T])[]): void {
      map = new Map(entries);
      isGivenOut = false;
    },
    read(): ReadonlyMap<string, T> {
      isGivenOut = true;
      return map;
    },
  };
}
