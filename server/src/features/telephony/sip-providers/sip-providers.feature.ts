import type { Kysely } from 'kysely';
import type { Resource, Route } from '../../../http/route.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { commonProviderRoutes } from './common-provider.routes.ts';
import { createProviderHistoryStore } from './provider-history.store.ts';
import { represent } from './provider-record.ts';
import type { ProviderStates } from './provider-states.ts';
import { createProviderStatuses } from './provider-statuses.service.ts';
import { sipProviderRoutes } from './sip-providers.routes.ts';
import { createSipProviders } from './sip-providers.service.ts';
import type { SipProviderStore } from './sip-providers.store.ts';

interface SipProviderFeatureParts {
  readonly db: Kysely<Database>;
  readonly store: SipProviderStore;
  readonly states: ProviderStates;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly filterExists: (id: number) => Promise<boolean>;
  readonly describeFilter: (id: string) => string | undefined;
  readonly unusedAttributes: (text: string) => string[];
}

/** SIP providers as a whole: their routes, and what `/providers` needs. */
export function createSipProviderFeature(parts: SipProviderFeatureParts) {
  const { db, store, states, clock, onError, filterExists, describeFilter, unusedAttributes } = parts;
  const history = createProviderHistoryStore({ db, clock });
  const statuses = createProviderStatuses({ store, history, states, clock, onError });
  const providers = createSipProviders({ store, statuses, clock, filterExists, unusedAttributes });
  const shared = { providers, statuses, describeFilter };
  return {
    routes: sipProviderRoutes(shared),
    common: {
      list: providers.list,
      represent,
      routes: (place: { resource: Resource; path: string }): Route[] =>
        commonProviderRoutes({ ...place, ...shared }),
    },
    statuses,
  };
}
