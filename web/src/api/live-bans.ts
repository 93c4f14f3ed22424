import type { BanEvent, Client } from '@pbxcore/client';
import type { QueryClient } from '@tanstack/react-query';
import { noteWritten } from './outdated.ts';

/** The answer of `firewall:getBannedIps`, by address. */
export type BannedIps = Awaited<ReturnType<Client['firewall']['getBannedIps']>>['data'];

export const BANS = ['firewall', 'getBannedIps'];

/** With up to a hundred thousand bans and two hundred events a second, events are applied together, once a second. */
const PAUSE_MS = 1000;

let waiting: BanEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** The first event after a quiet time is shown at once. */
export function noteBan(cache: QueryClient, change: BanEvent): void {
  waiting.push(change);
  if (timer === undefined) writeBans(cache);
}

function writeBans(cache: QueryClient): void {
  timer = undefined;
  if (waiting.length === 0) return;
  const changes = waiting;
  waiting = [];
  timer = setTimeout(() => writeBans(cache), PAUSE_MS);
  cache.setQueryData<BannedIps>(BANS, (known) => known && withBans(known, changes));
  noteWritten(cache, BANS);
  void cache.invalidateQueries({ queryKey: ['firewall', 'explain'] });
}

export function withBans(known: BannedIps, changes: readonly BanEvent[]): BannedIps {
  const banned = { ...known };
  for (const { value, category, change, expiresAt, reason = null } of changes) {
    const before = banned[value] ?? { country: '', countryName: '', bans: [] };
    const others = before.bans.filter((ban) => ban.category !== category);
    const ban = {
      jail: `${category}_v2`,
      timeofban: 0,
      timeunban: expiresAt,
      v: '2',
      category,
      permanent: expiresAt === 0,
      reason,
    };
    const bans = change === 'added' ? [...others, ban] : others;
    if (bans.length > 0) banned[value] = { ...before, bans };
    else delete banned[value];
  }
  return banned;
}
