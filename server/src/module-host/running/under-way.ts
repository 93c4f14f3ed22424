/** Starts and stops of modules that are not finished. */
export function createUnderWay() {
  const byId = new Map<string, Promise<void>>();

  async function settled(id: string): Promise<void> {
    while (byId.has(id)) await byId.get(id);
  }

  return {
    /** What must finish before the next one begins. */
    of: (id: string): Promise<void> | undefined => byId.get(id),
    track(id: string, work: Promise<void>): void {
      const both = Promise.allSettled([byId.get(id), work]).then(() => {
        if (byId.get(id) === both) byId.delete(id);
      });
      byId.set(id, both);
    },
    settled,
    allSettled: (): Promise<unknown> => Promise.all([...byId.keys()].map(settled)),
  };
}
