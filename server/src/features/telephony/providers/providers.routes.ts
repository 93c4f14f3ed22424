import Type from 'typebox';
import { described, queryFlag } from '../../../http/fields.ts';
import { type Resource, type Route, reads, route } from '../../../http/route.ts';
import type { SipProvider } from '../sip-providers/sip-provider.ts';

export const providerResource: Resource = {
  path: '/api/v3/providers',
  label: 'Providers',
  description: 'Providers of all kinds: read, enable, disable',
  levels: ['read', 'write'],
};

const Choice = Type.Object(
  { value: Type.String(), name: Type.String(), text: Type.String(), type: Type.Literal('SIP') },
  { $id: 'ProviderChoice' },
);

interface ProviderRouteParts {
  readonly list: (includeDisabled: boolean) => Promise<SipProvider[]>;
  readonly represent: (provider: SipProvider) => string;
  /** Routes of `/sip-providers` common to all kinds, declared for this resource. */
  readonly routes: (place: { resource: Resource; path: string }) => Route[];
}

/** All kinds of providers, of which SIP is the only one. Each is created and edited as its own kind (contract 4.1). */
export function providerRoutes({ list, represent, routes }: ProviderRouteParts): Route[] {
  return [
    ...routes({ resource: providerResource, path: '/providers' }),
    route({
      method: 'GET',
      path: '/providers:getForSelect',
      function: 'getForSelect',
      access: reads(providerResource),
      summary: 'Providers as choices for a form',
      query: { includeDisabled: described(queryFlag(false), 'Include disabled providers') },
      answer: Type.Array(Choice),
      async handle({ query }) {
        const providers = await list(query.includeDisabled);
        return providers.map((provider) => {
          const label = represent(provider);
          return { value: provider.id, name: label, text: label, type: 'SIP' as const };
        });
      },
    }),
  ];
}
