import { createInOrder } from '../../../lib/in-order.ts';
import { isOneAddress, type Network, parseAddress, subscriberNetwork } from '../../../lib/network.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { Fail2BanStore } from '../fail2ban/fail2ban.store.ts';
import type { BanPolicy } from './ban-policy.ts';
import { type BanReasonStore, triedAccounts } from './ban-reasons.store.ts';
import type { BanStore, Category } from './bans.store.ts';
import { createFailureCountStore } from './failure-counts.store.ts';

/** Contract 17.7: beyond either limit an address is banned although another phone works there. */
const ACCOUNTS_SPARED = 5;
const TIMES_SPARED = 5;
/** Attempts waiting to be counted per address: more than any rule needs for a ban, so the rest can be dropped. */
const MOST_WAITING = 1000;

/** A failed login or registration; the address comes from a parsed field, never from log text (contract 7.5). */
interface FailedAttempt {
  readonly category: Category;
  readonly address: string;
  /** The account it claimed to be, where known. */
  readonly account?: string;
}

interface FailureParts {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly rules: Fail2BanStore;
  readonly allowList: { settle(): Promise<void> };
  readonly policy: BanPolicy;
  readonly bans: BanStore;
  readonly reasons: Pick<BanReasonStore, 'write'>;
  /** Whether another account is registered from the address and can be reached; false when unknown. */
  readonly isAnotherWorking: (address: Network, account: string) => Promise<boolean>;
  readonly onBan: (ban: { category: Category; address: string; seconds: number }) => void;
  /** Called when the reason could not be saved; the ban holds all the same. */
  readonly onReasonLost: (error: unknown) => void;
  readonly onExempt: (attempt: FailedAttempt, reason: string) => void;
}

interface Suspect {
  readonly network: Network;
  /** The name under which an attempt is counted there. */
  readonly name: string;
}

/**
 * Turns failed attempts into bans: `maxretry` of them within `findtime` ban for `bantime` (contract 2.6, 7.4). Counts
 * per address and account; the count of an address is the sum over its accounts (contract 17.7).
 */
export function createFailureCounter(parts: FailureParts) {
  const { ttl, redisPrefix, rules, policy, bans } = parts;
  const counts = createFailureCountStore({ ttl, redisPrefix });
  // A success must not be handled before earlier failures.
  const inOrder = createInOrder({ most: MOST_WAITING });
  const placeOf = (category: Category, network: Network) => `${category}:${network.text}`;

  async function ban(
    category: Category,
    network: Network,
    seconds: number,
    failed: ReadonlyMap<string, number>,
  ): Promise<void> {
    const reason = {
      failures: sum(failed.values()),
      accounts: accountsOf(network, failed),
      note: '',
      by: '',
    };
    // Written before the ban, so that everyone notified of the ban finds its reason.
    await parts.reasons.write(category, network, seconds, reason).catch(parts.onReasonLost);
    await bans.write(category, network, seconds);
    parts.onBan({ category, address: network.text, seconds });
  }

  /** One phone with an old password does not ban an office where others work (contract 17.7). */
  async function isSpared(
    { category, account = '' }: FailedAttempt,
    network: Network,
    failed: ReadonlyMap<string, number>,
    maxretry: number,
  ): Promise<boolean> {
    if (category !== 'sip' || failed.size > ACCOUNTS_SPARED) return false;
    if (Math.max(...failed.values()) >= TIMES_SPARED * maxretry) return false;
    return parts.isAnotherWorking(network, account);
  }

  async function count(attempt: FailedAttempt, address: Network): Promise<void> {
    await parts.allowList.settle();
    const { category, account = '' } = attempt;
    const { maxretry, findtime, bantime } = rules.current();
    const counted: { network: Network; failed: ReadonlyMap<string, number>; total: number }[] = [];
    for (const { network, name } of suspects(category, address, account)) {
      const failed = await counts.add(placeOf(category, network), name, findtime * 1000);
      counted.push({ network, failed, total: sum(failed.values()) });
    }
    // The network comes first once other addresses in it failed too: banning them one by one would never end.
    counted.sort((a, b) => b.total - a.total);
    for (const { network, failed, total } of counted) {
      if (total < maxretry) continue;
      const exemption = policy.exemption(network);
      if (exemption) parts.onExempt({ ...attempt, address: network.text }, exemption);
      else if (!(await isSpared(attempt, network, failed, maxretry)))
        return ban(category, network, bantime, failed);
      else if ((failed.get(account) ?? 0) % maxretry === 0)
        parts.onExempt(attempt, 'other phones work at this address');
    }
  }

  /** Resets what an address contributed to the count of its network, where each name begins with the address. */
  async function clearInNetwork(category: Category, address: Network): Promise<void> {
    for (const { network } of suspects(category, address, '').slice(1)) {
      const place = placeOf(category, network);
      const own = (await counts.names(place)).filter((name) => addressIn(name) === address.text);
      await counts.clear(place, own);
    }
  }

  return {
    async record(attempt: FailedAttempt): Promise<void> {
      const address = parseAddress(attempt.address);
      if (address) await inOrder(placeOf(attempt.category, address), () => count(attempt, address));
    },

    /** The account logged in from there: resets its count and keeps those of other accounts. */
    async succeeded({ category, address: text, account = '' }: FailedAttempt): Promise<void> {
      const address = parseAddress(text);
      if (!address) return;
      await inOrder(placeOf(category, address), async () => {
        for (const { network, name } of suspects(category, address, account))
          await counts.clear(placeOf(category, network), [name]);
      });
    },

    /** An operator lifts the ban of exactly this value: earlier failures no longer count. */
    async forget(network: Network, categories: readonly Category[]): Promise<void> {
      for (const category of categories) {
        const place = placeOf(category, network);
        if (isOneAddress(network)) await clearInNetwork(category, network);
        else
          for (const name of await counts.names(place))
            await counts.clearAll(`${category}:${addressIn(name)}`);
        await counts.clearAll(place);
      }
    },

    /** Remaining milliseconds while an address is banned from logging in, `undefined` when it is not. */
    async bannedFor(category: Category, network: Network): Promise<number | undefined> {
      await parts.allowList.settle();
      // The ban of a network does not apply to an exempt address inside it (contract 7.5).
      const meant = policy.exemption(network) ? [{ network }] : suspects(category, network, '');
      const ends = await Promise.all(meant.map((suspect) => bans.remaining(category, suspect.network)));
      return ends.reduce((end, other) => (end === undefined || (other ?? 0) > end ? other : end));
    },
  };
}

/** The address, then for logins the network in which a subscriber may pick addresses (contract 17.5). */
function suspects(category: Category, address: Network, account: string): Suspect[] {
  const own = { network: address, name: account };
  const whole = subscriberNetwork(address);
  if (category !== 'http' || whole === address) return [own];
  return [own, { network: whole, name: `${address.text} ${account}` }];
}

/** The names in a network begin with the address of the attempt; accounts are counted across addresses here. */
function accountsOf(network: Network, failed: ReadonlyMap<string, number>): string[] {
  if (isOneAddress(network)) return triedAccounts(failed);
  const byAccount = new Map<string, number>();
  for (const [name, times] of failed) {
    const account = name.slice(addressIn(name).length + 1);
    byAccount.set(account, (byAccount.get(account) ?? 0) + times);
  }
  return triedAccounts(byAccount);
}

/** The address in a name that is counted for a network. */
const addressIn = (name: string): string => name.split(' ', 1)[0] ?? '';

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, n) => total + n, 0);

export type FailureCounter = ReturnType<typeof createFailureCounter>;
