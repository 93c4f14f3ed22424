/** An address or a range of them, as numbers to compare. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

const WIDTH = { 4: 32, 6: 128 } as const;

/** An IPv4 or IPv6 address or CIDR; `undefined` for anything else, such as incomplete input. */
export function parseRange(text: string): AddressRange | undefined {
  const [host = '', prefixText, more] = text.trim().split('/');
  if (more !== undefined) return undefined;
  const family = host.includes(':') ? 6 : 4;
  const address = family === 4 ? ipv4(host) : ipv6(host);
  const width = WIDTH[family];
  const prefix = prefixText === undefined ? width : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : NaN;
  if (address === undefined || !(prefix <= width)) return undefined;
  const free = BigInt(width - prefix);
  const first = (address >> free) << free;
  return { family, first, last: first + (1n << free) - 1n };
}

/** Equal to or inside. */
export const contains = (outer: AddressRange, inner: AddressRange): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;

/** IPv4 before IPv6, then by number. */
export function compareRanges(a: AddressRange, b: AddressRange): number {
  if (a.family !== b.family) return a.family - b.family;
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.last < b.last ? -1 : a.last > b.last ? 1 : 0;
}

function ipv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return undefined;
  return BigInt(parts.reduce((sum, part) => sum * 256 + Number(part), 0));
}

function ipv6(text: string): bigint | undefined {
  // The last 32 bits may be written like IPv4.
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const low = dotted ? ipv4(dotted[2] ?? '') : undefined;
  if (dotted && low === undefined) return undefined;
  const whole =
    low === undefined ? text : `${dotted?.[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  const halves = whole.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
}
