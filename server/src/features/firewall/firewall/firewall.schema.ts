import Type from 'typebox';
import {
  boolean,
  custom,
  described,
  FieldProblem,
  integer,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { SERVICES } from '../../../lib/firewall-services.ts';
import { type Network, parseAddress, parseNetwork } from '../../../lib/network.ts';
import { readNetworks } from '../../../lib/network-list.ts';
import { CATEGORIES } from '../bans/bans.store.ts';

const networkText = {
  type: 'string',
  description: 'IPv4 or IPv6 address or CIDR',
  examples: ['203.0.113.7'],
};

/** An address or CIDR; read as a `Network`. */
export const network = custom<Network>(networkText, (value) => {
  const parsed = typeof value === 'string' ? parseNetwork(value.trim()) : undefined;
  if (!parsed) throw new FieldProblem('must be an IPv4 or IPv6 address or CIDR');
  return parsed;
});

const address = custom<Network>({ type: 'string', description: 'IPv4 or IPv6 address' }, (value) => {
  const parsed = typeof value === 'string' ? parseAddress(value.trim()) : undefined;
  if (!parsed) throw new FieldProblem('must be an IPv4 or IPv6 address');
  return parsed;
});

const denyText = text({ max: 4096, whiteSpace: true });
const deny = custom<Network[]>(
  {
    type: 'string',
    maxLength: 4096,
    description: 'Addresses and CIDRs, separated by comma, semicolon or white space',
  },
  (value) => {
    const { networks, unreadable } = readNetworks(denyText.read(value));
    if (unreadable.length > 0)
      throw new FieldProblem(`not an address or CIDR: ${unreadable.slice(0, 5).join(', ')}`);
    return networks;
  },
);

const ruleSchema = {
  anyOf: [boolean.schema, { type: 'object', properties: { action: boolean.schema }, required: ['action'] }],
};
const currentRules = custom<Record<string, boolean>>(
  {
    type: 'object',
    properties: Object.fromEntries(SERVICES.map((name) => [name, ruleSchema])),
    additionalProperties: false,
  },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new FieldProblem('must be an object');
    return Object.fromEntries(
      Object.entries(value).map(([name, rule]) => {
        if (!SERVICES.some((service) => service === name)) {
          throw new FieldProblem(`unknown category, must be one of ${SERVICES.join(', ')}`);
        }
        return [
          name,
          boolean.read(typeof rule === 'object' && rule !== null ? Reflect.get(rule, 'action') : rule),
        ];
      }),
    );
  },
);

/** Contract 7.3. */
export const filterFields = {
  network: address,
  subnet: described(integer({ min: 0, max: 128 }), 'Prefix length: 0..32 for IPv4, 0..128 for IPv6'),
  deny: withDefault(deny, readNetworks('0.0.0.0/0').networks, '0.0.0.0/0'),
  description: withDefault(text({ max: 255 }), ''),
  newer_block_ip: described(
    withDefault(boolean, false),
    'Put the network on the allow-list, so that it is never blocked',
  ),
  local_network: described(withDefault(boolean, false), 'This is a local network'),
  priority: described(
    withDefault(integer({ min: -1_000_000, max: 1_000_000 }), 0),
    'Sort value for clients; the service itself does not use it',
  ),
  currentRules: described(
    withDefault(currentRules, {}),
    'Services open to the network, by name; a service that is not named is open',
  ),
};

export const FILTER_RESPONSE_FIELDS = ['id', 'permit', 'rules', 'permanent'] as const;

export const banFields = {
  ip: network,
  seconds: described(integer({ min: 1, max: 31_536_000 }), 'Length of the ban, counted from now'),
  category: described(withDefault(oneOf(CATEGORIES), 'sip'), 'Service that was attacked'),
  confirm: described(
    withDefault(boolean, false),
    'Must be true for a range wider than /8 (IPv6: /32); otherwise ignored',
  ),
  note: described(withDefault(text({ max: 200 }), ''), 'Reason, shown in the list of bans'),
};

