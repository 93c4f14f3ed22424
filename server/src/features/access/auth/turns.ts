import { Overloaded } from '../../../lib/errors.ts';

/** Per name: enough for many users behind one address, too few for a flood. */
const MOST_WAITING = 50;

/** Runs one job at a time per name: parallel guesses must not slip past a limit that is counted after each guess. */
export function createTurns() {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();

  return async <T>(name: string, job: () => Promise<T>): Promise<T> => {
    const line = lines.get(name) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > MOST_WAITING) throw new Overloaded('too many logins at once from one place');
    const mine = line.last.then(job, job);
    line.last = mine;
    line.length++;
    lines.set(name, line);
    try {
      return await mine;
    } finally {
      line.length--;
      if (line.length === 0) lines.delete(name);
    }
  };
}
