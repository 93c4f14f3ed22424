/** Somebody who reads a rendering. */
export interface Reader {
  /** Whose limit it counts for. */
  readonly owner: string;
  /** Ends the reading; what was read so far is worth nothing. */
  cutOff(): void;
}

/** A rendering that is no longer the latest, and who still reads it. */
interface Busy {
  readonly at: number;
  readonly readers: ReadonlySet<Reader>;
}

/** Who takes longer is slow. */
const SLOW_MS = 1000;
/** Renderings that one owner may read slowly. */
const SLOW_PER_OWNER = 2;
/** Renderings that all owners together may read, slowly or not: each may hold megabytes. */
const IN_ALL = 24;

/**
 * Ends the slowest readings, so that they take no memory without end and cost nobody else an answer. `busy` is in the
 * order of time.
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