export const unbanFields = {
  ip: network,
  category: described(optional(oneOf(CATEGORIES)), 'Only bans of this category. Default: all'),
};

export const FilterRecord = Type.Object(
  {
    id: Type.String(),
    network: Type.String(),
    subnet: Type.Integer(),
    permit: Type.String(),
    deny: Type.String(),
    description: Type.String(),
    newer_block_ip: Type.Boolean(),
    local_network: Type.Boolean(),
    priority: Type.Integer(),
    rules: Type.Record(
      Type.String(),
      Type.Object({
        name: Type.String(),
        action: Type.Boolean(),
        ports: Type.Array(Type.Never(), { description: 'Always empty', maxItems: 0 }),
      }),
    ),
    permanent: Type.Boolean(),
  },
  { $id: 'FirewallRecord' },
);

export const FilterList = Type.Object({
  items: Type.Array(FilterRecord),
  total: Type.Integer(),
  firewallEnabled: Type.Boolean(),
  fail2banEnabled: Type.Boolean(),
  invalidEntries: Type.Array(Type.Object({ source: Type.String(), text: Type.String() })),
});

const BanReasonShape = Type.Object(
  {
    failures: Type.Integer({
      minimum: 0,
      description: 'Number of failed attempts; 0: banned by hand',
    }),
    accounts: Type.Array(Type.String(), {
      maxItems: 5,
      description: 'Accounts used in the failed logins, most frequent first',
    }),
    note: Type.String({ description: 'Note of the person or program that banned it by hand' }),
    by: Type.String({ description: 'Who banned it by hand: login of a person, `key <id>` or `module <id>`' }),
  },
  { $id: 'BanReason', description: 'Why it was banned; null if another program banned it' },
);

export const BannedIps = Type.Record(
  Type.String(),
  Type.Object({
    country: Type.String(),
    countryName: Type.String(),
    bans: Type.Array(
      Type.Object({
        jail: Type.String(),
        timeofban: Type.Integer(),
        timeunban: Type.Integer(),
        v: Type.String(),
        category: Type.String(),
        permanent: Type.Boolean(),
        reason: Type.Union([Type.Null(), BanReasonShape]),
      }),
    ),
  }),
);

export const BanResult = Type.Object(
  {
    ip: Type.String(),
    category: Type.String(),
    seconds: Type.Integer(),
    expiresAt: Type.Integer({ description: 'Unix seconds' }),
  },
  { $id: 'BanResult' },
);

export const UnbanResult = Type.Object(
  {
    ip: Type.String(),
    lifted: Type.Array(Type.String()),
    stillDenied: Type.Array(
      Type.String({
        description: 'Id of a network filter whose exported deny entries still cover the address or range',
      }),
    ),
  },
  { $id: 'UnbanResult' },
);

export const Explanation = Type.Object(
  {
    ip: Type.String(),
    verdict: Type.Enum(['allowed', 'blocked', 'clear']),
    enforced: Type.Enum(['blocked', 'clear'], {
      description: 'Verdict of a client that does not subtract the allow-list',
    }),
    bans: Type.Array(
      // The decision sent to bouncers, with its source.
      Type.Object({
        id: Type.Integer(),
        origin: Type.String(),
        type: Type.String(),
        scope: Type.String(),
        value: Type.String(),
        duration: Type.String(),
        scenario: Type.String(),
        source: Type.Object({
          redisKey: Type.Optional(Type.String()),
          networkFilterId: Type.Optional(Type.String()),
        }),
      }),
    ),
    whitelist: Type.Array(
      Type.Object({
        entry: Type.String(),
        source: Type.String(),
        networkFilterId: Type.Optional(Type.String()),
      }),
    ),
    filters: Type.Array(
      Type.Object({
        networkFilterId: Type.String(),
        list: Type.Enum(['permit', 'deny']),
        entry: Type.String(),
      }),
    ),
  },
  { $id: 'Explanation' },
);
