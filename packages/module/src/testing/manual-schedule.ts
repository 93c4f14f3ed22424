import type { Awaitable, Scheduler } from '../description.ts';

interface Task {
  due: number;
  readonly every: number | undefined;
  readonly work: () => Awaitable<void>;
}

/** Work that is due when the test says so. Nothing runs by itself. */
export function createManualSchedule({ onError }: { onError: (error: unknown) => void }) {
  const tasks = new Set<Task>();
  let now = 0;

  function add(task: Task): () => void {
    tasks.add(task);
    return () => void tasks.delete(task);
  }

  const schedule: Scheduler = {
    every: (ms, work) => add({ due: now + ms, every: ms, work }),
    after: (ms, work) => add({ due: now + ms, every: undefined, work }),
  };

  /** Runs all that falls due within this time, in its order. */
  async function advance(ms: number): Promise<void> {
    const end = now + ms;
    for (;;) {
      const [next] = [...tasks].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (!next) break;
      now = next.due;
      if (next.every === undefined) tasks.delete(next);
      else next.due += Math.max(next.every, 1);
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
