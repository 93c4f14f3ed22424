import type { Clock } from '../lib/clock.ts';

/** A phone that keeps failing tries again much sooner; one that was fixed succeeds. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** Addresses kept per account; an attacker with many addresses is not a phone that somebody could fix. */
const MOST_PLACES = 5;

/** An address from which logins to an account fail, and since when. */
export interface FailedLogin {
  readonly address: string;
  readonly since: number;
  /** The secret was right, but the phone did not come over TLS. */
  readonly isWithoutTls?: true;
}

/** Which accounts fail from where, so that somebody can fix the phone (contract 17.7). Never changed once given out. */
export function createFailedLogins({ clock }: { clock: Clock }) {
  let logins: ReadonlyMap<string, readonly FailedLogin[]> = new Map();
  /** `account address` → its last failure. */
  const lastAt = new Map<string, number>();

  function set(account: string, list: readonly FailedLogin[]): void {
    const changed = new Map(logins);
    for (const { address } of logins.get(account) ?? [])
      if (!list.some((kept) => kept.address === address)) lastAt.delete(`${account} ${address}`);
    if (list.length > 0) changed.set(account, list);
    else changed.delete(account);
    logins = changed;
  }

  const of = (account: string) => logins.get(account) ?? [];
  const isAt = (address: string) => (login: FailedLogin) => login.address === address;

  return {
    /** False: this was known already. */
    failed(account: string, address: string, isWithoutTls = false): boolean {
      lastAt.set(`${account} ${address}`, clock.now());
      const known = of(account).find(isAt(address));
      if (known && (known.isWithoutTls ?? false) === isWithoutTls) return false;
      const login = { address, since: clock.now(), ...(isWithoutTls && { isWithoutTls }) };
      const others = of(account).filter((one) => one !== known);
      set(account, [login, ...others].slice(0, MOST_PLACES));
      return true;
    },
    /** False: it had not failed there. */
    succeeded(account: string, address: string): boolean {
      if (!of(account).some(isAt(address))) return false;
      set(
        account,
        of(account).filter((login) => !isAt(address)(login)),
      );
      return true;
    },
    /** Drops old failures, and accounts that no longer exist. */
    purge(isServed: (account: string) => boolean): void {
      const oldest = clock.now() - FORGOTTEN_AFTER_MS;
      for (const [account, list] of logins) {
        const kept = isServed(account)
          ? list.filter(({ address }) => (lastAt.get(`${account} ${address}`) ?? 0) > oldest)
          : [];
        if (kept.length < list.length) set(account, kept);
      }
    },
    read: (): ReadonlyMap<string, readonly FailedLogin[]> => logins,
  };
}
