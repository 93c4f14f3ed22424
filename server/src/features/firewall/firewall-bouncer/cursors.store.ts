import type { DocumentMark, DocumentWrite, TtlStore } from '../../../store/ttl/ttl-store.ts';
import { unpackSnapshot } from './cursor.ts';
import { type CursorNote, noteText, parseNote } from './cursor-note.ts';
import type { Decision } from './decision.ts';

/** One hour without polls, then the cursor is forgotten. */
export const CURSOR_LIFETIME_MS = 3_600_000;

/** A position: which state was told, and when. Later positions have a higher `order`. */
export interface CursorMark {
  readonly order: number;
  readonly stateId: string;
}

/** A position and what was not confirmed of it. */
export interface Cursor extends CursorMark, CursorNote {}

/** The moment at which the durations of that state were true; `order` counts microseconds. */
export const toldAt = ({ order }: { readonly order: number }): number => Math.floor(order / 1000);
export const orderAt = (at: number): number => at * 1000;

/** What cannot be read is no cursor (contract 8.4). */
const UNREADABLE: CursorNote = { removals: [], unseen: 'all' };

/** What each API key was told last, under `<prefix>:fwbouncer:cursor:<api_key_id>`. */
export function createCursorStore({ ttl, redisPrefix }: { ttl: TtlStore; redisPrefix: string }) {
  const keyOf = (cursorId: string) => `${redisPrefix}:fwbouncer:cursor:${cursorId}`;

  return {
    /** Each reading is a question to another server. */
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

    /** Puts a position in the place of the one it was compared with; false when that has moved on. What is written outlives us. */
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

    /** The same state was told again, later; false when the cursor has moved on, or away from `only`. */
    async move(cursorId: string, next: Cursor, only?: CursorMark): Promise<boolean> {
      const after = only && { after: only.order };
      const outcome = await put(cursorId, { ...documentOf(next), ...after, ttlMs: CURSOR_LIFETIME_MS });
      return outcome === 'written';
    },

    /** Says something else beside the snapshot of a position, whose lifetime stays; false when the cursor has moved on. */
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
