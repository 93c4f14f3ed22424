import type { Awaitable, Scheduler } from '../description.ts';

const MAX_TIMER_MS = 2 ** 31 - 1;
/** The same as for timers in the exchange. */
const SHORTEST_ROUND_MS = 100;

interface Task {
  due: number;
  readonly every: number | undefined;
  readonly work: () => Awaitable<void>;
}

/** Scheduled work that runs when the test says so, never by itself. */
export function createManualSchedule({ onError }: { onError: (error: unknown) => void }) {
  const tasks = new Set<Task>();
  let now = 0;

  function add(task: Task): () => void {
    tasks.add(task);
    return () => void tasks.delete(task);
  }

  const schedule: Scheduler = {
    every(ms, work) {
      checkTime(ms);
      const round = Math.max(SHORTEST_ROUND_MS, ms);
      return add({ due: now + round, every: round, work });
    },
    after(ms, work) {
      checkTime(ms);
      return add({ due: now + ms, every: undefined, work });
    },
  };

  /** Runs everything that falls due within this time, in order. */
  async function advance(ms: number): Promise<void> {
    const end = now + ms;
    for (;;) {
      const [next] = [...tasks].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (!next) break;
      now = next.due;
      if (next.every === undefined) tasks.delete(next);
      else next.due += next.every;
      try {
        await next.work();
      } catch (error) {
        onError(error);
      }
    }
    now = end;
  }

  return { schedule, advance };
}

function checkTime(ms: unknown): void {
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= MAX_TIMER_MS))
    throw new Error(`a delay must be 0..${MAX_TIMER_MS} milliseconds, not ${String(ms)}`);
}
