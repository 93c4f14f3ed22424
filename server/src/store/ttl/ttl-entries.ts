import type { Clock } from '../../lib/clock.ts';
import type { JournalBatch, JournalEntry, JournalPage } from './ttl-journal.ts';
import type { DocumentMark, MirrorListener, VersionedDocument } from './ttl-store.ts';

/** Bytes shared by every document with the same `bodyId`; written once, however often the marks move. */
interface Body {
  readonly row: number;
  readonly id: string;
  readonly bytes: Buffer;
  users: number;
  written: boolean;
}

interface Entry {
  readonly value: string | null;
  readonly document: { readonly order: number; readonly body: Body } | undefined;
  readonly expiresAt: number;
}

/** One batch on its way to the file: `keep` when it is there, `undo` when it is not. */
interface PendingBatch {
  readonly batch: JournalBatch;
  readonly last: boolean;
  keep(): void;
  undo(): void;
}

export interface TtlEntries {
  expiresAt(key: string): number | undefined;
  document(key: string): VersionedDocument | undefined;
  putValue(key: string, value: string, expiresAt: number): void;
  putDocument(key: string, mark: DocumentMark, body: Buffer, expiresAt: number): void;
  /** Moves the end of a key that exists. */
  renew(key: string, expiresAt: number): void;
  delete(key: string): boolean;
  purge(): void;
  live(): Iterable<[key: string, expiresAt: number]>;
  load(page: JournalPage): void;
  endLoad(): void;
  /** What has changed since it was last taken, at most `limit` keys of it. */
  takeChanges(limit: number): PendingBatch | undefined;
}

/** All keys in memory, and what of them the file does not have yet. `onChange` hears of every change. */
export function createTtlEntries({
  clock,
  onChange,
}: {
  clock: Clock;
  onChange: MirrorListener;
}): TtlEntries {
  const entries = new Map<string, Entry>();
  const sharedBodies = new Map<string, Body>();
  const loadedBodies = new Map<number, { readonly bytes: Buffer; body?: Body }>();
  let changed = new Set<string>();
  let unusedBodies = new Set<number>();
  let nextRow = 1;

  function get(key: string): Entry | undefined {
    const entry = entries.get(key);
    return entry && entry.expiresAt > clock.now() ? entry : undefined;
  }

  function put(key: string, entry: Entry | undefined): void {
    const before = entries.get(key);
    if (entry?.document) entry.document.body.users++;
    if (before?.document) release(before.document.body);
    if (entry) entries.set(key, entry);
    else entries.delete(key);
  }

  function change(key: string, entry: Entry | undefined): void {
    put(key, entry);
    changed.add(key);
    onChange(key, entry?.expiresAt);
  }

  function release(body: Body): void {
    if (--body.users > 0) return;
    if (sharedBodies.get(body.id) === body) sharedBodies.delete(body.id);
    if (body.written) unusedBodies.add(body.row);
  }

  function bodyOf(id: string, bytes: Buffer): Body {
    const shared = sharedBodies.get(id);
    if (shared && (shared.bytes === bytes || shared.bytes.equals(bytes))) return shared;
    const body: Body = { row: nextRow++, id, bytes, users: 0, written: false };
    sharedBodies.set(id, body);
    return body;
  }

  function loadEntry({ key, value, expiresAt, order, bodyId, body }: JournalEntry): void {
    const end = expiresAt ?? Number.POSITIVE_INFINITY;
    if (body === null) {
      put(key, { value, document: undefined, expiresAt: end });
      return;
    }
    const loaded = loadedBodies.get(body);
    if (!loaded || order === null || bodyId === null) return;
    loaded.body ??= { row: body, id: bodyId, bytes: loaded.bytes, users: 0, written: true };
    sharedBodies.set(bodyId, loaded.body);
    unusedBodies.delete(body);
    put(key, { value: null, document: { order, body: loaded.body }, expiresAt: end });
  }

  function toRow(key: string, { value, document, expiresAt }: Entry): JournalEntry {
    return {
      key,
      value,
      expiresAt: Number.isFinite(expiresAt) ? expiresAt : null,
      order: document?.order ?? null,
      bodyId: document?.body.id ?? null,
      body: document?.body.row ?? null,
    };
  }

  return {
    expiresAt: (key) => get(key)?.expiresAt,
    document(key) {
      const found = get(key)?.document;
      return found && { order: found.order, bodyId: found.body.id, body: found.body.bytes };
    },
    putValue: (key, value, expiresAt) => change(key, { value, document: undefined, expiresAt }),
    putDocument(key, { order, bodyId }, bytes, expiresAt) {
      change(key, { value: null, document: { order, body: bodyOf(bodyId, bytes) }, expiresAt });
    },
    renew(key, expiresAt) {
      const entry = get(key);
      if (entry) change(key, { ...entry, expiresAt });
    },
    delete(key) {
      const existed = get(key) !== undefined;
      if (entries.has(key)) change(key, undefined);
      return existed;
    },
    purge() {
      const now = clock.now();
      for (const [key, entry] of entries) if (entry.expiresAt <= now) change(key, undefined);
    },
    *live() {
      const now = clock.now();
      for (const [key, entry] of entries) if (entry.expiresAt > now) yield [key, entry.expiresAt];
    },
    load(page) {
      for (const { row, bytes } of page.bodies) {
        loadedBodies.set(row, { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) });
        unusedBodies.add(row);
        nextRow = Math.max(nextRow, row + 1);
      }
      for (const entry of page.entries) loadEntry(entry);
    },
    endLoad: () => loadedBodies.clear(),

    takeChanges(limit) {
      if (changed.size === 0 && unusedBodies.size === 0) return undefined;
      const keys: string[] = [];
      const bodies = new Set<Body>();
      const rows: JournalEntry[] = [];
      const gone: string[] = [];
      for (const key of changed) {
        if (keys.length === limit) break;
        keys.push(key);
        changed.delete(key);
        const entry = entries.get(key);
        if (!entry) gone.push(key);
        else rows.push(toRow(key, entry));
        if (entry?.document && !entry.document.body.written) bodies.add(entry.document.body);
      }
      const last = changed.size === 0;
      // A body may go only when no key on disk still names it, so not before the last part.
      const dropped = last ? unusedBodies : new Set<number>();
      if (last) unusedBodies = new Set();
      return {
        batch: {
          entries: rows,
          gone,
          // Copied exactly: a Buffer may be a small window on a large allocation.
          bodies: [...bodies].map(({ row, bytes }) => ({ row, bytes: new Uint8Array(bytes) })),
          unusedBodies: [...dropped],
        },
        last,
        keep() {
          for (const body of bodies) {
            body.written = true;
            if (body.users === 0) unusedBodies.add(body.row);
          }
        },
        undo() {
          changed = new Set([...keys, ...changed]);
          for (const row of dropped) unusedBodies.add(row);
        },
      };
    },
  };
}
