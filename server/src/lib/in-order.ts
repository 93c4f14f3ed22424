/** One job at a time for each name, in the order they came. */
export function createInOrder() {
  const last = new Map<string, Promise<unknown>>();

  return async <T>(name: string, job: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(job, job);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
