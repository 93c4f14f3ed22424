import Type, { type Static } from 'typebox';
import { partly } from '../../../http/fields.ts';
import { pageFields, pageOf } from '../../../http/page.ts';
import { digits, type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import { AS_SPECIFIED } from '../../../lib/bouncer-options.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import { isSet } from '../../../store/sql/schema.ts';
import {
  API_KEY_RESPONSE_FIELDS,
  ApiKeyItem,
  ApiKeyListItem,
  apiKeyFields,
  CreatedApiKey,
  newApiKeyFields,
  PresetShape,
  SnippetShape,
} from './api-keys.schema.ts';
import { type ApiKeys, generateKey, inputOf } from './api-keys.service.ts';
import type { ApiKeyRow } from './api-keys.store.ts';
import { BouncerOptionsShape, ClientShape, keptOptions } from './bouncer-options.ts';
import { bouncerItem } from './bouncers.schema.ts';
import type { BouncerStatus, Bouncers } from './bouncers.ts';
import { parseGrants } from './grants.ts';
import type { KeySnippets } from './key-snippets.ts';
import type { Presets } from './presets.ts';
import { KEY_SHOWN_ONCE } from './snippets/snippet.ts';

export const apiKeyResource: Resource = {
  path: '/api/v3/api-keys',
  label: 'API Keys',
  description: 'Keys for programs, with a level per resource',
  levels: ['read', 'write'],
};

const NOT_STRONGER =
  'A key may do this only to keys that are not stronger than itself, both before and after the change. This applies to their levels ' +
  'and to where they may be used from: a key without a network filter is the strongest, and keys with different filters are not comparable.';

interface ApiKeyRouteParts {
  readonly keys: ApiKeys;
  readonly bouncers: Bouncers;
  readonly presets: Presets;
  readonly snippets: KeySnippets;
  readonly timezone: string;
  /** The name by which an operator recognises a filter; `undefined` when it does not exist. */
  readonly describeFilter: (id: string) => string | undefined;
}

export function apiKeyRoutes(parts: ApiKeyRouteParts): Route[] {
  const { keys, bouncers, presets, snippets, timezone, describeFilter } = parts;
  const read = reads(apiKeyResource);
  const write = writes(apiKeyResource);
  const shared = {
    id: digits,
    find: keys.find,
    ignoredFields: API_KEY_RESPONSE_FIELDS,
    answer: ApiKeyItem,
  } as const;
  const warned = <T extends { warnings: string[] }>(call: { warn(text: string): void }, result: T): T => {
    for (const warning of result.warnings) call.warn(warning);
    return result;
  };

  return [
    route({
      method: 'GET',
      path: '/api-keys',
      function: 'getList',
      access: read,
      summary: 'List the API keys',
      query: pageFields,
      answer: Type.Array(ApiKeyListItem),
      async handle({ query }) {
        const page = pageOf(await keys.list(), query);
        const statuses = await bouncers.statuses(page);
        return page.map((row) => listItem(row, statuses.get(row.id)));
      },
    }),
    route({
      method: 'GET',
      path: '/api-keys:getDefault',
      function: 'getDefault',
      access: read,
      summary: 'A new API key with its defaults, not stored',
      answer: Type.Object({
        id: Type.String(),
        description: Type.String(),
        full_permissions: Type.Boolean(),
        allowed_paths: Type.Record(Type.String(), Type.String()),
        networkfilterid: Type.String(),
        client: ClientShape,
        bouncer_options: BouncerOptionsShape,
      }),
      handle: async ({ caller }) => ({
        id: '',
        description: '',
        full_permissions: false,
        allowed_paths: {},
        networkfilterid: await keys.bindingFor(caller),
        client: '' as const,
        bouncer_options: AS_SPECIFIED,
      }),
    }),
    route({
      method: 'GET',
      path: '/api-keys:getPresets',
      function: 'getPresets',
      access: read,
      summary: 'List the presets for new API keys',
      answer: Type.Array(PresetShape),
      handle: () => presets.list(),
    }),
    route({
      method: 'POST',
      path: '/api-keys:generateKey',
      function: 'generateKey',
      storesNothing: true,
      access: write,
      summary: 'Generate a random key without storing it',
      answer: Type.Object({ key: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
      handle: () => ({ key: generateKey() }),
    }),
    route({
      method: 'POST',
      path: '/api-keys',
      function: 'create',
      access: write,
      summary: 'Create an API key; without `key`, one is generated and shown once',
      status: 201,
      description:
        'A key can grant only the levels that it holds itself. A key that is bound to a network filter creates keys bound to the same filter.',
      body: newApiKeyFields,
      ignoredFields: API_KEY_RESPONSE_FIELDS,
      answer: CreatedApiKey,
      errors: [409],
      async handle(call) {
        const { preset, ...sent } = call.body;
        // Contract 33.2: sent fields override the preset.
        const byPreset = preset && !sent.full_permissions ? presets.grantsOf(preset) : new Map();
        const input = { ...sent, allowed_paths: sent.allowed_paths ?? byPreset };
        const { row, key } = warned(call, await keys.create(input, call.caller));
        const texts = snippets({ id: String(row.id), made: inputOf(row), key, preset, origin: call.origin });
        return { ...(await item(row)), ...(key && { key }), snippets: texts };
      },
    }),
    route({
      method: 'GET',
      path: '/api-keys/{id}',
      function: 'getRecord',
      access: read,
      summary: 'Read an API key',
      ...shared,
      handle: ({ found }) => item(found),
    }),
    route({
      method: 'GET',
      path: '/api-keys/{id}:getSnippets',
      function: 'getSnippets',
      access: read,
      summary: 'Configuration snippets for an API key, without the key itself',
      ...shared,
      answer: Type.Array(SnippetShape),
      handle: ({ found, origin }) =>
        snippets({
          id: String(found.id),
          made: inputOf(found),
          key: KEY_SHOWN_ONCE,
          preset: undefined,
          origin,
        }),
    }),
    route({
      method: 'PUT',
      path: '/api-keys/{id}',
      function: 'update',
      access: write,
      summary: 'Replace an API key; the key itself stays unless sent',
      description: NOT_STRONGER,
      body: apiKeyFields,
      errors: [409],
      ...shared,
      handle: async (call) =>
        item(warned(call, await keys.update(call.found.id, call.body, call.caller)).row),
    }),
    route({
      method: 'PATCH',
      path: '/api-keys/{id}',
      function: 'patch',
      access: write,
      summary: 'Change the sent fields of an API key',
      description: NOT_STRONGER,
      body: partly(apiKeyFields),
      errors: [409],
      ...shared,
      handle: async (call) =>
        item(warned(call, await keys.update(call.found.id, call.body, call.caller)).row),
    }),
    route({
      method: 'DELETE',
      path: '/api-keys/{id}',
      function: 'delete',
      access: write,
      summary: 'Revoke an API key; its next request is refused',
      description: NOT_STRONGER,
      ...shared,
      answer: Type.Object({ deleted_id: Type.String() }),
      async handle({ found, caller }) {
        await keys.delete(found.id, caller);
        return { deleted_id: String(found.id) };
      },
    }),
  ];

  function listItem(row: ApiKeyRow, bouncer: BouncerStatus | undefined): Static<typeof ApiKeyListItem> {
    return {
      id: String(row.id),
      description: row.description,
      key_display: row.key_display,
      has_key: row.key_hash !== '',
      full_permissions: isSet(row.full_permissions),
      allowed_paths_count: parseGrants(row.allowed_paths).size,
      has_network_filter: row.networkfilterid !== 'none',
      networkfilter_represent: filterLabel(row.networkfilterid),
      represent: row.description,
      created_at: when(row.created_at),
      last_used_at: when(row.last_used_at),
      ...keptOptions(row),
      bouncer: bouncer ? bouncerItem(row, bouncer, when) : null,
    };
  }

  async function item(row: ApiKeyRow): Promise<Static<typeof ApiKeyItem>> {
    const statuses = await bouncers.statuses([row]);
    const { full_permissions: full, allowed_paths: grants } = inputOf(row);
    return {
      ...listItem(row, statuses.get(row.id)),
      networkfilterid: row.networkfilterid,
      // Only meaningful without full permissions (contract 2.7).
      ...(!full && { allowed_paths: Object.fromEntries(grants) }),
    };
  }

  function filterLabel(id: string): string {
    if (id === 'none') return 'No restriction';
    if (id === 'localhost') return 'This machine only';
    return describeFilter(id) ?? `Filter ${id} no longer exists: the key is refused everywhere`;
  }

  function when(at: number | null): string {
    return at === null ? '' : localDateTime(at, timezone);
  }
}
