import Type, { type Static } from 'typebox';
import { custom, described, integer, partly, text } from '../../../http/fields.ts';
import { type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import { isAllowEntry, readNetworks } from '../../../lib/network-list.ts';
import type { Settings } from '../../../store/sql/settings.ts';
import { BOUNDS, type Fail2BanStore } from './fail2ban.store.ts';

export const fail2banResource: Resource = {
  path: '/api/v3/fail2ban',
  label: 'Fail2Ban',
  description: 'Rules for bans after failed logins, and the addresses that are never banned',
  levels: ['read', 'write'],
};

const Rules = Type.Object(
  {
    maxretry: Type.Integer(),
    bantime: Type.Integer(),
    findtime: Type.Integer(),
    whitelist: Type.String(),
    PBXFirewallMaxReqSec: Type.String(),
    extensionsCount: Type.Integer(),
  },
  { $id: 'Fail2BanRules' },
);

const plainText = text({ max: 65_536, whiteSpace: true });
const requestLimit = text({ max: 9, pattern: { test: /^\d+$/, says: 'must be digits' } });

const fields = partly({
  maxretry: described(integer(BOUNDS.maxretry), 'Number of failures after which an address is banned'),
  bantime: described(integer(BOUNDS.bantime), 'Length of a ban in seconds'),
  findtime: described(integer(BOUNDS.findtime), 'Period in seconds within which failures are counted'),
  whitelist: described(
    plainText,
    'Never banned: addresses and CIDRs, separated by white space, comma or semicolon',
  ),
  PBXFirewallMaxReqSec: custom<string>({ type: ['string', 'integer'], pattern: '^\\d+$' }, (value) =>
    requestLimit.read(typeof value === 'number' ? String(value) : value),
  ),
});

interface Fail2BanRouteParts {
  readonly store: Fail2BanStore;
  readonly settings: Settings;
  readonly settleBans: () => Promise<void>;
  /** Lifts bans of networks that have just been allowed. */
  readonly sweep: () => Promise<void>;
  readonly countEmployees: () => Promise<number>;
}

/** One record; PUT and PATCH both write only what was sent (contract 7.4). */
export function fail2banRoutes({
  store,
  settings,
  settleBans,
  sweep,
  countEmployees,
}: Fail2BanRouteParts): Route[] {
  async function record(): Promise<Static<typeof Rules>> {
    const [rules, limit, extensionsCount] = await Promise.all([
      store.read(),
      settings.get('PBXFirewallMaxReqSec'),
      countEmployees(),
    ]);
    return { ...rules, PBXFirewallMaxReqSec: limit ?? '0', extensionsCount };
  }

  const write = (method: 'PUT' | 'PATCH') =>
    route({
      method,
      path: '/fail2ban',
      function: method === 'PUT' ? 'update' : 'patch',
      access: writes(fail2banResource),
      summary: 'Change the sent fields of the ban rules',
      body: fields,
      ignoredFields: ['extensionsCount', 'id'],
      answer: Rules,
      async handle({ body, warn, inform }) {
        const { PBXFirewallMaxReqSec, whitelist, ...numbers } = body;
        const allowed = whitelist === undefined ? {} : { whitelist: cleanWhitelist(whitelist, warn) };
        // Bans are lifted after the rules are stored; when the bans cannot be read, nothing is stored at all.
        await settleBans();
        await store.write({ ...(await store.read()), ...numbers, ...allowed }, PBXFirewallMaxReqSec);
        await sweep();
        inform('the rules are stored and in force');
        return record();
      },
    });

  return [
    route({
      method: 'GET',
      path: '/fail2ban',
      function: 'getRecord',
      access: reads(fail2banResource),
      summary: 'Read the ban rules',
      answer: Rules,
      handle: record,
    }),
    write('PUT'),
    write('PATCH'),
  ];
}

/** Joins the entries with one space; drops those that are unreadable or allow everyone, with a warning. */
function cleanWhitelist(whitelist: string, warn: (text: string) => void): string {
  const { networks, unreadable } = readNetworks(whitelist);
  const dropped = [
    ...unreadable,
    ...networks.filter((entry) => !isAllowEntry(entry)).map((entry) => entry.text),
  ];
  for (const entry of dropped.slice(0, 20))
    warn(`whitelist: ${entry} was left out, it is not an address to allow`);
  if (dropped.length > 20) warn(`whitelist: ${dropped.length - 20} more entries were left out`);
  return [...new Set(networks.filter(isAllowEntry).map((entry) => entry.text))].join(' ');
}
