import type { Clock } from '../../../lib/clock.ts';

/** The median of this many gaps counts, so one restart of a bouncer or one manual poll does not change it. */
const GAPS = 5;
/** With fewer gaps the stored interval still counts. */
const ENOUGH = 3;
const LONGEST_MS = 2_000_000_000;

interface Polls {
  /** By the steady clock. */
  at: number;
  readonly gaps: number[];
}

/** How often each key polls this node, independent of changes to the machine's clock (ADR 28). */
export function createPollIntervals({ steady }: { readonly steady: Clock }) {
  const known = new Map<number, Polls>();

  return {
    polled(id: number): void {
      const at = steady.now();
      const polls = known.get(id);
      if (!polls) {
        // A gap that contains a restart of this service says nothing about the bouncer.
        known.set(id, { at, gaps: [] });
        return;
      }
      polls.gaps.push(Math.min(at - polls.at, LONGEST_MS));
      if (polls.gaps.length > GAPS) polls.gaps.shift();
      polls.at = at;
    },

    /** The usual time between two polls, in ms, once there are enough gaps. */
    measured(id: number): number | undefined {
      const gaps = known.get(id)?.gaps ?? [];
      return gaps.length < ENOUGH ? undefined : middle(gaps);
    },

    /** The best known interval; `stored` is the one from before this start. */
    usual(id: number, stored: number | null): number | null {
      const gaps = known.get(id)?.gaps ?? [];
      if (gaps.length === 0 || (gaps.length < ENOUGH && stored !== null)) return stored;
      return middle(gaps);
    },

    /** Time since the last poll that this node answered, in ms. */
    since(id: number): number | undefined {
      const at = known.get(id)?.at;
      return at === undefined ? undefined : steady.now() - at;
    },

    forget: (id: number): void => void known.delete(id),
  };
}

const middle = (gaps: readonly number[]): number =>
  [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] as number;

export type PollIntervals = ReturnType<typeof createPollIntervals>;
