import { matchesEtag } from '../../http/etag.ts';
import { type CursorMark, type CursorStore, orderAt, toldAt } from './cursors.store.ts';
import { compareDecisions, type Decision, type DecisionObject, decisionObject } from './decision.ts';
import type { DecisionFeed, Snapshot } from './decision-feed.ts';
import type { Rendering } from './rendering.ts';

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
  /** To be called once: with `true` after the last byte went out, and only then the cursor moves. */
  finish(complete: boolean): void;
}

interface ServiceParts {
  readonly feed: DecisionFeed;
  readonly cursors: CursorStore;
  readonly onError: (error: unknown) => void;
}

/** Answers polls: all current bans, and what this key has not yet been told is gone (contract 8.4). */
export function createFirewallBouncer({ feed, cursors, onError }: ServiceParts) {
  /** Cursor writes under way; the next poll of the same key waits for them, so nothing is told twice needlessly. */
  const saving = new Map<string, Promise<void>>();
  /** The order given last for each cursor: polls that overlap within one millisecond still have one. */
  const orders = new Map<string, number>();

  return {
    async poll({ cursorId, startup, ifNoneMatch }: PollRequest): Promise<Poll> {
      await saving.get(cursorId);
      const [mark] = await Promise.all([cursors.renew(cursorId), feed.settle()]);
      const told = startup || !mark ? undefined : await toldBy(cursorId, mark);
      // From here to hold() nothing is awaited: what is compared is what is sent.
      const snapshot = feed.snapshot();
      const release = snapshot.rendering.hold();
      const order = orderOf(cursorId, snapshot, mark);
      const deleted = told ? goneFrom(told) : [];
      return {
        rendering: snapshot.rendering,
        deleted,
        etag: snapshot.etag,
        // Contract 8.6: only where a cursor exists and nothing would be deleted.
        notModified: told !== undefined && deleted.length === 0 && matchesEtag(ifNoneMatch, snapshot.etag),
        finish(complete) {
          release();
          if (complete) save(cursorId, { order, stateId: snapshot.stateId }, snapshot, mark);
        },
      };
    },

    /** For HEAD: the membership without touching any cursor. */
    async etag(): Promise<string> {
      await feed.settle();
      return feed.etag();
    },

    /** Resolves when every cursor that was to be moved has been. */
    async settled(): Promise<void> {
      await Promise.all(saving.values());
      await cursors.saveRest().catch(onError);
    },
  };

  /** What the cursor stands for: a state still remembered here, or the snapshot read back from the store. */
  async function toldBy(cursorId: string, mark: CursorMark): Promise<Told | undefined> {
    if (feed.goneSince(mark.stateId)) return { mark };
    return cursors.read(cursorId);
  }

  function goneFrom({ mark, decisions }: Told): DecisionObject[] {
    const gone = decisions?.filter((decision) => !feed.holds(decision)) ?? feed.goneSince(mark.stateId) ?? [];
    return gone.sort(compareDecisions).map((decision) => decisionObject(decision, toldAt(mark)));
  }

  /** A later snapshot has a higher order, whatever a clock that was set back says: `known` was read before it was taken. */
  function orderOf(cursorId: string, { rendering }: Snapshot, known: CursorMark | undefined): number {
    const before = Math.max(known?.order ?? 0, orders.get(cursorId) ?? 0);
    const order = Math.max(orderAt(rendering.at), before + 1);
    orders.set(cursorId, order);
    return order;
  }

  function save(cursorId: string, mark: CursorMark, snapshot: Snapshot, known: CursorMark | undefined): void {
    const write = cursors
      .move(cursorId, mark, known, snapshot.packed)
      .catch(onError)
      .finally(() => {
        if (saving.get(cursorId) === write) saving.delete(cursorId);
      });
    saving.set(cursorId, write);
  }
}

interface Told {
  readonly mark: CursorMark;
  /** Absent when the decision set remembers the state itself. */
  readonly decisions?: Decision[];
}

export type FirewallBouncer = ReturnType<typeof createFirewallBouncer>;
