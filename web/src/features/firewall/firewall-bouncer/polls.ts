/** Polls that this page has seen, by key: nothing else records how regular they are. */
const seen = new Map<string, number[]>();
/** The period shown. */
export const WINDOW_MS = 300_000;
/** The same poll may be reported twice with a second's difference. */
const SAME_MS = 1500;

export function notePoll(key: string, at: number): void {
  const polls = seen.get(key) ?? [];
  const last = polls.at(-1);
  if (last !== undefined && at - last < SAME_MS) return;
  seen.set(key, [...polls.filter((poll) => at - poll < WINDOW_MS), at]);
}

export const pollsOf = (key: string): readonly number[] => seen.get(key) ?? [];
