import Type from 'typebox';
import { holds } from '../../../http/access.ts';
import type { Caller } from '../../../http/caller.ts';
import { boolean, described, queryFlag } from '../../../http/fields.ts';
import { pageFields, pageOf } from '../../../http/page.ts';
import { type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import { ProviderListItem, ProviderRecord, ProviderSwitch } from './provider-answers.schema.ts';
import { listItem, type RecordView, recordOf } from './provider-record.ts';
import { providerStatusRoutes } from './provider-status.routes.ts';
import type { ProviderStatuses } from './provider-statuses.service.ts';
import { type SipProvider, unserved } from './sip-provider.ts';
import { providerId } from './sip-providers.schema.ts';
import type { SipProviders } from './sip-providers.service.ts';

export interface CommonRouteParts {
  readonly resource: Resource;
  /** `/sip-providers` or `/providers`. */
  readonly path: string;
  readonly providers: SipProviders;
  readonly statuses: ProviderStatuses;
  readonly describeFilter: RecordView['describeFilter'];
}

/** Shows a record as this caller may see it. */
export const createRecordView =
  ({ resource, describeFilter }: Pick<CommonRouteParts, 'resource' | 'describeFilter'>) =>
  (provider: SipProvider, caller: Caller | undefined) =>
    recordOf(provider, {
      mayWrite: caller !== undefined && holds(caller, resource.path, 'write'),
      describeFilter,
    });

/** Reading, watching and switching: the same under both resources (contract 4.1). */
export function commonProviderRoutes(parts: CommonRouteParts): Route[] {
  const { resource, path, providers } = parts;
  const read = reads(resource);
  const one = { id: providerId, find: providers.find } as const;
  const view = createRecordView(parts);

  return [
    ...providerStatusRoutes(parts),
    route({
      method: 'GET',
      path,
      function: 'getList',
      access: read,
      summary: 'List the providers',
      query: {
        ...pageFields,
        includeDisabled: described(queryFlag(false), 'Include disabled providers'),
      },
      answer: Type.Array(ProviderListItem),
      handle: async ({ query }) => pageOf(await providers.list(query.includeDisabled), query).map(listItem),
    }),
    route({
      method: 'GET',
      path: `${path}/{id}`,
      function: 'getRecord',
      access: read,
      summary: 'Read a provider',
      ...one,
      answer: ProviderRecord,
      handle({ found, caller, warn }) {
        for (const warning of unserved(found)) warn(warning);
        return view(found, caller);
      },
    }),
    route({
      method: 'POST',
      path: `${path}/{id}:updateStatus`,
      function: 'updateStatus',
      access: writes(resource),
      summary: 'Enable or disable a provider',
      ...one,
      body: { disabled: boolean },
      answer: ProviderSwitch,
      async handle({ found, body: { disabled }, warn }) {
        const { provider, warnings } = await providers.patch(found, { disabled });
        for (const warning of warnings) warn(warning);
        return {
          id: provider.id,
          type: 'SIP',
          disabled: provider.disabled,
          description: provider.description,
        };
      },
    }),
  ];
}
