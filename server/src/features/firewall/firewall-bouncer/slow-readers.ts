/** A response, or another task, that reads a rendering. */
export interface Reader {
  /** Whose limit the reader counts towards. */
  readonly owner: string;
  /** Aborts the read; the part read so far is useless. */
  cutOff(): void;
}

/** A rendering that is no longer the latest but still has readers. */
interface Busy {
  readonly at: number;
  readonly readers: ReadonlySet<Reader>;
}

/** A reader that takes longer is slow. */
const SLOW_MS = 1000;
/** Renderings that one owner may read slowly. */
const SLOW_PER_OWNER = 2;
/** Old renderings that all owners together may read, slowly or not: each may hold megabytes. */
const IN_ALL = 24;

/**
 * Cuts off the slowest readers, so that their memory stays bounded and nobody else loses an answer. `busy` is sorted by
 * time.
 */
export function cutSlowReaders(busy: readonly Busy[], now: number): void {
  const counts = new Map<string, number>();
  busy.toReversed().forEach(({ at, readers }, older) => {
    for (const owner of new Set([...readers].map((reader) => reader.owner))) {
      const count = (counts.get(owner) ?? 0) + (now - at >= SLOW_MS ? 1 : 0);
      counts.set(owner, count);
      if (count <= SLOW_PER_OWNER && older < IN_ALL) continue;
      for (const reader of readers) if (reader.owner === owner) reader.cutOff();
    }
  });
}
