import type { Clock } from '../lib/clock.ts';
import type { DesiredCallFlow } from './desired-call-flow.ts';
import { desiredState, type StoredEmployee, type StoredProvider } from './desired-from-stored.ts';
import type { SourceFilter } from './desired-state.ts';
import type { Engine } from './engine.ts';
import { createEngineView } from './engine-view.ts';
import type { EngineEvent } from './events.ts';
import { createEngineSync } from './sync.ts';

type EventOf<T> = Extract<EngineEvent, { type: T }>;

/** Stored data that the engine follows. */
interface Followed {
  onChange(listener: () => void): void;
}

interface TelephonyParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly employees: Followed & { settle(): Promise<unknown>; all(): readonly StoredEmployee[] };
  readonly providers: Followed & {
    recent(): Promise<unknown>;
    inService(): readonly (StoredProvider & { readonly switchedAt: number })[];
  };
  readonly filters: Followed & {
    settle(): Promise<unknown>;
    lists(id: number): SourceFilter | undefined;
  };
  /** Where calls go; absent: to numbers of employees only. */
  readonly callFlow?: (Followed & { desired(): Promise<DesiredCallFlow> }) | undefined;
  /** Sources that are banned from telephony. */
  readonly refused: Followed & { sources(): readonly string[] };
  readonly onError: (error: unknown) => void;
}

/** Both directions of an engine: the state it shall serve, and what it reports. */
export function createTelephony(parts: TelephonyParts) {
  const { engine, clock, employees, providers, filters, callFlow, refused, onError } = parts;
  const view = createEngineView({ engine, clock, onError });
  const sync = createEngineSync({
    engine,
    async desired() {
      await Promise.all([employees.settle(), providers.recent(), filters.settle()]);
      const flow = await callFlow?.desired();
      return {
        ...desiredState({
          employees: employees.all(),
          providers: providers.inService(),
          filterLists: (id) => filters.lists(Number(id)),
          refusedSources: refused.sources(),
        }),
        ...(flow && { callFlow: flow }),
      };
    },
    // What is newly served may be reachable already.
    onApplied: () => void view.refresh().catch(onError),
    onError,
  });
  for (const followed of [employees, providers, filters, refused, ...(callFlow ? [callFlow] : [])])
    followed.onChange(sync.changed);

  // A provider that was enabled again is unknown until the engine reports it again (contract 4.4). Both we and the
  // engine may have missed that it was off meanwhile; the time of its switching shows it.
  const switchTimes = () => new Map(providers.inService().map(({ id, switchedAt }) => [id, switchedAt]));
  let switched = switchTimes();
  providers.onChange(() => {
    const before = switched;
    switched = switchTimes();
    view.forgetProviders([...switched].flatMap(([id, at]) => (before.get(id) === at ? [] : [id])));
  });

  return {
    /** `undefined`: there is no engine to view. */
    view: engine.capabilities().telephony ? view : undefined,

    /** Something else that determines the desired state has changed. */
    changed: sync.changed,

    on<T extends EngineEvent['type']>(type: T, handle: (event: EventOf<T>) => Promise<void> | void): void {
      engine.listen((event) => {
        if (event.type === type) void (async () => handle(event as EventOf<T>))().catch(onError);
      });
    },

    /** Addresses that providers call from, if the engine resolved their names. */
    providerAddresses: (): string[] =>
      [...view.current().providers.values()].flatMap(({ addresses }) => addresses),

    async close(): Promise<void> {
      await sync.close();
      await view.close();
      await engine.close();
    },
  };
}
