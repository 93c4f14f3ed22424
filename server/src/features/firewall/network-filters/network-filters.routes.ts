import Type from 'typebox';
import { optional, queryFlag, text } from '../../../http/fields.ts';
import { DEFAULT_LIMIT, pageFields, pageOf } from '../../../http/page.ts';
import { digits, type Resource, type Route, reads, route } from '../../../http/route.ts';
import { NotFound } from '../../../lib/errors.ts';
import { isOpen, SERVICES } from '../../../lib/firewall-services.ts';
import { isSet } from '../../../store/sql/schema.ts';
import type { NetworkFilter, NetworkFilterStore } from './network-filters.store.ts';

export const networkFilterResource: Resource = {
  path: '/api/v3/network-filters',
  label: 'Network Filters',
  description: 'Network filters to choose from; edit them under Firewall',
  levels: ['read'],
};

const Item = Type.Object(
  {
    id: Type.String(),
    permit: Type.String(),
    description: Type.String(),
    represent: Type.String(),
    active_rules: Type.Array(Type.String()),
    search_index: Type.String(),
  },
  { $id: 'NetworkFilterListItem' },
);
const Filter = Type.Object(
  {
    id: Type.String(),
    permit: Type.String(),
    deny: Type.String(),
    description: Type.String(),
    newer_block_ip: Type.Boolean(),
    local_network: Type.Boolean(),
    rules: Type.Record(Type.String(), Type.Boolean()),
    represent: Type.String(),
    search_index: Type.String(),
  },
  { $id: 'NetworkFilter' },
);
const Choice = Type.Object(
  {
    value: Type.String(),
    represent: Type.String(),
    name: Type.String(),
    text: Type.String(),
    network: Type.Optional(Type.String()),
  },
  { $id: 'NetworkFilterChoice' },
);

/** Read-only: any write is 405 (contract 7.1). */
export function networkFilterRoutes({ filters }: { filters: NetworkFilterStore }): Route[] {
  const access = reads(networkFilterResource);
  return [
    route({
      method: 'GET',
      path: '/network-filters',
      function: 'getList',
      access,
      summary: 'List the network filters',
      query: { ...pageFields, search: optional(text({ max: 255 })) },
      answer: Type.Object({
        items: Type.Array(Item),
        total: Type.Integer(),
        offset: Type.Integer(),
        limit: Type.Integer(),
      }),
      async handle({ query }) {
        const wanted = (query.search ?? '').toLowerCase();
        const found = (await filters.settle()).filter((filter) => searchIndex(filter).includes(wanted));
        const items = pageOf(found, query).map((filter) => ({
          id: String(filter.id),
          permit: filter.permit ?? '',
          description: filter.description ?? '',
          represent: represent(filter),
          active_rules: SERVICES.filter((name) => isOpen(filter.rules, name)),
          search_index: searchIndex(filter),
        }));
        const limit = query.limit ?? (query.offset === undefined ? found.length : DEFAULT_LIMIT);
        return { items, total: found.length, offset: query.offset ?? 0, limit };
      },
    }),
    route({
      method: 'GET',
      path: '/network-filters:getForSelect',
      function: 'getForSelect',
      access,
      summary: 'Network filters as choices for a form',
      query: { includeLocalhost: queryFlag(false) },
      answer: Type.Array(Choice),
      async handle({ query }) {
        const fixed = query.includeLocalhost ? [NONE, LOCALHOST] : [NONE];
        const rows = (await filters.settle()).map((filter) => ({
          ...choice(String(filter.id), represent(filter)),
          network: filter.permit ?? '',
        }));
        return [...fixed, ...rows];
      },
    }),
    route({
      method: 'GET',
      path: '/network-filters/{id}',
      function: 'getRecord',
      access,
      summary: 'Read a network filter',
      id: digits,
      async find(id) {
        const filter = await filters.find(Number(id));
        if (!filter) throw new NotFound(`network filter ${id} not found`);
        return filter;
      },
      answer: Filter,
      handle: ({ found }) => ({
        id: String(found.id),
        permit: found.permit ?? '',
        deny: found.deny ?? '',
        description: found.description ?? '',
        newer_block_ip: isSet(found.newer_block_ip),
        local_network: isSet(found.local_network),
        rules: Object.fromEntries(SERVICES.map((name) => [name, isOpen(found.rules, name)])),
        represent: represent(found),
        search_index: searchIndex(found),
      }),
    }),
  ];
}

const choice = (value: string, label: string) => ({ value, represent: label, name: label, text: label });
const NONE = choice('none', 'No restriction');
const LOCALHOST = choice('localhost', 'This machine only');

/** The name by which an operator recognises a filter. */
export const represent = (filter: NetworkFilter): string =>
  filter.description ? `${filter.description} (${filter.permit ?? ''})` : (filter.permit ?? '');

const searchIndex = (filter: NetworkFilter): string =>
  `${filter.description ?? ''} ${filter.permit ?? ''}`.toLowerCase();
