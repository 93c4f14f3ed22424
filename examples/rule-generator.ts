// Prints the current bans minus the allow-list as rules for a firewall; Node 24 runs it as it is:
//   BOUNCER_KEY=<API key> node examples/rule-generator.ts nftables|ipset|mikrotik|plain > rules
// Each run prints all current bans, so it replaces what an earlier run has loaded. If the service does not answer, it
// prints nothing and exits with status 1: keep the old rules then.
import { isIPv6 } from 'node:net';

type Family = 4 | 6;
interface Network {
  readonly family: Family;
  readonly bits: bigint; // the first address as a number
  readonly prefix: number;
}
interface Ban extends Network {
  readonly seconds: number;
}

const FAMILIES = [4, 6] as const;
const WIDTH = { 4: 32, 6: 128 } as const;
/** The longest timeout of ipset, some 24 days; each run renews it. */
const MAX_SECONDS = 2_147_483;

/** Name of our sets and lists in the firewall. */
const NAME = 'pbxcore';

const formats: Record<string, (bans: Record<Family, Ban[]>) => string[]> = {
  /** One transaction: `nft -f rules`. The rules that use the sets are up to you, see the README. */
  nftables: (bans) => [
    `add table inet ${NAME}`,
    ...FAMILIES.flatMap((family) => {
      const set = `inet ${NAME} banned${family}`;
      const elements = bans[family].map((ban) => `${text(ban)} timeout ${ban.seconds}s`);
      return [
        `add set ${set} { type ipv${family}_addr; flags interval, timeout; }`,
        `flush set ${set}`,
        ...(elements.length > 0 ? [`add element ${set} {\n  ${elements.join(',\n  ')}\n}`] : []),
      ];
    }),
  ],

  /** `ipset restore < rules`. Fills a new set and then swaps it in, so that the bans are never missing. */
  ipset: (bans) =>
    FAMILIES.flatMap((family) => {
      const [set, next] = [`${NAME}${family}`, `${NAME}${family}-next`];
      const options = `hash:net family inet${family === 4 ? '' : '6'} maxelem 1048576 timeout 0 -exist`;
      return [
        `create ${set} ${options}`,
        `create ${next} ${options}`,
        `flush ${next}`,
        ...bans[family].map((ban) => `add ${next} ${text(ban)} timeout ${ban.seconds}`),
        `swap ${next} ${set}`,
        `destroy ${next}`,
      ];
    }),

  /** `/import rules.rsc` on the router. The list is incomplete while it runs. */
  mikrotik: (bans) =>
    FAMILIES.flatMap((family) => [
      `/${family === 4 ? 'ip' : 'ipv6'} firewall address-list`,
      `remove [find list="${NAME}"]`,
      ...bans[family].map((ban) => `add list="${NAME}" address=${text(ban)} timeout=${ban.seconds}s`),
    ]),

  /** One address or range per line, IPv4 first. */
  plain: (bans) => [...bans[4], ...bans[6]].map(text),
};

function parse(value: string): Network {
  const [address = '', length] = value.split('/');
  const family = isIPv6(address) ? 6 : 4;
  const [head = '', tail] = address.split('::');
  const left = head.split(family === 4 ? '.' : ':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = new Array<string>((family === 4 ? 4 : 8) - left.length - right.length).fill('0');
  const bits = [...left, ...zeros, ...right].reduce(
    (sum, part) => (family === 4 ? (sum << 8n) | BigInt(part) : (sum << 16n) | BigInt(`0x${part}`)),
    0n,
  );
  return { family, bits, prefix: Number(length ?? WIDTH[family]) };
}

function text({ family, bits, prefix }: Network): string {
  const size = family === 4 ? 8n : 16n;
  const part = (n: number) => (bits >> (BigInt(WIDTH[family]) - size * BigInt(n + 1))) & ((1n << size) - 1n);
  const address =
    family === 4
      ? [0, 1, 2, 3].map(part).join('.')
      : // A URL writes an IPv6 address in its short form.
        new URL(
          `http://[${[0, 1, 2, 3, 4, 5, 6, 7].map((n) => part(n).toString(16)).join(':')}]`,
        ).hostname.slice(1, -1);
  return prefix === WIDTH[family] ? address : `${address}/${prefix}`;
}

/**
 * The banned and not allowed parts of `place`, as networks that do not overlap: nftables sets accept no others. A range
 * that contains an allowed address is split around it; where bans overlap, the longest counts.
 */
function banned(place: Network, bans: Ban[], allowed: Network[], seconds = 0): Ban[] {
  if (allowed.some((network) => network.prefix <= place.prefix)) return [];
  for (const ban of bans) if (ban.prefix <= place.prefix) seconds = Math.max(seconds, ban.seconds);
  const inner = bans.filter((ban) => ban.seconds > seconds);
  if (allowed.length === 0) {
    if (inner.length === 0) return seconds > 0 ? [{ ...place, seconds }] : [];
    if (inner.length === 1 && seconds === 0) return inner;
  } else if (inner.length === 0 && seconds === 0) return [];
  const { family, prefix } = place;
  const bit = 1n << BigInt(WIDTH[family] - prefix - 1);
  return [place.bits, place.bits | bit].flatMap((bits) => {
    const isThere = (network: Network) => (network.bits & bit) === (bits & bit);
    return banned(
      { family, bits, prefix: prefix + 1 },
      inner.filter(isThere),
      allowed.filter(isThere),
      seconds,
    );
  });
}

async function get<T>(path: string): Promise<T> {
  const { BOUNCER_KEY = '', BOUNCER_URL = 'http://127.0.0.1:8080' } = process.env;
  const url = `${BOUNCER_URL}/pbxcore/api/v3/firewall-bouncer/v1/${path}`;
  const options = { headers: { 'X-Api-Key': BOUNCER_KEY }, signal: AbortSignal.timeout(30_000) };
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function main() {
  const [, , name = ''] = process.argv;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format) throw new Error(`say what to print: ${Object.keys(formats).join(', ')}`);
  const [{ new: decisions }, whitelist] = await Promise.all([
    get<{ new: { value: string; duration: string }[] }>('decisions/stream'),
    get<string[]>('whitelist'),
  ]);
  const bans = decisions.map(({ value, duration }) => {
    const seconds = Number.parseInt(duration, 10) * (duration.endsWith('h') ? 3600 : 1);
    return { ...parse(value), seconds: Math.min(seconds, MAX_SECONDS) };
  });
  const allowed = whitelist.map(parse);
  const ofFamily = (family: Family) =>
    banned(
      { family, bits: 0n, prefix: 0 },
      bans.filter((ban) => ban.family === family),
      allowed.filter((network) => network.family === family),
    );
  const lines = format({ 4: ofFamily(4), 6: ofFamily(6) });
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

main().catch((error) => {
  console.error(`rule-generator: ${error.message}`);
  process.exitCode = 1;
});
