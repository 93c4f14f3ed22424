/** What call records may take of the machine. Tests make them smaller. */
export interface CdrLimits {
  /** Searches of different keys that run at the same time; a key has one. */
  readonly searchesAtOnce: number;
  /** From the request to the answer, waiting included (contract 17.13). */
  readonly searchMs: number;
  /** Above so many legs a text of one or two digits is too broad (contract 17.13). */
  readonly broadLegs: number;
  /** Exports of different keys that run at the same time; a key has one. */
  readonly exportsAtOnce: number;
  /** How long a new export waits for a place. */
  readonly exportWaitMs: number;
  /** How long a search or export waits for the one before it of the same key. */
  readonly ownWaitMs: number;
  /** How fast a client takes an export is looked at in steps of this. */
  readonly paceMs: number;
  /** A client that takes less keeps its export only as long as nobody else waits for its place. */
  readonly slowBytesPerSecond: number;
  /** A client that takes less for a minute (six steps) is let go: its export holds a view of the database. */
  readonly leastBytesPerSecond: number;
}

export const LIMITS: CdrLimits = {
  searchesAtOnce: 3,
  searchMs: 10_000,
  broadLegs: 1_000_000,
  exportsAtOnce: 6,
  exportWaitMs: 15_000,
  ownWaitMs: 2_000,
  paceMs: 10_000,
  slowBytesPerSecond: 64 * 1024,
  leastBytesPerSecond: 4 * 1024,
};
