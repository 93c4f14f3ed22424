/**
 * Expiring keys: bans, cursors, counters. Two stores implement this port, `embedded-ttl-store.ts` (one node, no other
 * server) and `redis-ttl-store.ts`; `ttl-store.suite.ts` proves both alike.
 *
 * Every method rejects with `StoreUnavailable` when the store cannot be read or written; none ever answers with less
 * than it knows. What was written or deleted when the promise resolves, and what a mirror has reported, is still so when
 * this process is killed.
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
   * Counts events in a sliding window. `record` adds one now and resolves to the number within the last `windowMs`, this
   * one included; `count` only looks. `retryAfterMs` is when the oldest counted event leaves the window. When this process
   * is killed, the events of its last second may be forgotten.
   */
  record(key: string, windowMs: number): Promise<EventCount>;
  count(key: string, windowMs: number): Promise<EventCount>;

  /**
   * A versioned document has a short mark and a long body. The mark can move without writing the body again, and it only
   * moves forwards: `order` of a write below the stored one changes nothing. When this process is killed, a mark that
   * moved without a body and without `after` may fall back by a second.
   */
  readMark(key: string, renewTtlMs?: number): Promise<DocumentMark | undefined>;
  readDocument(key: string): Promise<VersionedDocument | undefined>;
  /**
   * `body-needed`: no body was passed and the stored document (if any) holds another `bodyId`; nothing was written.
   * `older`: the stored order is higher; nothing was written.
   * `changed`: the stored order is not the one that the write comes after; nothing was written.
   */
  writeDocument(key: string, write: DocumentWrite): Promise<WriteOutcome>;

  /** A live view of every plain key that begins with `prefix`. One mirror per prefix; the store closes it. */
  mirror(prefix: string): TtlMirror;

  /** Resolves when the store answers and would take a write; rejects with `StoreRefusesWrites` when it only answers. */
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
  /** A text that changes without the body; absent when it is empty. */
  readonly note?: string;
}

export type WriteOutcome = 'written' | 'older' | 'changed' | 'body-needed';

export interface VersionedDocument extends DocumentMark {
  readonly body: Buffer;
}

/** Without a note or a lifetime, the stored one stays. */
export interface DocumentWrite extends DocumentMark {
  readonly body?: Buffer;
  readonly ttlMs?: number;
  /** Write only over the document of this order; 0 = only when there is none. */
  readonly after?: number;
}

/**
 * A key past its `expiresAt` may still be reported as present. Readers look at the steady clock, as it was when they called
 * `settle`: of what had ended by then, the store has said so.
 */
export interface TtlMirror {
  /** Resolves once every write that had finished before this call has been reported to the listener. */
  settle(): Promise<void>;
  /** Told of every key at first, then of every change; `undefined` = the key is gone. Set before the first `settle`. */
  listen(listener: MirrorListener): void;
}

/** `expiresAt` in milliseconds of the steady clock, `Infinity` for a key without end. */
export type MirrorListener = (key: string, expiresAt: number | undefined) => void;
