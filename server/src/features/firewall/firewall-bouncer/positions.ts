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

/** What this node remembers about a cursor besides the stored position. */
interface Memory {
  /** The order issued last, so that overlapping polls within one millisecond still get different orders. */
  order: number;
  /** The cursor sent last and the order it replaced: the store may have refused it or fallen back behind it. */
  told: { readonly cursor: Cursor; readonly over: number } | undefined;
  /** The order of the last answer known to have been read; the store may have been unreachable at that time. */
  confirmed: number;
  /** Saves a position that the store refused; retried before shutdown. */
  save: (() => Promise<unknown>) | undefined;
}

interface PositionsParts {
  readonly cursors: CursorStore;
  readonly onError: (error: unknown) => void;
}

/** A position on its way to a key. */
export interface Telling {
  readonly cursorId: string;
  /** The position it was compared with. */
  readonly cursor: Cursor | undefined;
  /** Whether `cursor` was read from the store, or is only what this node sent last. */
  readonly isRead: boolean;
  readonly next: Cursor;
  readonly packed: () => Buffer;
}

/**
 * How a position is kept: `stored`; `moved` when only its time changed; or `remembered` by this node alone while the
 * store takes no writes.
 */
type Kept = 'stored' | 'moved' | 'remembered';

/**
 * The positions of all keys, and how much of each is known to have been read (contract 17.16). A position that differs
 * from the one before is stored before the first byte is sent, so the next poll takes into account that the answer may
 * have been read, however it ended. Removals stay in the position until they are known to have been read.
 */
export function createPositions({ cursors, onError }: PositionsParts) {
  /** Writes under way; the next poll of the same key waits for them, so that it repeats nothing needlessly. */
  const saving = new Map<string, Promise<void>>();
  const memories = new Map<string, Memory>();

  function memoryOf(cursorId: string): Memory {
    const known = memories.get(cursorId);
    if (known) return known;
    const memory: Memory = { order: 0, told: undefined, confirmed: 0, save: undefined };
    memories.set(cursorId, memory);
    return memory;
  }

  /** The store has dropped these cursors too; their keys may have been deleted on any node. */
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
    // Another connection has received more since and has not confirmed it.
    const more = await cursors.read(cursorId, 'others');
    const removals = more?.removals.filter(({ order }) => order > mark.order) ?? [];
    if (more && removals.length < more.removals.length)
      await cursors.amend(cursorId, more, { ...more, removals });
  }

  return {
    /**
     * What this node sent last. The store holds the same unless another node has answered since; the write of the next
     * position checks that, which saves a read. `undefined` when the store has to be read.
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
      // When the store has dropped the cursor, so does this node.
      if (!cursor) memories.delete(cursorId);
      return cursor;
    },

    /** The positions that a key may hold; none without a cursor, `undefined` when the cursor has moved on meanwhile. */
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
      // The store refused our position and still holds the one it would have replaced: ours covers everything in that.
      if (isAhead && known.over === stored.order) return ahead;
      if (remembers(stored.stateId)) return [...ahead, { cursor }];
      const decisions = await cursors.decisions(cursorId, stored);
      return decisions && [...ahead, { cursor, decisions }];
    },

    /** Later snapshots get a higher order even if the clock is set back: `known` was read before this snapshot. */
    orderOf(cursorId: string, at: number, known: CursorMark | undefined): number {
      const memory = memoryOf(cursorId);
      if (memory.order === 0) forgetOlderThan(at - CURSOR_LIFETIME_MS);
      memory.order = Math.max(orderAt(at), (known?.order ?? 0) + 1, memory.order + 1);
      return memory.order;
    },

    /** Call it before the first byte; `undefined` when the cursor has moved on since it was read. */
    async keep({ cursorId, cursor, isRead, next, packed }: Telling): Promise<Kept | undefined> {
      const isNews = !cursor || differs(next, cursor);
      // A change must be compared with the stored position, not with the one we believe to be stored.
      if (isNews && !isRead) return undefined;
      const save = () => cursors.replace(cursorId, cursor, next, packed);
      try {
        // Also before the first byte: withdrawing another answer with the same content must not withdraw ours.
        if (!isNews)
          return (await cursors.move(cursorId, next, isRead ? undefined : cursor)) ? 'moved' : undefined;
        const stored = await save();
        memoryOf(cursorId).save = undefined;
        return stored ? 'stored' : undefined;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        if (!isRead) return undefined;
        // The read worked a moment ago. This node alone remembers the position, so that bouncers still get bans.
        onError(error);
        if (isNews) memoryOf(cursorId).save = save;
        return 'remembered';
      }
    },

    /** Call it after the last byte. */
    noteSent({ cursorId, cursor, next }: Telling): void {
      memoryOf(cursorId).told = { cursor: next, over: cursor?.order ?? 0 };
    },

    /** The answer was cut off: the key holds what it held before. */
    withdraw({ cursorId, next }: Telling, kept: Kept, { removals, unseen }: Difference): void {
      if (kept === 'stored')
        later(
          cursorId,
          async () => void (await cursors.amend(cursorId, next, { removals, unseen: unseen() })),
        );
    },

    /** The client has read every removal in this answer and in earlier ones. */
    noteRead({ cursorId, next }: Telling): void {
      later(cursorId, () => confirm(cursorId, next));
    },

    /** Resolves when every pending position has been stored, as far as the store accepts it. */
    async settled(): Promise<void> {
      await Promise.all(saving.values());
      for (const { save } of memories.values()) await save?.().catch(onError);
    },
  };
}

/** Whether a position differs from the one before in more than its time. */
const differs = (next: Cursor, before: Cursor): boolean =>
  next.stateId !== before.stateId ||
  before.unseen.length > 0 ||
  next.removals.length !== before.removals.length ||
  next.removals.some(({ order }, i) => order !== before.removals[i]?.order);
