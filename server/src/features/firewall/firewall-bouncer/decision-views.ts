import { AS_SPECIFIED, type BouncerOptions } from '../../../lib/bouncer-options.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Network, parseNetwork } from '../../../lib/network.ts';
import { createAllowedNetworks } from './allowed-networks.ts';
import { createPacking } from './cursor.ts';
import type { DecisionSet } from './decision-set.ts';
import { createDecisionView, type DecisionView } from './decision-view.ts';
import { createNarrowedSet } from './narrowed-set.ts';

/** How often unused views are dropped, so that options tried once do not occupy memory for ever. */
const LOOK_EVERY_MS = 600_000;

interface ViewsParts {
  /** All decisions, as specified. */
  readonly base: DecisionSet;
  /** Resolves once everything written before the call is in `base`. */
  readonly settle: () => Promise<void>;
  readonly allowList: Parameters<typeof createAllowedNetworks>[0] & { settle(): Promise<void> };
  readonly clock: Clock;
}

/** The decisions for some keys, whatever their duration format. */
interface Membership {
  readonly set: DecisionSet;
  readonly settle: () => Promise<void>;
  readonly refresh: (now: number) => void;
  readonly pack: ReturnType<typeof createPacking>;
  readonly isAllowed?: (network: Network) => boolean;
  readonly followAll?: () => void;
  readonly close?: () => void;
}

interface OpenView {
  readonly view: DecisionView;
  readonly membership: string;
  used: boolean;
}

/** One view per set of key options (contract 17.20), made when the first key needs it. */
export function createDecisionViews({ base, settle, allowList, clock }: ViewsParts) {
  const allowed = createAllowedNetworks(allowList);
  const memberships = new Map<string, Membership>([
    [membershipName(AS_SPECIFIED), { set: base, settle, refresh: base.expire, pack: createPacking() }],
  ]);
  const open = new Map<string, OpenView>();
  let lookedAt = clock.now();

  function membershipOf(options: BouncerOptions): Membership {
    const name = membershipName(options);
    const known = memberships.get(name);
    if (known) return known;
    const subtracts = options.subtract_whitelist;
    if (subtracts) takeAllowList();
    const { set, followAll, close } = createNarrowedSet({
      base,
      onePerValue: options.one_per_address,
      isHidden: (value) => subtracts && allowed.cover(parseNetwork(value) as Network),
    });
    const made: Membership = {
      set,
      close,
      pack: createPacking(),
      ...(subtracts
        ? { settle: settleBoth, refresh: refreshBoth, isAllowed: allowed.cover, followAll }
        : { settle, refresh: base.expire }),
    };
    memberships.set(name, made);
    return made;
  }

  async function settleBoth(): Promise<void> {
    await Promise.all([settle(), allowList.settle()]);
  }

  function refreshBoth(now: number): void {
    base.expire(now);
    takeAllowList();
  }

  function takeAllowList(): void {
    if (allowed.update()) for (const { followAll } of memberships.values()) followAll?.();
  }

  /** A poll under way never loses its view, whatever the clock does: the view was used since the last check. */
  function giveUpUnused(): void {
    if (Math.abs(clock.now() - lookedAt) < LOOK_EVERY_MS) return;
    lookedAt = clock.now();
    for (const [name, one] of open) {
      if (!one.used) open.delete(name);
      one.used = false;
    }
    const needed = new Set([...open.values()].map(({ membership }) => membership));
    for (const [name, { close }] of memberships) {
      if (!close || needed.has(name)) continue;
      close();
      memberships.delete(name);
    }
  }

  base.onChange(giveUpUnused);

  return (options: BouncerOptions): DecisionView => {
    giveUpUnused();
    const membership = membershipName(options);
    const name = `${membership} ${options.duration_format}`;
    let found = open.get(name);
    if (!found) {
      const format = options.duration_format;
      const view = createDecisionView({ ...membershipOf(options), format, clock });
      found = { view, membership, used: true };
      open.set(name, found);
    }
    found.used = true;
    return found.view;
  };
}

const membershipName = ({ one_per_address: one, subtract_whitelist: subtract }: BouncerOptions): string =>
  `${one} ${subtract}`;
