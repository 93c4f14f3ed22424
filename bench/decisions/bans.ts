/** The bans for every target: 96 % IPv4 addresses, 2 % IPv6 addresses, 2 % IPv4 ranges. Equal n give equal bans. */
export interface BenchBan {
  readonly category: 'sip' | 'http' | 'ami' | 'iax';
  readonly value: string;
  readonly seconds: number;
}

const CATEGORIES = ['sip', 'http', 'ami', 'iax'] as const;
/** Odd, so that multiplying by it modulo 2^24 yields every number once. */
const SCATTER = 0x9e_37_79;

export function ban(i: number): BenchBan {
  const scattered = Math.imul(i, SCATTER) & 0xff_ff_ff;
  return {
    category: CATEGORIES[i % 4] as BenchBan['category'],
    value: value(i, scattered),
    // 2 to 26 hours: none ends during a run.
    seconds: 7200 + (scattered % 86_400),
  };
}

function value(i: number, scattered: number): string {
  const bytes = [scattered >> 16, (scattered >> 8) & 255, scattered & 255];
  if (i % 50 === 7) return `2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::1`;
  if (i % 50 === 8) return `45.${(i >> 14) & 255}.${(i >> 6) & 255}.0/24`;
  return `11.${bytes.join('.')}`;
}

export const bans = (from: number, to: number): BenchBan[] =>
  Array.from({ length: to - from }, (_, i) => ban(from + i));

export const banKey = ({ category, value }: BenchBan): string => `firewall:${category}:${value}`;
