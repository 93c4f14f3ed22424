import type { DocumentMark, DocumentWrite, TtlStore } from '../../../store/ttl/ttl-store.ts';
import { unpackSnapshot } from './cursor.ts';
import { type CursorNote, noteText, parseNote } from './cursor-note.ts';
import type { Decision } from './decision.ts';

/** A cursor is forgotten after one hour without polls. */
export const CURSOR_LIFETIME_MS = 3_600_000;

/** A position: the state that was sent, and when. Later positions have a higher `order`. */
export interface CursorMark {
  readonly order: number;
  readonly stateId: string;
}

/** A position and the part of it that was not confirmed. */
export interface Cursor extends CursorMark, CursorNote {}

/** The moment for which the durations in that answer were true; `order` counts microseconds. */
export const toldAt = ({ order }: { readonly order: number }): number => Math.floor(order / 1000);
export const orderAt = (at: number): number => at * 1000;

/** An unreadable cursor counts as none (contract 8.4). */
const UNREADABLE: CursorNote = { removals: [], unseen: 'all' };

/** The last position of each API key, under `<prefix>:fwbouncer:cursor:<api_key_id>`. */
export function createCursorStore({ ttl, redisPrefix }: { ttl: TtlStore; redisPrefix: string }) {
  const keyOf = (cursorId: string) => `${redisPrefix}:fwbouncer:cursor:${cursorId}`;

  return {
    /** Whether each read is a request to another server. */
    isRemote: ttl.kind === 'redis',

    /** The position of a cursor; a poll that reads it renews its lifetime. */
    async read(cursorId: string, by: 'poll' | 'others'): Promise<Cursor | undefined> {
      const mark = await ttl.readMark(keyOf(cursorId), by === 'poll' ? CURSOR_LIFETIME_MS : undefined);
      return mark && { order: mark.order, stateId: mark.bodyId, ...(parseNote(mark.note) ?? UNREADABLE) };
    },

    /** The decisions of a position's state; `undefined` when the cursor has moved on. */
    async decisions(cursorId: string, { stateId }: CursorMark): Promise<readonly Decision[] | undefined> {
      const document = await ttl.readDocument(keyOf(cursorId));
      return document?.bodyId === stateId ? (unpackSnapshot(document.body) ?? []) : undefined;
    },

    /** Replaces the position that was compared; false when the cursor has moved on since. Survives a restart. */
    async replace(
      cursorId: string,
      known: CursorMark | undefined,
      next: Cursor,
      packed: () => Buffer,
    ): Promise<boolean> {
      const write = { ...documentOf(next), after: known?.order ?? 0, ttlMs: CURSOR_LIFETIME_MS };
      let outcome = known?.stateId === next.stateId ? await put(cursorId, write) : 'body-needed';
      if (outcome === 'body-needed') outcome = await put(cursorId, { ...write, body: packed() });
      return outcome === 'written';
    },

    /** Notes that the same state was sent again; false when the cursor has moved on, or away from `only`. */
    async move(cursorId: string, next: Cursor, only?: CursorMark): Promise<boolean> {
      const after = only && { after: only.order };
      const outcome = await put(cursorId, { ...documentOf(next), ...after, ttlMs: CURSOR_LIFETIME_MS });
      return outcome === 'written';
    },

    /** Replaces the note of a position and keeps its lifetime; false when the cursor has moved on. */
    async amend(cursorId: string, mark: CursorMark, note: CursorNote): Promise<boolean> {
      const outcome = await put(cursorId, { ...documentOf({ ...mark, ...note }), after: mark.order });
      return outcome === 'written';
    },

    async remove(cursorId: string): Promise<void> {
      await ttl.delete([keyOf(cursorId)]);
    },
  };

  function put(cursorId: string, write: DocumentWrite) {
    return ttl.writeDocument(keyOf(cursorId), write);
  }
}

const documentOf = ({ order, stateId, ...note }: Cursor): DocumentMark => ({
  order,
  bodyId: stateId,
  note: noteText(note),
});

export type CursorStore = ReturnType<typeof createCursorStore>;
