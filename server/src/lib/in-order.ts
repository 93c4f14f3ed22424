/** Runs jobs of one name one at a time, in order of arrival. Beyond `most` waiting jobs of a name, more are dropped. */
export function createInOrder({ most }: { most: number }) {
  const lines = new Map<string, { last: Promise<void>; length: number }>();

  return async (name: string, job: () => Promise<void>): Promise<void> => {
    const line = lines.get(name) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= most) return;
    const mine = line.last.then(job, job);
    line.last = mine;
    line.length++;
    lines.set(name, line);
    try {
      await mine;
    } finally {
      line.length--;
      if (line.length === 0) lines.delete(name);
    }
  };
}
