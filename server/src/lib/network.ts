import { isIPv4, isIPv6 } from 'node:net';

/** One address or one range, normalised (contract 1.6): equal networks have equal `text`. */
export interface Network {
  readonly family: 4 | 6;
  /** The first address as a number. */
  readonly bits: bigint;
  readonly prefix: number;
  /** Written with a slash. `203.0.113.7/32` stays a range (contract 8.2). */
  readonly isRange: boolean;
  readonly text: string;
}

export const WIDTH = { 4: 32, 6: 128 } as const;
const MAPPED = 0xffff_0000_0000n;

/** A single address, strict: dotted decimal without leading zeros, IPv6 without zone. */
export function parseAddress(text: string): Network | undefined {
  if (isIPv4(text)) return address(4, ipv4Bits(text));
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const bits = ipv6Bits(text);
  return bits >> 32n === MAPPED >> 32n ? address(4, bits & 0xffff_ffffn) : address(6, bits);
}

/** An address, a CIDR, or IPv4 with a netmask (`198.51.100.0/255.255.255.0`, contract 8.3). Host bits are zeroed. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return parseAddress(text);
  const host = text.slice(0, slash);
  const base = parseAddress(host);
  if (!base) return undefined;
  const wrote6 = host.includes(':');
  const prefix = prefixOf(text.slice(slash + 1), wrote6 ? 6 : 4);
  if (prefix === undefined) return undefined;
  if (!wrote6 || base.family === 6) return range(base.family, base.bits, prefix);
  // An IPv4-mapped range counts as IPv4 if it lies wholly inside the mapped block.
  return prefix >= 96 ? range(4, base.bits, prefix - 96) : range(6, MAPPED | base.bits, prefix);
}

/** Equal to or inside. */
export function contains(outer: Network, inner: Network): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  const shift = BigInt(WIDTH[outer.family] - outer.prefix);
  return outer.bits >> shift === inner.bits >> shift;
}

/** `0.0.0.0/0`, `::/0`, or any other /0. */
export const isCatchAll = (network: Network): boolean => network.prefix === 0;

/** Contains a single address, in either notation. */
export const isOneAddress = ({ family, prefix }: Network): boolean => prefix === WIDTH[family];

/** The range of `prefix` bits around an address, as text: its key in an index. */
export function widen(address: Network, prefix: number): string {
  return range(address.family, address.bits, prefix).text;
}

/** What one subscriber usually has and can choose addresses from: an IPv4 address, or an IPv6 /64. */
export const subscriberNetwork = (address: Network): Network =>
  address.family === 4 ? address : range(6, address.bits, 64);

const LOOPBACKS: readonly Network[] = [
  { family: 4, bits: 0x7f00_0000n, prefix: 8, isRange: true, text: '127.0.0.0/8' },
  { family: 6, bits: 1n, prefix: 128, isRange: true, text: '::1/128' },
  // Reached only by IPv6 ranges wider than the mapped block; anything narrower normalises to IPv4.
  { family: 6, bits: MAPPED | 0x7f00_0000n, prefix: 104, isRange: true, text: '::ffff:127.0.0.0/104' },
];

/** An address that never leaves its machine. */
export const isLoopback = (address: Network): boolean => LOOPBACKS.some((loop) => contains(loop, address));

/** Loopback, unspecified, any /0, or a range that contains loopback: never banned, never exported (contract 7.5, 8.3). */
export function isUnbannable(network: Network): boolean {
  if (isCatchAll(network)) return true;
  if (network.bits === 0n && network.prefix === WIDTH[network.family]) return true;
  return LOOPBACKS.some((loop) => contains(loop, network) || contains(network, loop));
}

/** Lists are split on comma, semicolon and white space; empty parts are dropped (contract 8.3). */
export const splitList = (text: string | null | undefined): string[] =>
  (text ?? '').split(/[\s,;]+/u).filter((part) => part !== '');

/** Without duplicates, in byte order. */
export const uniqueSorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort(byteOrder);

/** Addresses are ASCII, so code unit order is byte order. */
export const byteOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function address(family: 4 | 6, bits: bigint): Network {
  return { family, bits, prefix: WIDTH[family], isRange: false, text: format(family, bits) };
}

function range(family: 4 | 6, bits: bigint, prefix: number): Network {
  const shift = BigInt(WIDTH[family] - prefix);
  const network = (bits >> shift) << shift;
  return { family, bits: network, prefix, isRange: true, text: `${format(family, network)}/${prefix}` };
}

function prefixOf(text: string, family: 4 | 6): number | undefined {
  if (/^(0|[1-9]\d{0,2})$/.test(text)) {
    const prefix = Number(text);
    return prefix <= WIDTH[family] ? prefix : undefined;
  }
  if (family === 6 || !isIPv4(text)) return undefined;
  const inverted = ~Number(ipv4Bits(text)) >>> 0;
  // A mask is ones, then zeros: its inverse plus one is a power of two.
  return (inverted & (inverted + 1)) === 0 ? Math.clz32(inverted) : undefined;
}

function ipv4Bits(text: string): bigint {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return BigInt(a * 0x1000000 + (b << 16) + (c << 8) + d);
}

function ipv6Bits(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const plain = dotted ? dotted[1] + hexPair(ipv4Bits(dotted[2] as string)) : text;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  return BigInt(`0x${[...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join('')}`);
}

function hexPair(bits: bigint): string {
  return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

function format(family: 4 | 6, bits: bigint): string {
  if (family === 4) {
    const value = Number(bits);
    return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
  }
  const hex = bits.toString(16).padStart(32, '0');
  const groups = Array.from({ length: 8 }, (_, i) =>
    Number.parseInt(hex.slice(i * 4, i * 4 + 4), 16).toString(16),
  );
  return compress(groups);
}

/** RFC 5952: the longest run of two or more zero groups becomes `::`, the first of equals. */
function compress(groups: string[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
    if (length > 0) start += length - 1;
  }
  if (best.start < 0) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}
