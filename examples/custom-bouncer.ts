// A bouncer of your own, without dependencies; Node 24 runs it as it is:
//   BOUNCER_KEY=<API key> BOUNCER_URL=http://127.0.0.1:8080 node examples/custom-bouncer.ts
import { BlockList, isIPv6 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

// Replace these two with the commands for your firewall, router or proxy. A failed one is repeated after the next poll.
const add = async (value: string) => console.log(`add ${value}`);
const remove = async (value: string) => console.log(`remove ${value}`);

const { BOUNCER_KEY = '', BOUNCER_URL = 'http://127.0.0.1:8080', BOUNCER_SECONDS = '5' } = process.env;
// How long blocks outlive a refused key (30 is usual); if not set, they expire on their own.
const { BOUNCER_REFUSED_SECONDS = 'Infinity' } = process.env;
const blocked = new Set<string>();
let refusedAt: number | undefined; // since when the service refuses the key
let wanted = new Map<string, number>(); // address or range -> when its ban ends

async function get<T>(path: string): Promise<T> {
  const url = `${BOUNCER_URL}/pbxcore/api/v3/firewall-bouncer/v1/${path}`;
  const options = { headers: { 'X-Api-Key': BOUNCER_KEY }, signal: AbortSignal.timeout(10_000) };
  const response = await fetch(url, options);
  // Only the service itself can refuse. An outage neither starts nor ends this: its last answer about the key counts.
  const isRefused = response.status === 401 || response.status === 403;
  if (isRefused || response.ok) refusedAt = isRefused ? (refusedAt ?? performance.now()) : undefined;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Whether the first address of a network lies in one of these; networks overlap only if one begins in the other. */
function beginsIn(networks: string[]) {
  const list = new BlockList();
  for (const [address = '', prefix] of networks.map((text) => text.split('/'))) {
    list.addSubnet(address, Number(prefix ?? (isIPv6(address) ? 128 : 32)), family(address));
  }
  return (network: string) => list.check(network.replace(/\/.*/, ''), family(network.replace(/\/.*/, '')));
}

async function poll() {
  // `new` is always the whole list: a value missing from it is over, so `deleted` is not needed.
  const [{ new: bans }, allowed] = await Promise.all([
    get<{ new: { value: string; duration: string }[] }>('decisions/stream'),
    get<string[]>('whitelist'),
  ]);
  const isAllowed = beginsIn(allowed);
  const next = new Map<string, number>();
  for (const { value, duration } of bans) {
    // A range that contains an allowed address is left out: better an attacker too many than a customer locked out.
    if (isAllowed(value) || (value.includes('/') && allowed.some(beginsIn([value])))) continue;
    const ms = Number.parseInt(duration, 10) * (duration.endsWith('h') ? 3_600_000 : 1000);
    next.set(value, Date.now() + ms); // of several bans of one address, the longest comes last
  }
  wanted = next;
}

async function apply() {
  const refusedMs = refusedAt === undefined ? -1 : performance.now() - refusedAt;
  const allOver = refusedMs >= Number(BOUNCER_REFUSED_SECONDS) * 1000;
  const isOver = (value: string) => allOver || (wanted.get(value) ?? 0) <= Date.now();
  for (const value of blocked) if (isOver(value)) await remove(value).then(() => blocked.delete(value));
  for (const value of wanted.keys()) {
    if (!isOver(value) && !blocked.has(value)) await add(value).then(() => blocked.add(value));
  }
}

for (;;) {
  // While the service is away, the last list stays in force, and its bans still expire.
  await poll().catch((error) => console.error(`poll failed: ${error.message}`));
  await apply().catch((error) => console.error(`not applied: ${error.message}`));
  await wait(Number(BOUNCER_SECONDS) * 1000);
}
