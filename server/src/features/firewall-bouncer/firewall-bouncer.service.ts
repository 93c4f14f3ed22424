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

  return {
    async poll({ cursorId, startup, ifNoneMatch }: PollRequest): Promise<Poll> {
      await saving.get(cursorId);
      const [mark] = await Promise.all([cursors.renew(cursorId), feed.settle()]);
      const told = startup || !mark ? undefined : await toldBy(cursorId, mark);
      // From here to hold() nothing is awaited: what is compared is what is sent.
      const snapshot = feed.snapshot();
      const release = snapshot.rendering.hold();
      const deleted = told ? goneFrom(told) : [];
      return {
        rendering: snapshot.rendering,
        deleted,
        etag: snapshot.etag,
        // Contract 8.6: only where a cursor exists and nothing would be deleted.
        notModified: told !== undefined && deleted.length === 0 && matchesEtag(ifNoneMatch, snapshot.etag),
        finish(complete) {
          release();
          if (complete) save(cursorId, snapshot, mark);
        },
      };
    },

    /** For HEAD: the membership without touching any cursor. */
    async etag(): Promise<string> {
      await feed.settle();
      const snapshot = feed.snapshot();
      return snapshot.etag;
    },

    /** Resolves when every cursor that was to be moved has been. */
    async settled(): Promise<void> {
      await Promise.all(saving.values());
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

  function save(cursorId: string, snapshot: Snapshot, known: CursorMark | undefined): void {
    // This snapshot was taken after `known` was read, so it is the later one, whatever a clock that was set back says.
    const order = Math.max(orderAt(snapshot.rendering.at), (known?.order ?? 0) + 1);
    const write = cursors
      .move(cursorId, { order, stateId: snapshot.stateId }, known, snapshot.packed)
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
