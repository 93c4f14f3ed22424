import { compareDecisions, type Decision, SCENARIOS } from './decision.ts';
import { createDecisionSet, type DecisionSet } from './decision-set.ts';

interface NarrowedParts {
  readonly base: DecisionSet;
  /** Keep only the longest decision of each value; among equally long ones, the last in order. */
  readonly onePerValue: boolean;
  /** Whether a value is left out. */
  readonly isHidden: (value: string) => boolean;
}

/** A subset that follows another set (contract 17.20). Each change there updates only one value here. */
export function createNarrowedSet({ base, onePerValue, isHidden }: NarrowedParts) {
  const set = createDecisionSet();

  function follow(value: string): void {
    const present: Decision[] = [];
    for (const scenario of SCENARIOS) {
      const decision = base.get(value, scenario);
      if (decision) present.push(decision);
      else set.remove(value, scenario);
    }
    take(value, present.sort(compareDecisions));
  }

  /** Takes over the decisions of a value; `present` holds all of them in order. */
  function take(value: string, present: readonly Decision[]): void {
    const first =
      present.length === 0 || isHidden(value) ? present.length : onePerValue ? present.length - 1 : 0;
    present.forEach(({ scenario, expiresAt }, i) => {
      if (i < first) set.remove(value, scenario);
      else set.put(value, scenario, expiresAt);
    });
  }

  /** To be called after `isHidden` has changed. */
  function followAll(): void {
    const all = base.sorted();
    for (let end = 0, start = 0; start < all.length; start = end) {
      const { value } = all[start] as Decision;
      while (all[end]?.value === value) end++;
      take(value, all.slice(start, end));
    }
  }

  followAll();
  const close = base.onChange(follow);
  return { set, followAll, close };
}
