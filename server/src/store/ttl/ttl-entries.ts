import type { Clock } from '../../lib/clock.ts';
import type { PendingBatch, Persisted } from './disk-writer.ts';
import type { JournalEntry, JournalPage } from './ttl-journal.ts';
import type { DocumentMark, MirrorListener, VersionedDocument } from './ttl-store.ts';

/** Bytes shared by all documents with the same `bodyId`; written once, however often their marks move. */
interface Body {
  readonly row: number;
  readonly id: string;
  readonly bytes: Buffer;
  users: number;
  written: boolean;
}

interface Entry {
  /** For a document, its note. */
  readonly value: string | null;
  readonly document: { readonly order: number; readonly body: Body } | undefined;
  readonly expiresAt: number;
}

export interface TtlEntries extends Persisted {
  expiresAt(key: string): number | undefined;
  document(key: string): VersionedDocument | undefined;
  putValue(key: string, value: string, expiresAt: number): void;
  putDocument(key: string, mark: DocumentMark, body: Buffer, expiresAt: number): void;
  /** Moves the end of a key that exists. */
  renew(key: string, expiresAt: number): void;
  delete(key: string): boolean;
  purge(): void;
  /** Marks every key to be written again. */
  rewriteAll(): void;
  /** Every key in the file, with its end in the file. */
  committed(): Iterable<[key: string, expiresAt: number]>;
  /** The body id of a document in the file. */
  committedBodyId(key: string): string | undefined;
  load(page: Pick<JournalPage, 'entries' | 'bodies'>): void;
  endLoad(): void;
}

/** All keys in memory, and which changes are not in the file yet. Calls `onCommit` for every written change. */
export function createTtlEntries({
  clock,
  onCommit,
}: {
  clock: Clock;
  onCommit: MirrorListener;
}): TtlEntries {
  const entries = new Map<string, Entry>();
  const sharedBodies = new Map<string, Body>();
  const loadedBodies = new Map<number, { readonly bytes: Buffer; body?: Body }>();
  /** Keys that differ from the file, with the entry in the file; and the same for keys being written. */
  let changed = new Map<string, Entry | undefined>();
  let writing = new Map<string, Entry | undefined>();
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
    // A key being written counts as written here: if that fails, `undo` restores the entry it should have replaced.
    if (!changed.has(key)) changed.set(key, entries.get(key));
    put(key, entry);
  }

  function committed(key: string): Entry | undefined {
    if (writing.has(key)) return writing.get(key);
    return changed.has(key) ? changed.get(key) : entries.get(key);
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
    put(key, { value, document: { order, body: loaded.body }, expiresAt: end });
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
      const entry = get(key);
      if (!entry?.document) return undefined;
      const { order, body } = entry.document;
      return { order, bodyId: body.id, body: body.bytes, ...(entry.value && { note: entry.value }) };
    },
    putValue: (key, value, expiresAt) => change(key, { value, document: undefined, expiresAt }),
    putDocument(key, { order, bodyId, note }, bytes, expiresAt) {
      change(key, { value: note || null, document: { order, body: bodyOf(bodyId, bytes) }, expiresAt });
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
    rewriteAll() {
      for (const [key, entry] of entries) if (!changed.has(key)) changed.set(key, entry);
    },
    *committed() {
      const now = clock.now();
      for (const key of new Set([...entries.keys(), ...changed.keys(), ...writing.keys()])) {
        const end = committed(key)?.expiresAt;
        if (end !== undefined && end > now) yield [key, end];
      }
    },
    committedBodyId: (key) => committed(key)?.document?.body.id,
    load(page) {
      for (const { row, bytes } of page.bodies) {
        loadedBodies.set(row, { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) });
        unusedBodies.add(row);
        nextRow = Math.max(nextRow, row + 1);
      }
      for (const entry of page.entries) loadEntry(entry);
    },
    endLoad: () => loadedBodies.clear(),

    takeChanges(limit): PendingBatch | undefined {
      if (changed.size === 0 && unusedBodies.size === 0) return undefined;
      const taken = new Map<string, Entry | undefined>();
      const bodies = new Set<Body>();
      const rows: JournalEntry[] = [];
      const gone: string[] = [];
      for (const [key, before] of changed) {
        if (taken.size === limit) break;
        taken.set(key, before);
        changed.delete(key);
        const entry = entries.get(key);
        if (!entry) gone.push(key);
        else rows.push(toRow(key, entry));
        if (entry?.document && !entry.document.body.written) bodies.add(entry.document.body);
      }
      writing = taken;
      const last = changed.size === 0;
      // A body may be deleted only when no key on disk refers to it any more, so not before the last batch.
      const dropped = last ? unusedBodies : new Set<number>();
      if (last) unusedBodies = new Set();
      return {
        batch: {
          entries: rows,
          gone,
          // Copied to exact size: a Buffer may be a small view of a large allocation.
          bodies: [...bodies].map(({ row, bytes }) => ({ row, bytes: new Uint8Array(bytes) })),
          unusedBodies: [...dropped],
        },
        last,
        keep() {
          writing = new Map();
          for (const body of bodies) {
            body.written = true;
            if (body.users === 0) unusedBodies.add(body.row);
          }
          for (const { key, expiresAt } of rows) onCommit(key, expiresAt ?? Number.POSITIVE_INFINITY);
          for (const key of gone) onCommit(key, undefined);
        },
        undo() {
          // Writers of plain keys get an error, so these are undone; documents stay, as the answers sent remain true.
          for (const [key, before] of taken) {
            if (!changed.has(key) && !before?.document && !entries.get(key)?.document) put(key, before);
          }
          // Restored keys are written again too, as it is unknown what reached the file.
          changed = new Map([...changed, ...taken]);
          writing = new Map();
          for (const row of dropped) unusedBodies.add(row);
        },
      };
    },
  };
}
