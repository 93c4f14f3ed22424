import type { CursorNote, Removal } from './cursor-note.ts';
import { CURSOR_LIFETIME_MS, type Cursor, toldAt } from './cursors.store.ts';
import { compareDecisions, type Decision, identity } from './decision.ts';
import type { Changes } from './decision-set.ts';
import { isTold } from './withheld-removals.ts';

/** A position that a key may hold. */
export interface Told {
  readonly cursor: Cursor;
  /** The snapshot itself, when the journal of the present state does not reach back to it. */
  readonly decisions?: readonly Decision[] | undefined;
}

/** The state that positions are compared with. */
interface Present {
  readonly decisions: readonly Decision[];
  holds(decision: Decision): boolean;
  changesSince(stateId: string): Changes | undefined;
}

export interface Difference {
  /** Decisions that the key may hold and that are gone, in answer order. */
  readonly removals: readonly Removal[];
  /** Present decisions that the key has never received. Call it only when the answer with them was cut off. */
  unseen(): CursorNote['unseen'];
}

/** Compares the positions that a key may hold with the state that the answer of this order sends (contract 17.16). */
export function findDifference(told: readonly Told[], present: Present, order: number): Difference {
  const removals = new Map<string, Removal>();
  const note = (removal: Removal) => {
    const name = nameOf(removal.decision);
    if (!removals.has(name)) removals.set(name, removal);
  };
  const compared = told.map(({ cursor, decisions }) => {
    const changes = decisions ? undefined : present.changesSince(cursor.stateId);
    const neverTold = new Set(cursor.unseen);
    const gone = changes?.gone ?? decisions?.filter((decision) => !present.holds(decision)) ?? [];
    for (const decision of gone) {
      if (!neverTold.has(nameOf(decision))) note({ decision, toldAt: toldAt(cursor), order });
    }
    return { cursor, decisions, changes };
  });
  for (const { cursor } of compared) {
    for (const removal of cursor.removals) {
      // A client that confirms nothing for an hour is treated like one that does not poll.
      const isYoung = toldAt({ order }) - toldAt(removal) < CURSOR_LIFETIME_MS;
      if (isYoung && !present.holds(removal.decision))
        note(isTold(removal) ? removal : { ...removal, order });
    }
  }

  return {
    removals: [...removals.values()].sort((a, b) => compareDecisions(a.decision, b.decision)),
    unseen() {
      const [only, ...others] = compared;
      if (!only) return 'all';
      // The store fell back behind one of the positions: one removal too many is better than one too few.
      if (others.length > 0) return [];
      const { cursor, decisions, changes } = only;
      const known = new Set(decisions?.map(nameOf));
      for (const name of cursor.unseen) known.delete(name);
      const fresh = changes
        ? [...changes.added, ...cursor.unseen]
        : present.decisions.map(nameOf).filter((name) => !known.has(name));
      const told = new Set(cursor.removals.map(({ decision }) => nameOf(decision)));
      return fresh.filter((name) => !told.has(name));
    },
  };
}

const nameOf = ({ value, scenario }: Decision): string => identity(value, scenario);
