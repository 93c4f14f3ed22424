import type { Static } from 'typebox';
import Type from 'typebox';
import { callerText } from '../../../http/caller.ts';
import { partly } from '../../../http/fields.ts';
import { pageFields, pageOf } from '../../../http/page.ts';
import { digits, type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import { decisionObject } from '../firewall-bouncer/decision.ts';
import type { NetworkFilterFields } from '../network-filters/network-filters.store.ts';
import { fromFields, patched, toRecord } from './filter-record.ts';
import {
  BannedIps,
  BanResult,
  banFields,
  Explanation,
  FILTER_RESPONSE_FIELDS,
  FilterList,
  FilterRecord,
  filterFields,
  network,
  UnbanResult,
  unbanFields,
} from './firewall.schema.ts';
import type { Firewall } from './firewall.service.ts';

export const firewallResource: Resource = {
  path: '/api/v3/firewall',
  label: 'Firewall',
  description: 'Network filters, bans, and why an address is blocked',
  levels: ['read', 'write'],
};

const NOT_OWN = 'Not allowed for an API key that is bound to this filter.';

const Switches = Type.Object({ firewallEnabled: Type.Boolean() });

export function firewallRoutes({ firewall }: { firewall: Firewall }): Route[] {
  const shared = {
    id: digits,
    find: firewall.find,
    ignoredFields: FILTER_RESPONSE_FIELDS,
    answer: FilterRecord,
  } as const;
  const read = reads(firewallResource);
  const write = writes(firewallResource);

  const saved = async (
    call: { warn(text: string): void },
    save: Promise<{ id: number; warnings: string[] }>,
  ): Promise<Static<typeof FilterRecord>> => {
    const { id, warnings } = await save;
    for (const warning of warnings) call.warn(warning);
    return toRecord(await firewall.find(String(id)));
  };

  const switched = (action: 'enable' | 'disable') =>
    route({
      method: 'POST',
      path: `/firewall:${action}`,
      function: action,
      access: write,
      summary: `${action === 'enable' ? 'Switch the firewall on' : 'Switch the firewall off'}; the export continues unchanged`,
      answer: Switches,
      async handle() {
        await firewall.switchFirewall(action === 'enable');
        return { firewallEnabled: action === 'enable' };
      },
    });

  return [
    route({
      method: 'GET',
      path: '/firewall',
      function: 'getList',
      access: read,
      summary: 'List the network filters, including entries that cannot be read',
      query: pageFields,
      answer: FilterList,
      async handle({ query }) {
        const [filters, switches, invalidEntries] = await Promise.all([
          firewall.list(),
          firewall.switches(),
          firewall.invalidEntries(),
        ]);
        return {
          items: pageOf(filters, query).map(toRecord),
          total: filters.length,
          ...switches,
          invalidEntries,
        };
      },
    }),
    route({
      method: 'GET',
      path: '/firewall:getDefault',
      function: 'getDefault',
      access: read,
      summary: 'A new network filter with its defaults, not stored',
      answer: FilterRecord,
      handle: () => DEFAULT_RECORD,
    }),
    route({
      method: 'GET',
      path: '/firewall/{id}',
      function: 'getRecord',
      access: read,
      summary: 'Read a network filter',
      ...shared,
      handle: ({ found }) => toRecord(found),
    }),
    route({
      method: 'POST',
      path: '/firewall',
      function: 'create',
      access: write,
      summary: 'Create a network filter',
      status: 201,
      body: filterFields,
      ignoredFields: FILTER_RESPONSE_FIELDS,
      answer: FilterRecord,
      errors: [409],
      handle: (call) => saved(call, firewall.create(fromFields(call.body))),
    }),
    route({
      method: 'PUT',
      path: '/firewall/{id}',
      function: 'update',
      access: write,
      summary: 'Replace a network filter',
      description: NOT_OWN,
      body: filterFields,
      errors: [409],
      ...shared,
      handle: (call) => saved(call, firewall.update(call.found.id, fromFields(call.body), call.caller)),
    }),
    route({
      method: 'PATCH',
      path: '/firewall/{id}',
      function: 'patch',
      access: write,
      summary: 'Change the sent fields of a network filter',
      description: NOT_OWN,
      body: partly(filterFields),
      errors: [409],
      ...shared,
      handle: (call) =>
        saved(call, firewall.update(call.found.id, patched(call.found, call.body), call.caller)),
    }),
    route({
      method: 'DELETE',
      path: '/firewall/{id}',
      function: 'delete',
      access: write,
      summary: 'Delete a network filter that nothing refers to',
      description: NOT_OWN,
      errors: [409],
      ...shared,
      answer: Type.Object({ id: Type.String() }),
      async handle({ found, caller }) {
        await firewall.delete(found.id, caller);
        return { id: String(found.id) };
      },
    }),
    switched('enable'),
    switched('disable'),
    route({
      method: 'GET',
      path: '/firewall:getBannedIps',
      function: 'getBannedIps',
      access: read,
      summary: 'Current bans, keyed by address',
      answer: BannedIps,
      handle: async () => bannedIps(await firewall.bannedIps()),
    }),
    route({
      method: 'POST',
      path: '/firewall:banIp',
      function: 'banIp',
      storesNothing: true,
      access: write,
      summary: 'Ban an address or range for a time',
      body: banFields,
      answer: BanResult,
      errors: [409, 422],
      async handle({ body: { ip, category, seconds, confirm, note }, caller, warn }) {
        const by = callerText(caller);
        const { expiresAt, warnings } = await firewall.ban(ip, category, seconds, confirm, { note, by });
        for (const warning of warnings) warn(warning);
        return { ip: ip.text, category, seconds, expiresAt };
      },
    }),
    route({
      method: 'POST',
      path: '/firewall:unbanIp',
      function: 'unbanIp',
      storesNothing: true,
      access: write,
      summary: 'Lift the bans of an address or range',
      description:
        'Lifts the bans of exactly this value and resets its failure count; a warning names wider bans that still cover it.',
      body: unbanFields,
      answer: UnbanResult,
      async handle({ body: { ip, category }, warn }) {
        const { lifted, stillDenied, warnings } = await firewall.unban(ip, category);
        for (const warning of warnings) warn(warning);
        return { ip: ip.text, lifted, stillDenied };
      },
    }),
    route({
      method: 'GET',
      path: '/firewall:explain',
      function: 'explain',
      access: read,
      summary: 'Explain why an address is blocked, allowed or clear',
      query: { ip: network },
      answer: Explanation,
      async handle({ query: { ip } }) {
        const { verdict, enforced, bans, whitelist, filters, at } = await firewall.explain(ip);
        return {
          ip: ip.text,
          verdict,
          enforced,
          bans: bans.map(({ decision, source }) => ({ ...decisionObject(decision, at), source })),
          whitelist: whitelist.map(({ network: entry, ...rest }) => ({ entry: entry.text, ...rest })),
          filters,
        };
      },
    }),
  ];
}

const DEFAULT_FILTER: NetworkFilterFields = {
  permit: '',
  deny: '0.0.0.0/0',
  description: '',
  newer_block_ip: '0',
  local_network: '0',
  priority: '0',
  rules: {},
};
const DEFAULT_RECORD = { ...toRecord({ id: 0, ...DEFAULT_FILTER }), id: '', subnet: 24 };

/** Times in Unix seconds; 0 = unknown or no end (contract 7.2). */
function bannedIps(bans: Awaited<ReturnType<Firewall['bannedIps']>>): Static<typeof BannedIps> {
  const byAddress: Static<typeof BannedIps> = {};
  for (const { category, network: banned, expiresAt, reason } of bans) {
    const permanent = expiresAt === Infinity;
    byAddress[banned.text] ??= { country: '', countryName: '', bans: [] };
    byAddress[banned.text]?.bans.push({
      jail: `${category}_v2`,
      timeofban: 0,
      timeunban: permanent ? 0 : Math.ceil(expiresAt / 1000),
      v: '2',
      category,
      permanent,
      reason: reason ? { ...reason, accounts: [...reason.accounts] } : null,
    });
  }
  return byAddress;
}
