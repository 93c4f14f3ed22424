import type { Clock } from '../../lib/clock.ts';
import { contains, isUnbannable, type Network, parseNetwork, widen } from '../../lib/network.ts';
import type { BanStore } from '../firewall/bans.store.ts';
import type { NetworkFilterStore } from '../network-filters/network-filters.store.ts';
import { packSnapshot } from './cursor.ts';
import { type Decision, SCENARIOS } from './decision.ts';
import { createDecisionSet } from './decision-set.ts';
import type { OrderedBytes } from './ordered-bytes.ts';
import { createRenderer, type Rendering } from './rendering.ts';

/** All current bans at one moment, rendered and ready to be remembered. */
export interface Snapshot {
  readonly rendering: Rendering;
  /** Names this state for the cursor. */
  readonly stateId: string;
  /** Names the membership (contract 8.6). */
  readonly etag: string;
  /** The snapshot as a cursor keeps it; made once per state. */
  packed(): Buffer;
}

/** Gathers the decisions of both sources (contract 8.3) and answers what they are now. */
export function createDecisionFeed({
  bans,
  filters,
  clock,
}: {
  bans: BanStore;
  filters: NetworkFilterStore;
  clock: Clock;
}) {
  const set = createDecisionSet();
  const renderer = createRenderer();
  let packing: { stateId: string; layout: OrderedBytes } | undefined;
  let manual = new Set<string>();

  bans.listen((category, network, expiresAt) => {
    if (isUnbannable(network)) return;
    if (expiresAt === undefined) set.remove(network.text, `pbx/${category}`);
    else set.put(network.text, `pbx/${category}`, expiresAt);
  });
  takeManual();
  filters.onChange(takeManual);

  function takeManual(): void {
    const next = new Set(filters.denied().map((network) => network.text));
    for (const value of manual) if (!next.has(value)) set.remove(value, 'pbx/manual');
    for (const value of next) set.put(value, 'pbx/manual', Infinity);
    manual = next;
  }

  return {
    /** Resolves once everything written before this call is in; rejects when a source cannot be read (contract 8.4). */
    async settle(): Promise<void> {
      await Promise.all([bans.settle(), filters.settle()]);
      set.expire(clock.now());
    },

    /** Call `settle` first; nothing may be awaited between this and `rendering.hold()`. */
    snapshot(): Snapshot {
      const now = clock.now();
      set.expire(now);
      const decisions = set.sorted();
      const stateId = set.stateId();
      return {
        rendering: renderer.render(decisions, now),
        stateId,
        etag: etag(),
        packed() {
          if (packing?.stateId !== stateId)
            packing = { stateId, layout: packSnapshot(decisions, packing?.layout) };
          return packing.layout.bytes;
        },
      };
    },

    etag,

    /** How an earlier state differs from the present one; `undefined` when it is not remembered here. */
    changesSince: set.changesSince,

    holds: (decision: Decision): boolean => set.get(decision.value, decision.scenario) !== undefined,

    size: set.size,

    all: (): readonly Decision[] => set.sorted(),

    /** Decisions equal to or containing a network. */
    covering(network: Network): Decision[] {
      const values = Array.from({ length: network.prefix + 1 }, (_, prefix) => widen(network, prefix));
      // An address and the range of that one address cover each other.
      if (network.prefix === (network.family === 4 ? 32 : 128))
        values.push(network.text.split('/')[0] as string);
      return values.flatMap(withValue);
    },

    /** Decisions equal to or inside a network. */
    inside(network: Network): Decision[] {
      return set.sorted().filter(({ value }) => contains(network, parseNetwork(value) as Network));
    },

    withValue,
  };

  /** Names the membership, not the durations (contract 8.6). */
  function etag(): string {
    return `W/"${set.membershipId()}"`;
  }

  function withValue(value: string): Decision[] {
    return SCENARIOS.map((scenario) => set.get(value, scenario)).filter((decision) => decision !== undefined);
  }
}

export type DecisionFeed = ReturnType<typeof createDecisionFeed>;
