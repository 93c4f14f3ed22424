import { type Network, parseAddress } from '../../lib/network.ts';
import type { TtlStore } from '../../store/ttl/ttl-store.ts';
import type { Fail2BanStore } from '../fail2ban/fail2ban.store.ts';
import type { BanPolicy } from './ban-policy.ts';
import type { BanStore, Category } from './bans.store.ts';

/** A failed attempt to get in, with a parsed address: never read from log text (contract 7.5). */
export interface FailedAttempt {
  readonly category: Category;
  readonly address: string;
}

interface FailureParts {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly rules: Fail2BanStore;
  readonly allowList: { settle(): Promise<void> };
  readonly policy: BanPolicy;
  readonly bans: BanStore;
  readonly onBan: (ban: { category: Category; address: string; seconds: number }) => void;
  readonly onExempt: (attempt: FailedAttempt, reason: string) => void;
}

/** Turns failed attempts into bans: `maxretry` of them within `findtime` ban for `bantime` (contract 2.6, 7.4). */
export function createFailureCounter(parts: FailureParts) {
  const { ttl, redisPrefix, rules, policy, bans } = parts;

  return {
    async record(attempt: FailedAttempt): Promise<void> {
      const network = parseAddress(attempt.address);
      if (!network) return;
      await parts.allowList.settle();
      const { maxretry, findtime, bantime } = rules.current();
      const key = `${redisPrefix}:failures:${attempt.category}:${network.text}`;
      const { count } = await ttl.record(key, findtime * 1000);
      if (count < maxretry) return;
      const exemption = policy.exemption(network);
      if (exemption) return parts.onExempt(attempt, exemption);
      await bans.write(attempt.category, network, bantime);
      parts.onBan({ category: attempt.category, address: network.text, seconds: bantime });
    },

    /** Remaining milliseconds while an address is banned from logging in, `undefined` when it is not. */
    bannedFor: (category: Category, network: Network): Promise<number | undefined> =>
      bans.remaining(category, network),
  };
}

export type FailureCounter = ReturnType<typeof createFailureCounter>;
