import type { Removal } from './cursor-note.ts';
import { type Decision, originOf } from './decision.ts';

/** The order of a removal that no answer has told: no confirmation ends it. */
const UNTOLD = Number.MAX_SAFE_INTEGER;

/**
 * Removals without those of values that are still listed (contract 17.20). Some clients keep an entry per value and
 * origin, and some of those for ever. So a removal whose origin has no other ban of the value is only withheld: it stays
 * in the position, and is told once the value is gone.
 */
export function withholdPresent(
  removals: readonly Removal[],
  withValue: (value: string) => readonly Decision[],
): readonly Removal[] {
  return removals.flatMap((removal) => {
    const origins = withValue(removal.decision.value).map(({ scenario }) => originOf(scenario));
    if (origins.length === 0) return removal;
    return origins.includes(originOf(removal.decision.scenario)) ? [] : { ...removal, order: UNTOLD };
  });
}

export const isTold = ({ order }: Removal): boolean => order !== UNTOLD;
