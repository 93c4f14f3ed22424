/** Resources that call records may use. Tests make them smaller. */
export interface CdrLimits {
  /** Searches that run at the same time, one per key. */
  readonly searchesAtOnce: number;
  /** From the request to the answer, waiting included (contract 17.13). */
  readonly searchMs: number;
  /** Above this many legs, a text of one or two digits is too broad (contract 17.13). */
  readonly broadLegs: number;
  /** Exports that run at the same time, one per key. */
  readonly exportsAtOnce: number;
  /** How long a new export waits for a place. */
  readonly exportWaitMs: number;
  /** How long a search or export waits for an earlier one of the same key. */
  readonly ownWaitMs: number;
  /** Interval at which the pace of an export is checked. */
  readonly paceMs: number;
  /** A slower client keeps its export only while nobody waits for its place. */
  readonly slowBytesPerSecond: number;
  /** A client that is slower for a minute (six steps) is cut off: its export holds a view of the database. */
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
