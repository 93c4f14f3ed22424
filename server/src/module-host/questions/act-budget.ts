import type { Act } from '@pbxcore/module/description';
import type { Clock } from '../../lib/clock.ts';
import { TooManyRequests } from '../../lib/errors.ts';

/** Per minute, by one module. `originate` rings somebody's phone; the others only end or move existing calls. */
const PER_MINUTE: Readonly<Record<Act, number>> = { originate: 60, hangup: 600, transfer: 600 };
/** Calls that one module has made and that are not over. */
const MOST_UNDER_WAY = 10;
const MINUTE_MS = 60_000;

interface Acts {
  /** The times of each act in the last minute. */
  readonly times: Readonly<Record<Act, number[]>>;
  /** Calls that it has made. */
  calls: string[];
  /** How many are being made just now. */
  making: number;
}

interface ActBudgetParts {
  readonly clock: Clock;
  readonly isUnderWay: (callId: string) => boolean;
}

/** Limits how often a module acts on calls. Kept by the module's id: crashing or being enabled again resets nothing. */
export function createActBudget({ clock, isUnderWay }: ActBudgetParts) {
  const byId = new Map<string, Acts>();

  function actsOf(id: string): Acts {
    const known = byId.get(id);
    if (known) return known;
    const made: Acts = { times: { originate: [], hangup: [], transfer: [] }, calls: [], making: 0 };
    byId.set(id, made);
    return made;
  }

  return {
    /** Throws `TooManyRequests`. */
    take(id: string, act: Act): void {
      const { times } = actsOf(id);
      const now = clock.now();
      const recent = times[act].filter((at) => at <= now && at > now - MINUTE_MS);
      times[act].splice(0, times[act].length, ...recent);
      const most = PER_MINUTE[act];
      if (recent.length >= most)
        throw new TooManyRequests(
          `${act}: at most ${most} times in a minute`,
          ((recent[0] as number) + MINUTE_MS - now) / 1000,
        );
      times[act].push(now);
    },

    /** Makes a call, unless too many of its calls are under way. */
    async making(id: string, make: () => Promise<string>): Promise<string> {
      const acts = actsOf(id);
      acts.calls = acts.calls.filter(isUnderWay);
      if (acts.calls.length + acts.making >= MOST_UNDER_WAY)
        throw new TooManyRequests(`originate: at most ${MOST_UNDER_WAY} calls of a module at a time`, 1);
      acts.making++;
      try {
        const callId = await make();
        acts.calls.push(callId);
        return callId;
      } finally {
        acts.making--;
      }
    },
  };
}
