import { DURATION_FORMATS, type DurationFormat } from '../../../lib/bouncer-options.ts';
import type { Clock } from '../../../lib/clock.ts';
import { contains, isOneAddress, type Network, parseNetwork, widen } from '../../../lib/network.ts';
import { type Decision, type DecisionObject, decisionObject, SCENARIOS } from './decision.ts';
import type { ChangeCounts, Changes, DecisionSet } from './decision-set.ts';
import { createRenderer, type Rendering } from './rendering.ts';

/** All current bans at one moment, rendered, and packed on demand for the cursor. */
interface Snapshot {
  readonly rendering: Rendering;
  /** Identifies this state in the cursor. */
  readonly stateId: string;
  /** Identifies the membership (contract 8.6). */
  readonly etag: string;
  /** The snapshot in the form a cursor stores; made once per state. */
  packed(): Buffer;
}

interface ViewParts {
  readonly set: DecisionSet;
  readonly format: DurationFormat;
  /** Resolves once everything written before this call is in the set. */
  readonly settle: () => Promise<void>;
  /** Brings the set up to a moment, synchronously. */
  readonly refresh: (now: number) => void;
  readonly pack: (stateId: string, decisions: readonly Decision[]) => Buffer;
  /** Whether the whitelist covers the network, so that it is not banned whatever ban covers it. */
  readonly isAllowed?: (network: Network) => boolean;
  readonly clock: Clock;
}

export interface DecisionView {
  /** Resolves once everything written before this call is in; rejects when a source cannot be read (contract 8.4). */
  settle(): Promise<void>;
  /** Call `settle` first; nothing may be awaited between this and `rendering.hold()`. */
  snapshot(): Snapshot;
  /** Identifies the membership, not the durations (contract 8.6). */
  etag(): string;
  /** How an earlier state differs from the present one; `undefined` when it is not remembered here. */
  changesSince(stateId: string): Changes | undefined;
  /** The numbers of decisions gone and added since each state; states not remembered here are left out. */
  countsSince(stateIds: Iterable<string>): ReadonlyMap<string, ChangeCounts>;
  holds(decision: Decision): boolean;
  /** The wire form, with the duration counted from `at`. */
  object(decision: Decision, at: number): DecisionObject;
  size(): number;
  all(): readonly Decision[];
  /** Decisions equal to or containing a network. */
  covering(network: Network): Decision[];
  /** Decisions equal to or inside a network. */
  inside(network: Network): Decision[];
  withValue(value: string): Decision[];
}

/** A set of decisions in the form that keys with certain options get. */
export function createDecisionView(parts: ViewParts): DecisionView {
  const { set, format, refresh, clock } = parts;
  const renderer = createRenderer(format);
  // A different duration format is a different representation of the same membership.
  const suffix = format === 'seconds' ? '' : `-${DURATION_FORMATS.indexOf(format)}`;

  function etag(): string {
    return `W/"${set.membershipId()}${suffix}"`;
  }

  function withValue(value: string): Decision[] {
    return SCENARIOS.map((scenario) => set.get(value, scenario)).filter((decision) => decision !== undefined);
  }

  return {
    async settle() {
      const at = clock.now();
      await parts.settle();
      // The time before settling: the store has not confirmed what ended during it (contract 17.19).
      refresh(at);
    },

    snapshot() {
      const now = clock.now();
      const decisions = set.sorted();
      const stateId = set.stateId();
      return {
        rendering: renderer.render(decisions, now),
        stateId,
        etag: etag(),
        packed: () => parts.pack(stateId, decisions),
      };
    },

    etag,
    changesSince: set.changesSince,
    countsSince: set.countsSince,
    holds: (decision) => set.get(decision.value, decision.scenario) !== undefined,
    object: (decision, at) => decisionObject(decision, at, format),
    size: set.size,
    all: () => set.sorted(),

    covering(network) {
      if (parts.isAllowed?.(network)) return [];
      const values = Array.from({ length: network.prefix + 1 }, (_, prefix) => widen(network, prefix));
      // An address and the range of only that address cover each other.
      if (isOneAddress(network)) values.push(network.text.split('/')[0] as string);
      return values.flatMap(withValue);
    },

    inside: (network) =>
      set.sorted().filter(({ value }) => contains(network, parseNetwork(value) as Network)),

    withValue,
  };
}
