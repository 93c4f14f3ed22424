import { compareDecisions, type Decision, SCENARIOS } from './decision.ts';
import { createDecisionSet, type DecisionSet } from './decision-set.ts';

interface NarrowedParts {
  readonly base: DecisionSet;
  /** Of the decisions of one value only the longest; of equals the one that comes last. */
  readonly onePerValue: boolean;
  /** Values that are left out. */
  readonly isHidden: (value: string) => boolean;
}

/** A set that follows another one and holds less (contract 17.20). A change of the other costs one value here. */
export function createNarrowedSet({ base, onePerValue, isHidden }: NarrowedParts) {
  const set = createDecisionSet();

  function follow(value: string): void {
    const kept = keptOf(value);
    for (const scenario of SCENARIOS) {
      const decision = kept.find((one) => one.scenario === scenario);
      if (decision) set.put(value, scenario, decision.expiresAt);
      else set.remove(value, scenario);
    }
  }

  function keptOf(value: string): Decision[] {
    if (isHidden(value)) return [];
    const decisions = SCENARIOS.map((scenario) => base.get(value, scenario)).filter(
      (one) => one !== undefined,
    );
    return onePerValue ? decisions.sort(compareDecisions).slice(-1) : decisions;
  }

  /** After what is hidden has changed. */
  function followAll(): void {
    let last = '';
    for (const { value } of base.sorted()) {
      if (value !== last) follow(value);
      last = value;
    }
  }

  followAll();
  const close = base.onChange(follow);
  return { set, followAll, close };
}
