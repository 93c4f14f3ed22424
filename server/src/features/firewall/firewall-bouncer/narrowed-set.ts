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
    const present: Decision[] = [];
    for (const scenario of SCENARIOS) {
      const decision = base.get(value, scenario);
      if (decision) present.push(decision);
      else set.remove(value, scenario);
    }
    take(value, present.sort(compareDecisions));
  }

  /** All decisions of a value, in order. */
  function take(value: string, present: readonly Decision[]): void {
    const first =
      present.length === 0 || isHidden(value) ? present.length : onePerValue ? present.length - 1 : 0;
    present.forEach(({ scenario, expiresAt }, i) => {
      if (i < first) set.remove(value, scenario);
      else set.put(value, scenario, expiresAt);
    });
  }

  /** After what is hidden has changed. */
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
