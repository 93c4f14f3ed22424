import { matchesEtag } from '../../http/etag.ts';
import { Overloaded } from '../../lib/errors.ts';
import type { CursorStore } from './cursors.store.ts';
import { type DecisionObject, decisionObject } from './decision.ts';
import type { DecisionFeed } from './decision-feed.ts';
import { findDifference } from './difference.ts';
import { createPositions, type Telling } from './positions.ts';
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

interface ServiceParts {
  readonly feed: DecisionFeed;
  readonly cursors: CursorStore;
  readonly onError: (error: unknown) => void;
}

/** Answers polls: all current bans, and what this key has not yet been told is gone (contract 8.4). */
export function createFirewallBouncer({ feed, cursors, onError }: ServiceParts) {
  const positions = createPositions({ cursors, onError });
  const remembers = (stateId: string): boolean => feed.changesSince(stateId) !== undefined;

  return {
    async poll(request: PollRequest): Promise<Poll> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
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

    settled: () => positions.settled(),
  };

  /** `undefined` when the cursor moved meanwhile: what was compared is not what the key was told last. */
  async function tryPoll({ cursorId, startup, ifNoneMatch }: PollRequest): Promise<Poll | undefined> {
    const cursor = await positions.read(cursorId);
    // After the cursor was read: what another node has told with it is known here then.
    await feed.settle();
    const told = await positions.told(cursorId, cursor, remembers);
    if (!told) return undefined;
    // From here to hold() nothing is awaited: what is compared is what is sent.
    const { rendering, stateId, packed, etag } = feed.snapshot();
    const release = rendering.hold();
    const order = positions.orderOf(cursorId, rendering.at, cursor);
    const difference = findDifference(told, { ...feed, decisions: rendering.decisions }, order);
    const removals = startup ? [] : difference.removals;
    const telling: Telling = { cursorId, cursor, next: { order, stateId, removals, unseen: [] }, packed };
    const kept = await positions.keep(telling).catch((error) => {
      release();
      throw error;
    });
    if (!kept) {
      release();
      return undefined;
    }
    return {
      rendering,
      deleted: removals.map(({ decision, toldAt }) => decisionObject(decision, toldAt)),
      etag,
      // Contract 8.6: only where a cursor exists and nothing would be deleted.
      notModified: !startup && told.length > 0 && removals.length === 0 && matchesEtag(ifNoneMatch, etag),
      finish(complete) {
        release();
        if (complete) positions.noteSent(telling, kept);
        else positions.withdraw(telling, kept, difference);
      },
      ...(removals.length > 0 && { read: () => positions.noteRead(telling) }),
    };
  }
}

export type FirewallBouncer = ReturnType<typeof createFirewallBouncer>;
