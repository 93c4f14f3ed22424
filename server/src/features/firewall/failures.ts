import { type Network, parseAddress, subscriberNetwork } from '../../lib/network.ts';
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

  async function ban(category: Category, network: Network, seconds: number): Promise<void> {
    await bans.write(category, network, seconds);
    parts.onBan({ category, address: network.text, seconds });
  }

  return {
    async record(attempt: FailedAttempt): Promise<void> {
      const network = parseAddress(attempt.address);
      if (!network) return;
      await parts.allowList.settle();
      const { maxretry, findtime, bantime } = rules.current();
      const counted: { suspect: Network; count: number }[] = [];
      for (const suspect of suspects(attempt.category, network)) {
        const key = `${redisPrefix}:failures:${attempt.category}:${suspect.text}`;
        const { count } = await ttl.record(key, findtime * 1000);
        counted.push({ suspect, count });
      }
      // Once others in its network failed too, that comes before the address: bans one by one would never end.
      counted.sort((a, b) => b.count - a.count);
      for (const { suspect, count } of counted) {
        if (count < maxretry) continue;
        const exemption = policy.exemption(suspect);
        if (!exemption) return ban(attempt.category, suspect, bantime);
        parts.onExempt({ ...attempt, address: suspect.text }, exemption);
      }
    },

    /** Remaining milliseconds while an address is banned from logging in, `undefined` when it is not. */
    async bannedFor(category: Category, network: Network): Promise<number | undefined> {
      await parts.allowList.settle();
      // An allow-listed address inside a banned network is not meant (contract 7.5).
      const meant = policy.exemption(network) ? [network] : suspects(category, network);
      const ends = await Promise.all(meant.map((suspect) => bans.remaining(category, suspect)));
      return ends.reduce((end, other) => (end === undefined || (other ?? 0) > end ? other : end));
    },
  };
}

/** The address, and for logins the network that it may have been picked from (contract 17.5); the narrower first. */
function suspects(category: Category, address: Network): Network[] {
  const whole = subscriberNetwork(address);
  return category === 'http' && whole !== address ? [address, whole] : [address];
}

export type FailureCounter = ReturnType<typeof createFailureCounter>;
