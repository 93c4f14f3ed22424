import type { ApiKeyRow } from '../features/access/api-keys/api-keys.store.ts';
import { contains, type Network, parseAddress, parseNetwork } from '../lib/network.ts';
import type { ExaminedDatabase } from './database.check.ts';
import { type Finding, ok, type Patient, problem, warning } from './finding.ts';

const RECENT_MS = 86_400_000;
const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  'fc00::/7',
  '::1',
]
  .map(parseNetwork)
  .filter((network) => network !== undefined);

/** Checks the database's keys, their filters, and the addresses they were used from. */
export async function checkAccess(database: ExaminedDatabase, patient: Patient): Promise<Finding[]> {
  const keys = await database.keys.list();
  const filters = await database.filters.settle();
  const known = new Set(['none', 'localhost', ...filters.map(({ id }) => String(id))]);
  return [
    ...keys
      .filter((key) => !known.has(key.networkfilterid))
      .map((key) =>
        problem(
          `API key ${key.id} "${key.description}" is bound to network filter ${key.networkfilterid}, which does not exist: it is refused everywhere`,
          `bind it to another filter, or \`pbxcore api-key revoke ${key.id}\` and create a new one`,
        ),
      ),
    ...database.filters
      .unreadableEntries()
      .map(({ source, text }) =>
        warning(
          `${source}: "${text}" in deny is not an address and blocks nobody`,
          'correct the entry of that network filter',
        ),
      ),
    ...checkProxies(keys, patient),
  ];
}

/** Each bouncer has an address of its own; if all share one, there is a proxy in between. */
function checkProxies(keys: readonly ApiKeyRow[], { config, clock }: Patient): Finding[] {
  const recent = keys.filter(({ last_poll_at: at }) => at !== null && clock.now() - at < RECENT_MS);
  const addresses = [...new Set(recent.map((key) => key.last_poll_ip ?? ''))]
    .map(parseAddress)
    .filter((address) => address !== undefined);
  const { trustedProxies } = config;
  const [first] = addresses;
  if (!first) return [ok('no bouncer polled in the last day, so nothing can be said about proxies')];
  if (trustedProxies.length > 0) {
    const hidden = addresses.filter((address) => within(trustedProxies, address));
    if (hidden.length === 0) return [ok('trusted proxies pass on the addresses of bouncers')];
    return [
      warning(
        `bouncers seem to poll from ${hidden.map(({ text }) => text).join(', ')}, which is a trusted proxy: it hides them`,
        'make the proxy send X-Forwarded-For, or remove the address from PBXCORE_TRUSTED_PROXIES',
      ),
    ];
  }
  if (recent.length > 1 && addresses.length === 1 && within(PRIVATE, first)) {
    return [
      warning(
        `${recent.length} API keys all poll from ${first.text}: a proxy may hide where they really are`,
        `if ${first.text} is a proxy, set PBXCORE_TRUSTED_PROXIES=${first.text} and make it send X-Forwarded-For`,
      ),
    ];
  }
  return [ok(`bouncers poll from ${addresses.map(({ text }) => text).join(', ')}`)];
}

const within = (networks: readonly Network[], address: Network): boolean =>
  networks.some((network) => contains(network, address));
