import { DURATION_FORMATS, type DurationFormat } from '../../../lib/bouncer-options.ts';
import type { Clock } from '../../../lib/clock.ts';
import { contains, isOneAddress, type Network, parseNetwork, widen } from '../../../lib/network.ts';
import { type Decision, type DecisionObject, decisionObject, SCENARIOS } from './decision.ts';
import type { ChangeCounts, Changes, DecisionSet } from './decision-set.ts';
import { createRenderer, type Rendering } from './rendering.ts';

/** All current bans at one moment, rendered and ready to be remembered. */
interface Snapshot {
  readonly rendering: Rendering;
  /** Names this state for the cursor. */
  readonly stateId: string;
  /** Names the membership (contract 8.6). */
  readonly etag: string;
  /** The snapshot as a cursor keeps it; made once per state. */
  packed(): Buffer;
}

interface ViewParts {
  readonly set: DecisionSet;
  readonly format: DurationFormat;
  /** Resolves once everything written before this call is in the set. */
  readonly settle: () => Promise<void>;
  /** Brings the set to a moment; nothing is waited for. */
  readonly refresh: (now: number) => void;
  readonly pack: (stateId: string, decisions: readonly Decision[]) => Buffer;
  /** Networks that are not banned, whatever covers them. */
  readonly isAllowed?: (network: Network) => boolean;
  readonly clock: Clock;
}

export interface DecisionView {
  /** Resolves once everything written before this call is in; rejects when a source cannot be read (contract 8.4). */
  settle(): Promise<void>;
  /** Call `settle` first; nothing may be awaited between this and `rendering.hold()`. */
  snapshot(): Snapshot;
  /** Names the membership, not the durations (contract 8.6). */
  etag(): string;
  /** How an earlier state differs from the present one; `undefined` when it is not remembered here. */
  changesSince(stateId: string): Changes | undefined;
  /** How many are gone and have come since each of these states; those that are not remembered here are left out. */
  countsSince(stateIds: Iterable<string>): ReadonlyMap<string, ChangeCounts>;
  holds(decision: Decision): boolean;
  /** The wire form, its duration counted from a moment. */
  object(decision: Decision, at: number): DecisionObject;
  size(): number;
  all(): readonly Decision[];
  /** Decisions equal to or containing a network. */
  covering(network: Network): Decision[];
  /** Decisions equal to or inside a network. */
  inside(network: Network): Decision[];
  withValue(value: string): Decision[];
}

/** A set of decisions as keys are told it. */
export function createDecisionView(parts: ViewParts): DecisionView {
  const { set, format, refresh, clock } = parts;
  const renderer = createRenderer(format);
  // Another way to write durations is another representation, though the membership is the same.
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
      // Not later than asked: what has ended meanwhile, the store has not confirmed (contract 17.19).
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
      // An address and the range of that one address cover each other.
      if (isOneAddress(network)) values.push(network.text.split('/')[0] as string);
      return values.flatMap(withValue);
    },

    inside: (network) =>
      set.sorted().filter(({ value }) => contains(network, parseNetwork(value) as Network)),

    withValue,
  };
}
