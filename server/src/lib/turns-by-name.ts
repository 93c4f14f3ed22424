import { createOneAtATime } from './one-at-a-time.ts';

/** Runs jobs of the same name one after the other; those of other names do not wait. */
export function createTurnsByName() {
  const lines = new Map<string, { readonly inTurn: ReturnType<typeof createOneAtATime>; length: number }>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(name) ?? { inTurn: createOneAtATime(), length: 0 };
    lines.set(name, line);
    line.length++;
    try {
      return await line.inTurn(work);
    } finally {
      line.length--;
      if (line.length === 0) lines.delete(name);
    }
  };
}
