import Type from 'typebox';
import { partly, readFields } from '../../../http/fields.ts';
import { type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import { type CommonRouteParts, commonProviderRoutes, createRecordView } from './common-provider.routes.ts';
import { PROVIDER_RESPONSE_FIELDS, ProviderRecord } from './provider-answers.schema.ts';
import { forceCheckRoute } from './provider-status.routes.ts';
import { copyOf, type SipProvider } from './sip-provider.ts';
import { newProviderFields, providerFields, providerId } from './sip-providers.schema.ts';

export const sipProviderResource: Resource = {
  path: '/api/v3/sip-providers',
  label: 'SIP Providers',
  description: 'SIP trunks: create, edit, watch',
  levels: ['read', 'write'],
};

export function sipProviderRoutes(parts: Omit<CommonRouteParts, 'resource' | 'path'>): Route[] {
  const { providers } = parts;
  const place = { ...parts, resource: sipProviderResource, path: '/sip-providers' };
  const view = createRecordView(place);
  const read = reads(sipProviderResource);
  const write = writes(sipProviderResource);
  const one = {
    id: providerId,
    find: providers.find,
    ignoredFields: PROVIDER_RESPONSE_FIELDS,
    answer: ProviderRecord,
  } as const;
  const warned = <T extends { warnings: string[] }>(call: { warn(text: string): void }, saved: T): T => {
    for (const warning of saved.warnings) call.warn(warning);
    return saved;
  };

  return [
    ...commonProviderRoutes(place),
    forceCheckRoute(place),
    route({
      method: 'GET',
      path: '/sip-providers:getDefault',
      function: 'getDefault',
      access: read,
      summary: 'A new provider with its defaults, not stored',
      answer: ProviderRecord,
      handle: ({ caller }) => view(DEFAULT_PROVIDER, caller),
    }),
    route({
      method: 'GET',
      path: '/sip-providers/{id}:copy',
      function: 'copy',
      access: read,
      summary: 'A copy of a provider, without its secret, not stored',
      id: providerId,
      find: providers.find,
      answer: ProviderRecord,
      handle: ({ found, caller }) => view(copyOf(found), caller),
    }),
    route({
      method: 'POST',
      path: '/sip-providers',
      function: 'create',
      access: write,
      summary: 'Create a provider',
      status: 201,
      body: newProviderFields,
      ignoredFields: PROVIDER_RESPONSE_FIELDS,
      answer: ProviderRecord,
      errors: [409],
      handle: async (call) => view(warned(call, await providers.create(call.body)).provider, call.caller),
    }),
    route({
      method: 'PUT',
      path: '/sip-providers/{id}',
      function: 'update',
      access: write,
      summary: 'Replace a provider; an absent field returns to its default, an absent secret is kept',
      body: providerFields,
      ...one,
      handle: async (call) =>
        view(warned(call, await providers.replace(call.found, call.body)).provider, call.caller),
    }),
    route({
      method: 'PATCH',
      path: '/sip-providers/{id}',
      function: 'patch',
      access: write,
      summary: 'Change the sent fields of a provider',
      body: partly(providerFields),
      ...one,
      handle: async (call) =>
        view(warned(call, await providers.patch(call.found, call.body)).provider, call.caller),
    }),
    route({
      method: 'DELETE',
      path: '/sip-providers/{id}',
      function: 'delete',
      access: write,
      summary: 'Delete a provider; 409 while a route needs it',
      errors: [409],
      ...one,
      answer: Type.Object({ deleted_id: Type.String() }),
      async handle({ found }) {
        await providers.delete(found);
        return { deleted_id: found.id };
      },
    }),
  ];
}

/** Required fields are empty; the type is the usual one (contract 4.1). */
const DEFAULT_PROVIDER: SipProvider = {
  ...readFields(providerFields, { description: 'x', host: 'x' }).values,
  id: '',
  description: '',
  host: '',
  secret: '',
  registration_type: 'outbound',
  createdAt: 0,
  switchedAt: 0,
};
