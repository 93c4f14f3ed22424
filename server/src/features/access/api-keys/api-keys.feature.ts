import type { Limits } from '../../../http/admission.ts';
import type { Caller, KeyCaller } from '../../../http/caller.ts';
import type { Route } from '../../../http/route.ts';
import type { Router } from '../../../http/router.ts';
import type { SourceAddress } from '../../../http/source-address.ts';
import type { Clock } from '../../../lib/clock.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import type { Network } from '../../../lib/network.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { Sql } from '../../../store/sql/open.ts';
import type { Holdings } from '../../firewall/firewall-bouncer/holdings.ts';
import { apiKeyRoutes } from './api-keys.routes.ts';
import { createApiKeys } from './api-keys.service.ts';
import { createApiKeyStore } from './api-keys.store.ts';
import { bouncerItem } from './bouncers.schema.ts';
import { createBouncers, type LateBouncer } from './bouncers.ts';
import { createKeyAuth, createKeyHash, type KeyAuthParts, rightsOf } from './key-auth.ts';
import { createKeyExplanations, keyExplanationRoute } from './key-explanation.ts';
import { createKeySnippets } from './key-snippets.ts';
import { createKeyUse } from './key-use.ts';
import { createPollEvents } from './poll-events.ts';
import { createPollIntervals } from './poll-intervals.ts';
import { createPresets } from './presets.ts';

interface ApiKeyFeatureParts {
  readonly sql: Sql;
  /** Secret of the keyed hash under which API keys are stored. */
  readonly secret: Buffer;
  readonly clock: Clock;
  /** Measures how long something lasts (ADR 28). */
  readonly steady: Clock;
  /** What each key received last. */
  readonly holdings: Holdings;
  readonly timezone: string;
  readonly compileFilter: KeyAuthParts['compileFilter'];
  readonly filterExists: (id: number) => Promise<boolean>;
  /** The name by which an operator recognises a filter; `undefined` when it does not exist. */
  readonly describeFilter: (id: string) => string | undefined;
  /** Whether this path can be granted. */
  readonly isDeclared: (path: string) => boolean;
  /** All present routes, including those of modules. */
  readonly routes: () => readonly Route[];
  readonly router: () => Router;
  readonly limits: Limits;
  readonly sourceAt: (address: Network) => SourceAddress;
  /** The origin of the service when the request does not name one. */
  readonly ownOrigin: string;
  readonly onDeleted: (keyId: string) => Promise<void>;
  readonly events: EventLog;
  readonly onError: (error: unknown) => void;
  /** Called when the state of bouncers cannot be published. */
  readonly onPollsUntold: (error: unknown) => void;
}

/** API keys of programs, and how they are used. */
export function createApiKeyFeature(parts: ApiKeyFeatureParts) {
  const { sql, secret, clock, timezone, compileFilter, filterExists, describeFilter, isDeclared } = parts;
  const store = createApiKeyStore(sql);
  const { steady, holdings } = parts;
  const intervals = createPollIntervals({ steady });
  const use = createKeyUse({ store, clock, intervals, onError: parts.onError });
  const bouncers = createBouncers({ holdings, intervals, clock, steady });
  const keyHash = createKeyHash(secret);
  const { routes, ownOrigin } = parts;
  const onDeleted = (id: string): Promise<void> => {
    intervals.forget(Number(id));
    polls.forget(id);
    return parts.onDeleted(id);
  };
  const presets = createPresets({ routes });
  const auth = createKeyAuth({ store, keyHash, use, compileFilter });
  const explain = createKeyExplanations({ ...parts, callerWith: auth.callerWith });
  const snippets = createKeySnippets({ presets, routes, ownOrigin });
  const keys = createApiKeys({ store, use, keyHash, clock, filterExists, isDeclared, onDeleted });
  const polls = createPollEvents({
    events: parts.events,
    clock,
    list: keys.list,
    async show(rows) {
      const statuses = await bouncers.statuses(rows);
      const when = (at: number | null) => (at === null ? '' : localDateTime(at, timezone));
      return new Map(
        rows.flatMap((row) => {
          const status = statuses.get(row.id);
          return status ? [[row.id, bouncerItem(row, status, when)]] : [];
        }),
      );
    },
    onError: parts.onPollsUntold,
  });
  return {
    routes: [
      ...apiKeyRoutes({ keys, bouncers, presets, snippets, timezone, describeFilter }),
      keyExplanationRoute({ keys, explain }),
    ],
    identify: auth.identify,
    /** The callers whose key still has the rights of their first request. */
    async unchanged(callers: readonly KeyCaller[]): Promise<KeyCaller[]> {
      const rows = await store.findAll([...new Set(callers.map((caller) => caller.keyHash))]);
      return callers.filter(({ keyHash: hash, rights }) => {
        const row = rows.get(hash);
        return row !== undefined && rightsOf(row) === rights;
      });
    },
    list: keys.list,
    refuseOwnFilter: keys.refuseOwnFilter,
    descriptionOf: async ({ id }: KeyCaller): Promise<string> =>
      (await store.find(Number(id)))?.description ?? '',
    /** Describes the keys that are bound to this filter. */
    usersOfFilter: async (filterId: number): Promise<string[]> =>
      (await store.boundTo(String(filterId))).map((name) => `API key "${name}"`),

    notePoll(caller: Caller | undefined, address: string, userAgent: string): void {
      if (caller?.kind !== 'api_key') return;
      use.polled(Number(caller.id), address, userAgent);
      polls.polled(Number(caller.id), address, userAgent);
    },

    async keepMetrics(caller: Caller | undefined, report: object): Promise<void> {
      if (caller?.kind === 'api_key') await use.reported(Number(caller.id), report);
    },
    lateBouncers: async (): Promise<LateBouncer[]> => bouncers.late(await keys.list()),
    async close(): Promise<void> {
      await polls.close();
      await use.close();
    },
  };
}
