import type { Logger } from 'pino';
import type { Network } from '../../../lib/network.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { Fail2BanStore } from '../fail2ban/fail2ban.store.ts';
import type { NetworkFilterStore } from '../network-filters/network-filters.store.ts';
import { createAllowList } from './allow-list.ts';
import { createAllowListSweep } from './allow-list-sweep.ts';
import { createBanPolicy } from './ban-policy.ts';
import { createBanReasonStore } from './ban-reasons.store.ts';
import { createBanStore } from './bans.store.ts';
import { createFailureCounter } from './failures.ts';

interface BanFeatureParts {
  readonly ttl: TtlStore;
  /** Prefix of the ban keys, which other programs write too. */
  readonly keyPrefix: string;
  readonly redisPrefix: string;
  readonly filters: NetworkFilterStore;
  readonly fail2ban: Fail2BanStore;
  readonly trustedProxies: readonly Network[];
  /** Addresses of providers, which are never banned automatically. */
  readonly providerHosts: () => Network[];
  /** Whether an account other than this one is registered from the address and can be reached. */
  readonly isAnotherWorking: (address: Network, account: string) => Promise<boolean>;
  readonly log: Logger;
  readonly onSweepError: (error: unknown) => void;
}

/** Bans, the allow-list, and the count of failures that leads to a ban. */
export function createBanFeature(parts: BanFeatureParts) {
  const { ttl, keyPrefix, redisPrefix, filters, fail2ban, trustedProxies, log } = parts;
  const { providerHosts, isAnotherWorking } = parts;
  const onUnreadable = (key: string) => log.warn({ key }, 'not an address, not exported');
  const bans = createBanStore({ ttl, keyPrefix, onUnreadable });
  const reasons = createBanReasonStore({ ttl, redisPrefix });
  const allowList = createAllowList({ filters, fail2ban });
  const allowed = () => allowList.entries().map(({ network }) => network);
  const policy = createBanPolicy({ allowed, trustedProxies, providerHosts });
  const sweep = createAllowListSweep({ allowList, bans, onError: parts.onSweepError });
  const failures = createFailureCounter({
    ttl,
    redisPrefix,
    rules: fail2ban,
    allowList,
    policy,
    bans,
    reasons,
    isAnotherWorking,
    onBan: (ban) => log.warn(ban, 'address banned'),
    onReasonLost: (err) => log.warn({ err }, 'the reason for a ban could not be saved'),
    onExempt: (attempt, reason) => log.warn({ ...attempt, reason }, 'address not banned'),
  });
  return { bans, reasons, allowList, policy, sweep, failures, close: sweep.close };
}
