import { custom, queryFlag, withDefault } from '../../../http/fields.ts';
import { type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import {
  ProviderHistory,
  ProviderStatistics,
  ProviderStatus,
  ProviderStatusMap,
} from './provider-answers.schema.ts';
import type { ProviderStatuses } from './provider-statuses.service.ts';
import { providerId } from './sip-providers.schema.ts';
import type { SipProviders } from './sip-providers.service.ts';

const ENGINE_LOST = 'the telephony engine cannot be reached; states are not known';
const seconds = (ms: number): number => Math.floor(ms / 1000);

const historyLimit = withDefault(
  custom(
    { type: 'integer', minimum: 1, maximum: 1000, description: 'Clamped to 1..1000, never refused' },
    (value) => (/^-?\d+$/.test(String(value)) ? Math.min(1000, Math.max(1, Number(value))) : 100),
  ),
  100,
);

interface StatusRouteParts {
  readonly resource: Resource;
  /** `/sip-providers` or `/providers`. */
  readonly path: string;
  readonly providers: Pick<SipProviders, 'find'>;
  readonly statuses: ProviderStatuses;
}

/** Reading the states of providers: the same under both resources (contract 4.4). */
export function providerStatusRoutes({ resource, path, providers, statuses }: StatusRouteParts): Route[] {
  const read = reads(resource);
  const one = { id: providerId, find: providers.find } as const;

  return [
    route({
      method: 'GET',
      path: `${path}:getStatuses`,
      function: 'getStatuses',
      access: read,
      summary: 'States of all providers, including disabled ones',
      query: { forceCheck: ignoredFlag(), refreshFromAmi: ignoredFlag() },
      answer: ProviderStatusMap,
      async handle({ warn }) {
        const { records, engineLost } = await statuses.statuses();
        if (engineLost) warn(ENGINE_LOST);
        return { sip: records, iax: {} };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{id}:getStatus`,
      function: 'getStatus',
      access: read,
      summary: 'State of a provider',
      ...one,
      answer: ProviderStatus,
      async handle({ found, warn }) {
        const { record, engineLost } = await statuses.statusOf(found);
        if (engineLost) warn(ENGINE_LOST);
        return record;
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{id}:getHistory`,
      function: 'getHistory',
      access: read,
      summary: 'Changes of the state of a provider',
      description: 'For a provider that does not exist, the history is empty; this is not an error.',
      id: providerId,
      query: { limit: historyLimit },
      answer: ProviderHistory,
      async handle({ id, query: { limit } }) {
        const moves = await statuses.history(id, limit);
        const events = moves.map(({ timestamp, state, previous }) => ({
          timestamp: seconds(timestamp),
          state,
          previousState: previous,
        }));
        return { provider: id, events, count: events.length, limit };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{id}:getStats`,
      function: 'getStats',
      access: read,
      summary: 'Availability and states of a provider over the last 30 days',
      ...one,
      answer: ProviderStatistics,
      async handle({ found }) {
        const { from, to, ...aggregated } = await statuses.statistics(found);
        const period = { from: seconds(from), to: seconds(to) };
        return { provider: found.id, aggregated, daily: [], period };
      },
    }),
  ];
}

/** Only under `/sip-providers`. */
export function forceCheckRoute({ resource, path, providers, statuses }: StatusRouteParts): Route {
  return route({
    method: 'POST',
    path: `${path}/{id}:forceCheck`,
    function: 'forceCheck',
    storesNothing: true,
    access: writes(resource),
    summary: 'Check the state of a provider now',
    id: providerId,
    find: providers.find,
    answer: ProviderStatus,
    async handle({ found, warn }) {
      const { record, engineLost } = await statuses.freshStatusOf(found);
      if (engineLost) warn(ENGINE_LOST);
      return record;
    },
  });
}

const ignoredFlag = () => {
  const flag = queryFlag(false);
  return { ...flag, schema: { ...flag.schema, description: 'Accepted, but has no effect' } };
};
