import type { EngineStatus } from '../../engine/asterisk/process/engine-status.ts';
import type { EngineView } from '../../engine/engine-view.ts';
import { remembered, type StatusSource } from '../../store/events/status-teller.ts';
import type { ConfiguredEngine } from './engine.ts';
import type { Sip } from './sip/sip.service.ts';
import type { ProviderStatuses } from './sip-providers/provider-statuses.service.ts';

/** What this node publishes: its own engine; that there is none; or that the node with the engine is silent. */
export type Speaking = { readonly of: 'own' | 'none' } | { readonly of: 'unheard'; readonly since: number };
/** `undefined`: another node publishes. */
export type SpeakingFor = () => Promise<Speaking | undefined>;

/** Who can be reached, as `sip:getStatuses` shows it. */
export function extensionSource(sip: Pick<Sip, 'statuses'>, speaking: SpeakingFor): StatusSource {
  const comparableOf = (record: object): object => withoutTimes(record as Phone);
  const phonesOf = remembered(
    (data: object) =>
      new Map(
        Object.entries(data as Record<string, Phone>).map(([number, record]) => [
          number,
          { record, comparable: lazily(() => withoutTimes(record)) },
        ]),
      ),
  );
  return {
    topic: 'extensions',
    event: 'extension',
    async read() {
      if (!(await speaking())) return undefined;
      const { data } = await sip.statuses(false);
      return phonesOf(data);
    },
    gone: (extension) => ({ extension, deleted: true }),
    comparableOf,
  };
}

/** States of providers, as `sip-providers:getStatuses` shows them. */
export function providerSource(
  statuses: Pick<ProviderStatuses, 'statuses'>,
  speaking: SpeakingFor,
): StatusSource {
  const comparableOf = (record: object): object => ({ ...record, ...UNCOUNTED });
  return {
    topic: 'providers',
    event: 'provider',
    async read() {
      if (!(await speaking())) return undefined;
      const { records } = await statuses.statuses();
      return new Map(
        Object.entries(records).map(([id, record]) => [id, { record, comparable: comparableOf(record) }]),
      );
    },
    gone: (id) => ({ id, deleted: true }),
    comparableOf,
  };
}

/** Values that change without anything having happened. */
const UNCOUNTED = { lastUpdate: 0, stateDuration: 0, rtt: null };

type Phone = { devices: { rtt: unknown }[]; rtt: unknown };
const withoutTimes = (record: Phone): object => ({
  ...record,
  rtt: null,
  devices: record.devices.map((device) => ({ ...device, rtt: null })),
});

/** Made only when needed: of thousands of phones, most are the same object as before. */
const lazily = (make: () => object): object => ({ toJSON: make });

interface EngineSourceParts {
  readonly view: EngineView | undefined;
  readonly configured: ConfiguredEngine | undefined;
  readonly speaking: SpeakingFor;
}

/** The engine as `engine status` shows it, without what is only of use on its machine. */
export function engineSource({ view, configured, speaking }: EngineSourceParts): StatusSource {
  function status(ours: Speaking): EngineRecord {
    if (ours.of === 'unheard') return { state: 'away', since: new Date(ours.since).toISOString() };
    if (!configured) {
      const since = view?.current().awaySince;
      if (!view?.hasEngine()) return { state: 'none' };
      return since === undefined ? { state: 'up' } : { state: 'away', since: new Date(since).toISOString() };
    }
    const { state, since, installation, appliedAt, fetch, lastError, restarts } = configured.status();
    return {
      state,
      ...(since && { since }),
      ...(installation && { version: installation.version }),
      ...(appliedAt && { appliedAt }),
      ...(fetch && { fetch }),
      ...(lastError && { lastError }),
      ...(restarts && { restarts }),
    };
  }
  // A fetch is published once per megabyte, not per piece.
  const comparableOf = ({ fetch, ...rest }: EngineRecord): object => ({
    ...rest,
    ...(fetch && { fetch: [fetch.step, Math.floor(fetch.doneMb)] }),
  });
  return {
    topic: 'engine',
    event: 'engine',
    async read() {
      const ours = await speaking();
      if (!ours) return undefined;
      const record = status(ours);
      return new Map([['engine', { record, comparable: comparableOf(record) }]]);
    },
    gone: () => undefined,
    comparableOf: (record) => comparableOf(record as EngineRecord),
  };
}

type EngineRecord = Pick<EngineStatus, 'state'> & {
  readonly since?: string;
  readonly version?: string;
  readonly appliedAt?: string;
  readonly fetch?: EngineStatus['fetch'];
  readonly lastError?: string;
  readonly restarts?: number;
};
