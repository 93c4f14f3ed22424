import Type from 'typebox';
import {
  boolean,
  custom,
  described,
  FieldProblem,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../../http/fields.ts';
import type { BouncerOptions } from '../../../lib/bouncer-options.ts';
import { BouncerOptionsShape, ClientShape, clientField, optionsField } from './bouncer-options.ts';
import { BouncerShape } from './bouncers.schema.ts';
import { type Grants, grantsField } from './grants.ts';
import { PRESET_IDS } from './presets.ts';
import { BOUNCER_SNIPPETS } from './snippets/snippets.ts';

export const ApiKeyListItem = Type.Object(
  {
    id: Type.String(),
    description: Type.String(),
    key_display: Type.String(),
    has_key: Type.Boolean(),
    full_permissions: Type.Boolean(),
    allowed_paths_count: Type.Integer(),
    has_network_filter: Type.Boolean(),
    networkfilter_represent: Type.String(),
    represent: Type.String(),
    created_at: Type.String(),
    last_used_at: Type.String(),
    client: ClientShape,
    bouncer_options: BouncerOptionsShape,
    bouncer: Type.Union([Type.Null(), BouncerShape]),
  },
  { $id: 'ApiKeyListItem' },
);
export const ApiKeyItem = Type.Object(
  {
    ...ApiKeyListItem.properties,
    networkfilterid: Type.String(),
    allowed_paths: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { $id: 'ApiKey' },
);
export const SnippetShape = Type.Object(
  {
    id: Type.Enum([...BOUNCER_SNIPPETS]),
    label: Type.String(),
    filename: Type.String(),
    text: Type.String({ description: 'Contains the key; save it unchanged' }),
  },
  {
    $id: 'KeySnippet',
    examples: [
      {
        id: 'curl',
        label: 'curl, one poll',
        filename: 'poll.sh',
        text: "curl -H 'X-Api-Key: 6d0f…' 'https://pbx.example/pbxcore/api/v3/firewall-bouncer/v1/decisions/stream'\n",
      },
    ],
  },
);
export const PresetShape = Type.Object(
  {
    id: Type.Enum([...PRESET_IDS]),
    label: Type.String(),
    description: Type.String(),
    allowed_paths: Type.Record(Type.String(), Type.Enum(['read', 'write'])),
    suggests: Type.Object({
      networkfilter: Type.Boolean({
        description: 'Such a program runs in one place: bind its key to that address',
      }),
    }),
    snippets: Type.Array(Type.Enum([...BOUNCER_SNIPPETS]), {
      description: 'Ids of the `snippets` returned when a key is created with this preset',
    }),
  },
  {
    $id: 'KeyPreset',
    examples: [
      {
        id: 'monitoring',
        label: 'Monitoring',
        description: 'Watches registrations, providers and active calls',
        allowed_paths: { '/api/v3/sip': 'read', '/api/v3/pbx-status': 'read' },
        suggests: { networkfilter: true },
        snippets: ['curl'],
      },
    ],
  },
);
export const CreatedApiKey = Type.Object(
  {
    ...ApiKeyItem.properties,
    key: Type.Optional(Type.String({ description: 'Shown once, and only if the service generated it' })),
    snippets: Type.Array(SnippetShape, {
      description: 'Ready-to-use texts that contain the key; shown once, like the key',
    }),
  },
  { $id: 'CreatedApiKey' },
);

const NETWORK_FILTER_ID = {
  type: ['string', 'integer'],
  pattern: '^(none|localhost|\\d+)$',
  description:
    'Where the key may be used from: `none` (anywhere), `localhost`, or the id of a network filter',
};

/** The fields of a key, also used by the command line. */
export const apiKeyFields = {
  description: text({ min: 1, max: 255 }),
  key: described(
    optional(
      text({
        min: 32,
        max: 255,
        untrimmed: true,
        pattern: { test: /^[\x21-\x7e]*$/, says: 'printable characters without space' },
      }),
    ),
    'A key of your own choice, never shown again; without it, one is generated',
  ),
  full_permissions: described(withDefault(boolean, false), 'Allow everything; `allowed_paths` is discarded'),
  allowed_paths: described(
    withDefault<Grants>(grantsField, new Map(), {}),
    'Level per resource, as an object or as JSON text',
  ),
  networkfilterid: withDefault(
    custom<string>(NETWORK_FILTER_ID, (value) => {
      const id = typeof value === 'number' ? String(value) : value;
      if (typeof id !== 'string' || !/^(none|localhost|\d{1,9})$/.test(id)) {
        throw new FieldProblem('must be none, localhost or the id of a network filter');
      }
      // The filter is looked up by its id as text, which has no leading zeros.
      return /^\d/.test(id) ? String(Number(id)) : id;
    }),
    'none',
  ),
  client: described(
    withDefault(clientField, ''),
    'The client that uses the key to read decisions: sets `bouncer_options` to what this client needs; empty: to the specified defaults',
  ),
  bouncer_options: described(
    withDefault<Partial<BouncerOptions>>(optionsField, {}),
    'Format of the decisions for this key; the options sent here override those that `client` sets',
  ),
};
export const newApiKeyFields = {
  ...apiKeyFields,
  preset: described(
    optional(oneOf(PRESET_IDS)),
    'Purpose of the key: sets `allowed_paths`, unless `allowed_paths` or `full_permissions` is sent',
  ),
  allowed_paths: described(
    optional(apiKeyFields.allowed_paths),
    'Level per resource, as an object or as JSON text. Default: the levels of the preset; without a preset, none',
  ),
  networkfilterid: described(
    optional(apiKeyFields.networkfilterid),
    `${NETWORK_FILTER_ID.description}. Default: that of the calling key; \`none\` for other callers`,
  ),
};
/** Clients that read a record and send it back with PUT include these. */
export const API_KEY_RESPONSE_FIELDS = [
  'id',
  'key_display',
  'has_key',
  'allowed_paths_count',
  'has_network_filter',
  'represent',
  'networkfilter_represent',
  'created_at',
  'last_used_at',
  'bouncer',
];
