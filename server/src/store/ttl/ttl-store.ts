/**
 * Expiring keys: bans, cursors, counters. Two stores implement this port, `embedded-ttl-store.ts` (one node, no other
 * server) and `redis-ttl-store.ts`; both must pass `ttl-store.suite.ts`.
 *
 * Every method rejects with `StoreUnavailable` when the store cannot be read or written; none ever gives an incomplete
 * answer. Once the promise of a write or delete resolves, or a mirror has reported it, it survives the death of this
 * process.
 */
export interface TtlStore {
  readonly kind: 'embedded' | 'redis';

  /** Writes a plain value. Without `ttlMs` the key has no end. */
  set(key: string, value: string, ttlMs?: number): Promise<void>;
  /** Remaining milliseconds, `Infinity` for a key without end, `undefined` for a missing key. */
  remaining(key: string): Promise<number | undefined>;
  /** Removes keys; resolves to those that existed. */
  delete(keys: readonly string[]): Promise<string[]>;

  /**
   * Counts events in a sliding window. `record` adds one now and resolves to the number within the last `windowMs`,
   * including this one; `count` only reads. `retryAfterMs` is the time until the oldest counted event leaves the
   * window. When this process is killed, the events of its last second may be lost.
   */
  record(key: string, windowMs: number): Promise<EventCount>;
  count(key: string, windowMs: number): Promise<EventCount>;

  /**
   * A versioned document has a short mark and a long body. The mark can move without writing the body again, and only
   * forwards: a write with an `order` below the stored one changes nothing. When this process is killed, a mark that
   * moved without a body and without `after` may fall back by a second.
   */
  readMark(key: string, renewTtlMs?: number): Promise<DocumentMark | undefined>;
  readDocument(key: string): Promise<VersionedDocument | undefined>;
  /**
   * `body-needed`: no body was passed and the stored document (if any) has another `bodyId`; nothing was written.
   * `older`: the stored order is higher; nothing was written.
   * `changed`: the stored order differs from `after`; nothing was written.
   */
  writeDocument(key: string, write: DocumentWrite): Promise<WriteOutcome>;

  /** A live view of every plain key that begins with `prefix`. One mirror per prefix; the store closes it. */
  mirror(prefix: string): TtlMirror;

  /** Resolves when the store would accept a write; rejects with `StoreRefusesWrites` when it only answers reads. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface EventCount {
  readonly count: number;
  readonly retryAfterMs: number;
}

export interface DocumentMark {
  /** An integer below 2^53. */
  readonly order: number;
  readonly bodyId: string;
  /** A text that can change without the body; absent when empty. */
  readonly note?: string;
}

export type WriteOutcome = 'written' | 'older' | 'changed' | 'body-needed';

export interface VersionedDocument extends DocumentMark {
  readonly body: Buffer;
}

/** Without a note or a lifetime, the stored one is kept. */
export interface DocumentWrite extends DocumentMark {
  readonly body?: Buffer;
  readonly ttlMs?: number;
  /** Write only over a document of this order; 0 = only when there is none. */
  readonly after?: number;
}

/**
 * A key past its `expiresAt` may still be reported as present. Readers compare ends with the steady clock as of their
 * call of `settle`: the store has confirmed everything that had ended by then.
 */
export interface TtlMirror {
  /** Resolves once every write that had finished before this call has been reported to the listener. */
  settle(): Promise<void>;
  /** Reports every key at first, then every change; `undefined` = the key is gone. Set before the first `settle`. */
  listen(listener: MirrorListener): void;
}

/** `expiresAt` in milliseconds of the steady clock, `Infinity` for a key without end. */
export type MirrorListener = (key: string, expiresAt: number | undefined) => void;
