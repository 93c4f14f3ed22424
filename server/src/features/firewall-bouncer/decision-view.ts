import type { DurationFormat } from '../../lib/bouncer-options.ts';
import type { Clock } from '../../lib/clock.ts';
import { contains, isOneAddress, type Network, parseNetwork, widen } from '../../lib/network.ts';
import { type Decision, type DecisionObject, decisionObject, SCENARIOS } from './decision.ts';
import type { Changes, DecisionSet } from './decision-set.ts';
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

interface ViewParts {
  readonly set: DecisionSet;
  readonly format: DurationFormat;
  /** Resolves once everything written before this call is in the set. */
  readonly settle: () => Promise<void>;
  /** Brings the set to a moment; nothing is waited for. */
  readonly refresh: (now: number) => void;
  readonly pack: (stateId: string, decisions: readonly Decision[]) => Buffer;
  readonly clock: Clock;
}

/** A set of decisions as keys are told it. */
export function createDecisionView({ set, format, settle, refresh, pack, clock }: ViewParts) {
  const renderer = createRenderer(format);

  /** Names the membership, not the durations (contract 8.6). */
  function etag(): string {
    return `W/"${set.membershipId()}"`;
  }

  function withValue(value: string): Decision[] {
    return SCENARIOS.map((scenario) => set.get(value, scenario)).filter((decision) => decision !== undefined);
  }

  return {
    /** Resolves once everything written before this call is in; rejects when a source cannot be read (contract 8.4). */
    async settle(): Promise<void> {
      await settle();
      refresh(clock.now());
    },

    /** Call `settle` first; nothing may be awaited between this and `rendering.hold()`. */
    snapshot(): Snapshot {
      const now = clock.now();
      refresh(now);
      const decisions = set.sorted();
      const stateId = set.stateId();
      return {
        rendering: renderer.render(decisions, now),
        stateId,
        etag: etag(),
        packed: () => pack(stateId, decisions),
      };
    },

    etag,

    /** How an earlier state differs from the present one; `undefined` when it is not remembered here. */
    changesSince: set.changesSince,

    holds: (decision: Decision): boolean => set.get(decision.value, decision.scenario) !== undefined,

    /** The wire form, its duration counted from a moment. */
    object: (decision: Decision, at: number): DecisionObject => decisionObject(decision, at, format),

    size: set.size,

    all: (): readonly Decision[] => set.sorted(),

    /** Decisions equal to or containing a network. */
    covering(network: Network): Decision[] {
      const values = Array.from({ length: network.prefix + 1 }, (_, prefix) => widen(network, prefix));
      // An address and the range of that one address cover each other.
      if (isOneAddress(network)) values.push(network.text.split('/')[0] as string);
      return values.flatMap(withValue);
    },

    /** Decisions equal to or inside a network. */
    inside(network: Network): Decision[] {
      return set.sorted().filter(({ value }) => contains(network, parseNetwork(value) as Network));
    },

    withValue,
  };
}

export type DecisionView = ReturnType<typeof createDecisionView>;
