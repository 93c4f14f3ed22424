import { hash, randomUUID } from 'node:crypto';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';

/** Names counted separately per place; all further ones share a counter, so inventing names cannot fill the memory. */
const MOST_NAMES = 20;
const OTHERS = '\0others';
const LONGEST_NAME = 150;

interface CountStoreParts {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
}

/**
 * Failures in a sliding window per place and name, where a place is a category and an address or network. Each name has
 * its own counter, so that it can be reset alone; a document lists the names, so that the counters can be added up.
 */
export function createFailureCountStore({ ttl, redisPrefix }: CountStoreParts) {
  const rootOf = (place: string) => `${redisPrefix}:failures:${place}`;
  const namesKey = (place: string) => `${rootOf(place)}:names`;
  // Hashed because a stranger chose the name.
  const countKey = (place: string, name: string) =>
    `${rootOf(place)}:of:${hash('sha256', name, 'base64url').slice(0, 22)}`;
  const bounded = (name: string) => name.slice(0, LONGEST_NAME).toWellFormed();

  async function read(place: string): Promise<{ order: number; names: readonly string[] }> {
    const stored = await ttl.readDocument(namesKey(place));
    return stored
      ? { order: stored.order, names: JSON.parse(stored.body.toString()) as string[] }
      : { order: 0, names: [] };
  }

  async function countsOf(place: string, names: readonly string[], windowMs: number) {
    const counts = await Promise.all(names.map((name) => ttl.count(countKey(place, name), windowMs)));
    return new Map(names.flatMap((name, i) => (counts[i]?.count ? [[name, counts[i].count]] : [])));
  }

  /** Puts the name into the list of the place; resolves to the name under which the failure is counted. */
  async function list(place: string, name: string, windowMs: number): Promise<string> {
    for (;;) {
      const { order, names } = await read(place);
      const isFull = names.length >= MOST_NAMES && !names.includes(name);
      const kept = isFull ? [...(await countsOf(place, names, windowMs)).keys()] : names;
      const listed = kept.length >= MOST_NAMES && !kept.includes(name) ? OTHERS : name;
      if (names.includes(listed)) {
        await ttl.readMark(namesKey(place), windowMs);
        return listed;
      }
      const outcome = await ttl.writeDocument(namesKey(place), {
        order: order + 1,
        bodyId: randomUUID(),
        body: Buffer.from(JSON.stringify([...kept, listed])),
        ttlMs: windowMs,
        after: order,
      });
      // Otherwise another node wrote first and may have listed other names: try again.
      if (outcome === 'written') return listed;
    }
  }

  return {
    /** Counts one failure; resolves to the counts of all names that failed there within the window. */
    async add(place: string, name: string, windowMs: number): Promise<ReadonlyMap<string, number>> {
      const listed = await list(place, bounded(name), windowMs);
      await ttl.record(countKey(place, listed), windowMs);
      return countsOf(place, (await read(place)).names, windowMs);
    },

    /** Every name that may have a count there. */
    names: async (place: string): Promise<readonly string[]> => (await read(place)).names,

    /** Sets the count of names to zero. */
    async clear(place: string, names: readonly string[]): Promise<void> {
      const listed = (await read(place)).names;
      const cleared = names.map(bounded).filter((name) => listed.includes(name));
      if (cleared.length > 0) await ttl.delete(cleared.map((name) => countKey(place, name)));
    },

    /** Sets all counts of the place to zero. */
    async clearAll(place: string): Promise<void> {
      const { names } = await read(place);
      if (names.length > 0)
        await ttl.delete([...names.map((name) => countKey(place, name)), namesKey(place)]);
    },
  };
}
