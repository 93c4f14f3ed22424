/** One job at a time for each name: guesses sent all at once must not slip past a limit that is counted after each. */
export function createTurns() {
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
