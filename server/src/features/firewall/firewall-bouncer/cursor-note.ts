import { type Decision, SCENARIOS } from './decision.ts';

/** A removed decision; `deleted` repeats it until an answer that contains it is confirmed (contract 17.16). */
export interface Removal {
  readonly decision: Decision;
  /** When `new` last contained the decision: the moment for which its duration was true. */
  readonly toldAt: number;
  /** The order of the first answer that reported the removal. */
  readonly order: number;
}

/** What a position holds besides its snapshot. */
export interface CursorNote {
  readonly removals: readonly Removal[];
  /** Identities in the snapshot that the key may not have, as the answer was cut off; `all` = it has none of them. */
  readonly unseen: 'all' | readonly string[];
}

export const EMPTY_NOTE: CursorNote = { removals: [], unseen: [] };

type Row = [value: string, scenario: number, expiresAt: number | null, toldAt: number, order: number];

export function noteText({ removals, unseen }: CursorNote): string {
  if (removals.length === 0 && unseen.length === 0) return '';
  const rows = removals.map(({ decision: { value, scenario, expiresAt }, toldAt, order }): Row => {
    const end = expiresAt === Infinity ? null : expiresAt;
    return [value, SCENARIOS.indexOf(scenario), end, toldAt, order];
  });
  return JSON.stringify([rows, unseen]);
}

/** Reads a note; `undefined` when the text is none. */
export function parseNote(text: string | undefined): CursorNote | undefined {
  if (!text) return EMPTY_NOTE;
  try {
    const [rows, unseen] = JSON.parse(text) as [Row[], 'all' | string[]];
    if (unseen !== 'all' && !unseen.every((name) => typeof name === 'string')) return undefined;
    return { removals: rows.map(readRow), unseen };
  } catch {
    return undefined;
  }
}

function readRow([value, index, end, toldAt, order]: Row): Removal {
  const scenario = SCENARIOS[index];
  const expiresAt = end ?? Infinity;
  const numbers = [expiresAt, toldAt, order].every((number) => typeof number === 'number');
  if (typeof value !== 'string' || scenario === undefined || !numbers) throw new TypeError('not a removal');
  return { decision: { value, scenario, expiresAt }, toldAt, order };
}
