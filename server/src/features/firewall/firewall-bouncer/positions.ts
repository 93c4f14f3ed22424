import { StoreUnavailable } from '../../../lib/errors.ts';
import { EMPTY_NOTE } from './cursor-note.ts';
import {
  CURSOR_LIFETIME_MS,
  type Cursor,
  type CursorMark,
  type CursorStore,
  orderAt,
} from './cursors.store.ts';
import type { Difference, Told } from './difference.ts';

/** What this node knows of a cursor beside the store. */
interface Memory {
  /** Given last: polls that overlap within one millisecond still have an order. */
  order: number;
  /** Told last, over which position: the store may have refused to keep it, or have fallen back behind it. */
  told: { readonly cursor: Cursor; readonly over: number } | undefined;
  /** The order of the last answer that is known to have been read: the store may have been away when it was. */
  confirmed: number;
  /** Keeps what the store refused; to be tried again before the end. */
  save: (() => Promise<unknown>) | undefined;
}

interface PositionsParts {
  readonly cursors: CursorStore;
  readonly onError: (error: unknown) => void;
}

/** A position on its way to a key. */
export interface Telling {
  readonly cursorId: string;
  /** What it was compared with. */
  readonly cursor: Cursor | undefined;
  /** Whether that was read, or is only what this node told last. */
  readonly isRead: boolean;
  readonly next: Cursor;
  readonly packed: () => Buffer;
}

/**
 * How a position is kept: `stored`; `moved`, when it says nothing new and only its time changed; or `remembered` by this
 * node alone, while the store takes no change.
 */
type Kept = 'stored' | 'moved' | 'remembered';

/**
 * What each key was told, and how much of it is known to have been read (contract 17.16). A position that differs from
 * the one before is stored before its first byte goes out, so whatever ends the answer, the next poll knows that it may
 * have been read; and its removals stay in it until they are known to have been.
 */
