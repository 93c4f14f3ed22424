import type { HoursOverride } from '../../../engine/desired-call-flow.ts';

/** An override with the moment it was made. Plain data: it is stored as JSON. */
export interface StoredOverride extends HoursOverride {
  readonly since: number;
}

export interface StoredOverrides {
  /** Time of the last change, in milliseconds since the epoch; never the same twice. */
  readonly revision: number;
  readonly list: readonly StoredOverride[];
}

/**
 * The list after one more setting of the switch (contract 26.12). The later one wins: one for all routes replaces
 * everything, one for some routes removes these from earlier ones that name them. One for all stays beneath.
 */
export function withOverride(list: readonly StoredOverride[], added: StoredOverride): StoredOverride[] {
  if (added.routeIds.length === 0) return added.mode === 'auto' ? [] : [added];
  const before = list.flatMap((one) => {
    if (hasEnded(one, added.since)) return [];
    if (one.routeIds.length === 0) return [one];
    const routeIds = one.routeIds.filter((id) => !added.routeIds.includes(id));
    return routeIds.length === 0 ? [] : [{ ...one, routeIds }];
  });
  const isNeeded = added.mode !== 'auto' || before.some(({ routeIds }) => routeIds.length === 0);
  return isNeeded ? [...before, added] : before;
}

export const hasEnded = ({ until }: HoursOverride, at: number): boolean => until !== 0 && until <= at;
