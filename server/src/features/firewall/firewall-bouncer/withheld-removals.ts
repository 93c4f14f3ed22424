import type { Removal } from './cursor-note.ts';
import { type Decision, originOf } from './decision.ts';

/** The order of a removal that no answer has reported: no confirmation ends it. */
const UNTOLD = Number.MAX_SAFE_INTEGER;

/**
 * Leaves out removals of values that are still listed (contract 17.20). Some clients keep one entry per value and
 * origin, and some keep it for ever. So when its origin has no other ban of the value, a removal is only withheld: it
 * stays in the position and is reported once the value is gone.
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
