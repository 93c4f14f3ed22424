import { matchesEtag } from '../../http/etag.ts';
import { Overloaded } from '../../lib/errors.ts';
import { EMPTY_NOTE } from './cursor-note.ts';
import { type Cursor, type CursorMark, type CursorStore, orderAt } from './cursors.store.ts';
import { type DecisionObject, decisionObject } from './decision.ts';
import type { DecisionFeed, Snapshot } from './decision-feed.ts';
import { findDifference, type Told } from './difference.ts';
import type { Rendering } from './rendering.ts';

/** How often a poll begins anew because another one of the same key was told something meanwhile. */
const MAX_ATTEMPTS = 20;

export interface PollRequest {
  readonly cursorId: string;
  readonly startup: boolean;
  readonly ifNoneMatch: string | string[] | undefined;
}

export interface Poll {
  readonly rendering: Rendering;
  readonly deleted: readonly DecisionObject[];
  readonly etag: string;
  readonly notModified: boolean;
  /** To be called once, with `true` after the last byte went out. */
  finish(complete: boolean): void;
  /** To be called when the client has shown that it read the answer; absent when that would change nothing. */
  readonly read?: () => void;
}

/** What this node knows of a cursor beside the store. */
interface Memory {
  /** Given last: polls that overlap within one millisecond still have an order. */
  order: number;
  /** Told last, for the case that the store falls back behind it. */
  told: Cursor | undefined;
  /** The last answer that was confirmed: the store may have been away when it was. */
  confirmed: number;
}

interface ServiceParts {
  readonly feed: DecisionFeed;
  readonly cursors: CursorStore;
  readonly onError: (error: unknown) => void;
}

/**
 * Answers polls: all current bans, and what this key has not yet been told is gone (contract 8.4, 17.16). A position that
 * differs from the one before is stored before its first byte goes out, so whatever ends the answer, the next poll knows
 * that it may have been read; and its removals stay in it until they are known to have been.
 */
export function createFirewallBouncer({ feed, cursors, onError }: ServiceParts) {
  /** Cursor writes under way; the next poll of the same key waits for them, so nothing is told twice needlessly. */
  const saving = new Map<string, Promise<void>>();
  const memories = new Map<string, Memory>();

  return {
    async poll(request: PollRequest): Promise<Poll> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        await saving.get(request.cursorId);
        const poll = await tryPoll(request);
        if (poll) return poll;
      }
      throw new Overloaded('too many polls with one key at the same time');
    },

    /** For HEAD: the membership without touching any cursor. */
    async etag(): Promise<string> {
      await feed.settle();
      return feed.etag();
    },

    /** Resolves when every cursor that was to be moved has been. */
    async settled(): Promise<void> {
      await Promise.all(saving.values());
    },
  };

  /** `undefined` when the cursor moved meanwhile: what was compared is not what the key was told last. */
  async function tryPoll({ cursorId, startup, ifNoneMatch }: PollRequest): Promise<Poll | undefined> {
    const cursor = await cursors.renew(cursorId);
    const memory = memoryOf(cursorId, cursor);
    // After the cursor was read: what another node has told with it is known here then.
    await feed.settle();
    const told = await readTold(cursorId, cursor, memory);
    if (!told) return undefined;
    // From here to hold() nothing is awaited: what is compared is what is sent.
    const snapshot = feed.snapshot();
    const release = snapshot.rendering.hold();
    const mark = { order: orderOf(snapshot, cursor, memory), stateId: snapshot.stateId };
    const difference = findDifference(told, { ...feed, decisions: snapshot.rendering.decisions }, mark.order);
    const removals = startup ? [] : difference.removals;
    const next: Cursor = { ...mark, removals, unseen: [] };
    let stored = false;
    try {
      if (!cursor || told.length > 1 || differs(next, cursor)) {
        stored = await cursors.replace(cursorId, cursor, next, snapshot.packed);
        if (!stored) {
          release();
          return undefined;
        }
      }
    } catch (error) {
      release();
      throw error;
    }
    return {
      rendering: snapshot.rendering,
      deleted: removals.map(({ decision, toldAt }) => decisionObject(decision, toldAt)),
      etag: snapshot.etag,
      // Contract 8.6: only where a cursor exists and nothing would be deleted.
      notModified:
        !startup && told.length > 0 && removals.length === 0 && matchesEtag(ifNoneMatch, snapshot.etag),
      finish(complete) {
        release();
        save(cursorId, async () => {
          if (complete) {
            stored ||= await cursors.move(cursorId, mark);
            if (stored) memory.told = next;
          } else if (stored) {
            await cursors.amend(cursorId, mark, {
              removals: difference.removals,
              unseen: difference.unseen(),
            });
          }
        });
      },
      ...(removals.length > 0 && {
        read: () => save(cursorId, async () => void (stored && (await confirm(cursorId, mark, memory)))),
      }),
    };
  }

  /** A cursor that is forgotten is forgotten here too. */
  function memoryOf(cursorId: string, cursor: Cursor | undefined): Memory {
    const known = memories.get(cursorId);
    if (known && cursor) return known;
    const memory: Memory = { order: known?.order ?? 0, told: undefined, confirmed: 0 };
    memories.set(cursorId, memory);
    return memory;
  }

  /** The positions that a key may hold: none without a cursor. `undefined` when that has moved on meanwhile. */
  async function readTold(
    cursorId: string,
    stored: Cursor | undefined,
    { told: last, confirmed }: Memory,
  ): Promise<Told[] | undefined> {
    if (!stored || stored.unseen === 'all') return [];
    const cursor = { ...stored, removals: stored.removals.filter(({ order }) => order > confirmed) };
    // A store that took the place of another may lack what was written last: then we may still know it.
    const ahead =
      last && last.order > cursor.order && feed.changesSince(last.stateId) ? [{ cursor: last }] : [];
    if (feed.changesSince(cursor.stateId)) return [...ahead, { cursor }];
    const decisions = await cursors.decisions(cursorId, cursor);
    return decisions && [...ahead, { cursor, decisions }];
  }

  /** Everything that this answer or an earlier one told as gone has been read. */
  async function confirm(cursorId: string, mark: CursorMark, memory: Memory): Promise<void> {
    memory.confirmed = Math.max(memory.confirmed, mark.order);
    if (await cursors.amend(cursorId, mark, EMPTY_NOTE)) return;
    // Another connection was told more since, and has not confirmed it.
    const later = await cursors.renew(cursorId);
    const removals = later?.removals.filter(({ order }) => order > mark.order) ?? [];
    if (later && removals.length < later.removals.length)
      await cursors.amend(cursorId, later, { ...later, removals });
  }

  /** A later snapshot has a higher order, whatever a clock that was set back says: `known` was read before it was taken. */
  function orderOf({ rendering }: Snapshot, known: CursorMark | undefined, memory: Memory): number {
    memory.order = Math.max(orderAt(rendering.at), (known?.order ?? 0) + 1, memory.order + 1);
    return memory.order;
  }

  function save(cursorId: string, work: () => Promise<void>): void {
    const write = (saving.get(cursorId) ?? Promise.resolve())
      .then(work)
      .catch(onError)
      .finally(() => {
        if (saving.get(cursorId) === write) saving.delete(cursorId);
      });
    saving.set(cursorId, write);
  }
}

/** Whether a position says something else than the one before, besides the time. */
const differs = (next: Cursor, before: Cursor): boolean =>
  next.stateId !== before.stateId ||
  before.unseen.length > 0 ||
  next.removals.length !== before.removals.length;

export type FirewallBouncer = ReturnType<typeof createFirewallBouncer>;
