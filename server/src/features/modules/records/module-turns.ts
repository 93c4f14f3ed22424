import { Overloaded } from '../../../lib/errors.ts';

interface TurnRules {
  /** Of one module, running at the same time. */
  readonly each: number;
  /** Of all modules together. */
  readonly atOnce: number;
  /** Of one module, waiting; more are refused at once. */
  readonly waiting: number;
  /** Error message for those that may not wait. */
  readonly refusal: string;
}

/** Limits the concurrent work of modules. A module that has just had a turn comes after those that wait for one. */
export function createModuleTurns({ each, atOnce, waiting: most, refusal }: TurnRules) {
  const running = new Map<string, number>();
  /** In the order in which modules come next. */
  const waiting = new Map<string, (() => void)[]>();
  let busy = 0;

  function admit(): void {
    for (const [module, line] of waiting) {
      if (busy >= atOnce) return;
      const mine = running.get(module) ?? 0;
      if (mine >= each) continue;
      const begin = line.shift();
      // Behind the others, if it has more work.
      waiting.delete(module);
      if (line.length > 0) waiting.set(module, line);
      running.set(module, mine + 1);
      busy++;
      begin?.();
    }
  }

  function end(module: string): void {
    busy--;
    const left = (running.get(module) ?? 1) - 1;
    if (left === 0) running.delete(module);
    else running.set(module, left);
    admit();
  }

  return {
    async run<T>(module: string, work: () => Promise<T>): Promise<T> {
      const line = waiting.get(module) ?? [];
      if (line.length >= most) throw new Overloaded(refusal);
      await new Promise<void>((begin) => {
        line.push(begin);
        waiting.set(module, line);
        admit();
      });
      try {
        return await work();
      } finally {
        end(module);
      }
    },
  };
}