export function createPositions({ cursors, onError }: PositionsParts) {
  /** Writes under way; the next poll of the same key waits for them, so nothing is told twice needlessly. */
  const saving = new Map<string, Promise<void>>();
  const memories = new Map<string, Memory>();

  function memoryOf(cursorId: string): Memory {
    const known = memories.get(cursorId);
    if (known) return known;
    const memory: Memory = { order: 0, told: undefined, confirmed: 0, save: undefined };
    memories.set(cursorId, memory);
    return memory;
  }

  /** The store has forgotten those cursors too; their keys may be deleted, on any node. */
  function forgetOlderThan(at: number): void {
    for (const [cursorId, { order }] of memories)
      if (order !== 0 && order < orderAt(at)) memories.delete(cursorId);
  }

  function later(cursorId: string, work: () => Promise<void>): void {
    const write = (saving.get(cursorId) ?? Promise.resolve())
      .then(work)
      .catch(onError)
      .finally(() => {
        if (saving.get(cursorId) === write) saving.delete(cursorId);
      });
    saving.set(cursorId, write);
  }

  async function confirm(cursorId: string, mark: CursorMark): Promise<void> {
    const memory = memoryOf(cursorId);
    memory.confirmed = Math.max(memory.confirmed, mark.order);
    if (await cursors.amend(cursorId, mark, EMPTY_NOTE)) return;
    // Another connection was told more since, and has not confirmed it.
    const more = await cursors.read(cursorId, 'others');
    const removals = more?.removals.filter(({ order }) => order > mark.order) ?? [];
    if (more && removals.length < more.removals.length)
      await cursors.amend(cursorId, more, { ...more, removals });
  }

  return {
    /**
     * What this node told last, which is what the store holds unless another node has told more since: storing the next
     * position over exactly this one proves it, without a question before. `undefined` when the store is better asked.
     */
    lastTold(cursorId: string): Cursor | undefined {
      if (!cursors.isRemote || saving.has(cursorId)) return undefined;
      const cursor = memories.get(cursorId)?.told?.cursor;
      // Removals may have been confirmed on another node.
      return cursor?.removals.length === 0 ? cursor : undefined;
    },

    /** The stored position, after all writes of this node. */
    async read(cursorId: string): Promise<Cursor | undefined> {
      await saving.get(cursorId);
      const cursor = await cursors.read(cursorId, 'poll');
      // A cursor that is forgotten is forgotten here too.
      if (!cursor) memories.delete(cursorId);
      return cursor;
    },

    /** The positions that a key may hold: none without a cursor. `undefined` when that has moved on meanwhile. */
    async told(
      cursorId: string,
      stored: Cursor | undefined,
      remembers: (stateId: string) => boolean,
    ): Promise<Told[] | undefined> {
      if (!stored || stored.unseen === 'all') return [];
      const { told: known, confirmed } = memoryOf(cursorId);
      const unconfirmed = (cursor: Cursor): Cursor => ({
        ...cursor,
        removals: cursor.removals.filter(({ order }) => order > confirmed),
      });
      const cursor = unconfirmed(stored);
      const isAhead = known && known.cursor.order > stored.order && remembers(known.cursor.stateId);
      const ahead = isAhead ? [{ cursor: unconfirmed(known.cursor) }] : [];
      // The store refused it, so what it would have replaced still stands there: all of that is in it.
      if (isAhead && known.over === stored.order) return ahead;
      if (remembers(stored.stateId)) return [...ahead, { cursor }];
      const decisions = await cursors.decisions(cursorId, stored);
      return decisions && [...ahead, { cursor, decisions }];
    },

    /** Later snapshots have a higher order, whatever a clock that was set back says: `known` was read before this one was taken. */
    orderOf(cursorId: string, at: number, known: CursorMark | undefined): number {
      const memory = memoryOf(cursorId);
      if (memory.order === 0) forgetOlderThan(at - CURSOR_LIFETIME_MS);
      memory.order = Math.max(orderAt(at), (known?.order ?? 0) + 1, memory.order + 1);
      return memory.order;
    },

    /** Before the first byte; `undefined` when the cursor has moved on since it was read. */
    async keep({ cursorId, cursor, isRead, next, packed }: Telling): Promise<Kept | undefined> {
      const isNews = !cursor || differs(next, cursor);
      // What is news is compared with what is stored, not with what we believe to be stored.
      if (isNews && !isRead) return undefined;
      const save = () => cursors.replace(cursorId, cursor, next, packed);
      try {
        // Also before the first byte: an answer with the same content that is withdrawn later must not take ours along.
        if (!isNews)
          return (await cursors.move(cursorId, next, isRead ? undefined : cursor)) ? 'moved' : undefined;
        const stored = await save();
        memoryOf(cursorId).save = undefined;
        return stored ? 'stored' : undefined;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        if (!isRead) return undefined;
        // It could be read a moment ago. Rather than leave bouncers without bans, we are the only ones to know for a while.
        onError(error);
        if (isNews) memoryOf(cursorId).save = save;
        return 'remembered';
      }
    },

    /** After the last byte. */
    noteSent({ cursorId, cursor, next }: Telling): void {
      memoryOf(cursorId).told = { cursor: next, over: cursor?.order ?? 0 };
    },

    /** The answer did not go out whole: the key holds what it held before. */
    withdraw({ cursorId, next }: Telling, kept: Kept, { removals, unseen }: Difference): void {
      if (kept === 'stored')
        later(
          cursorId,
          async () => void (await cursors.amend(cursorId, next, { removals, unseen: unseen() })),
        );
    },

    /** Everything that this answer or an earlier one told as gone has been read. */
    noteRead({ cursorId, next }: Telling): void {
      later(cursorId, () => confirm(cursorId, next));
    },

    /** Resolves when every position has been stored that was to be, as far as the store takes it. */
    async settled(): Promise<void> {
      await Promise.all(saving.values());
      for (const { save } of memories.values()) await save?.().catch(onError);
    },
  };
}

/** Whether a position says something else than the one before, besides the time. */
const differs = (next: Cursor, before: Cursor): boolean =>
  next.stateId !== before.stateId ||
  before.unseen.length > 0 ||
  next.removals.length !== before.removals.length ||
  next.removals.some(({ order }, i) => order !== before.removals[i]?.order);
