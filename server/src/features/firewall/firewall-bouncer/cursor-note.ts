import { type Decision, SCENARIOS } from './decision.ts';

/** A decision that an answer told as gone, and that is told again until an answer that tells it is confirmed (contract 17.16). */
export interface Removal {
  readonly decision: Decision;
  /** When the decision was told for the last time: the moment at which its duration was true. */
  readonly toldAt: number;
  /** Of the first answer that told it as gone. */
  readonly order: number;
}

/** What a position says beside its snapshot. */
export interface CursorNote {
  readonly removals: readonly Removal[];
  /** Identities that the snapshot holds although its answer did not go out whole; `all` = nothing of it was ever told. */
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

/** Reads a note; `undefined` when it is not one. */
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
