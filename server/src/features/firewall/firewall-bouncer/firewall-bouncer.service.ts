import { matchesEtag } from '../../../http/etag.ts';
import type { BouncerOptions } from '../../../lib/bouncer-options.ts';
import { Overloaded } from '../../../lib/errors.ts';
import type { Removal } from './cursor-note.ts';
import type { CursorStore } from './cursors.store.ts';
import type { DecisionObject } from './decision.ts';
import type { DecisionFeed } from './decision-feed.ts';
import type { DecisionView } from './decision-view.ts';
import { findDifference } from './difference.ts';
import { createPositions, type Telling } from './positions.ts';
import type { Rendering } from './rendering.ts';
import { isTold, withholdPresent } from './withheld-removals.ts';

/** How often a poll is tried when other polls with the same key move the cursor meanwhile. */
const MAX_ATTEMPTS = 20;

interface PollRequest {
  readonly cursorId: string;
  readonly options: BouncerOptions;
  readonly startup: boolean;
  readonly ifNoneMatch: string | string[] | undefined;
}

interface Poll {
  readonly rendering: Rendering;
  readonly deleted: readonly DecisionObject[];
  readonly etag: string;
  readonly notModified: boolean;
  /** Registers a function to call when the client reads so slowly that it burdens others. */
  readonly onCutOff: (cut: () => void) => void;
  /** Call it once: with `true` after the last byte was sent, with `false` when the answer was cut off. */
  finish(complete: boolean): void;
  /** Call it when the client has shown that it read the answer; absent when that would change nothing. */
  readonly read?: () => void;
}

interface ServiceParts {
  readonly feed: DecisionFeed;
  readonly cursors: CursorStore;
  readonly onError: (error: unknown) => void;
}

/** Answers polls: all current bans, and the removals not yet reported to this key (contract 8.4). */
export function createFirewallBouncer({ feed, cursors, onError }: ServiceParts) {
  const positions = createPositions({ cursors, onError });

  return {
    async poll(request: PollRequest): Promise<Poll> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const poll = await tryPoll(request, attempt === 0);
        if (poll) return poll;
      }
      throw new Overloaded('too many polls with one key at the same time');
    },

    /** For HEAD: the ETag of the membership, without touching any cursor. */
    async etag(options: BouncerOptions): Promise<string> {
      const view = feed.view(options);
      await view.settle();
      return view.etag();
    },

    settled: () => positions.settled(),
  };

  /** `undefined` when the cursor moved meanwhile, so that the compared position is no longer the last one. */
  async function tryPoll(request: PollRequest, isFirst: boolean): Promise<Poll | undefined> {
    const { cursorId, options, startup, ifNoneMatch } = request;
    const view = feed.view(options);
    const lastTold = isFirst ? positions.lastTold(cursorId) : undefined;
    const cursor = lastTold ?? (await positions.read(cursorId));
    // After the cursor was read, so that this node has every decision that another node sent with it.
    await view.settle().catch((error: unknown) => {
      // A poll renews the lifetime of its cursor even when it fails (contract 8.4); `error` already reports the outage.
      if (lastTold) positions.read(cursorId).catch(() => {});
      throw error;
    });
    const told = await positions.told(
      cursorId,
      cursor,
      (stateId) => view.changesSince(stateId) !== undefined,
    );
    if (!told) return undefined;
    // No await from here to hold(): the state that is compared must be the state that is sent.
    const { rendering, stateId, packed, etag } = view.snapshot();
    let cut = () => {};
    const release = rendering.hold({ owner: cursorId, cutOff: () => cut() });
    const order = positions.orderOf(cursorId, rendering.at, cursor);
    const difference = findDifference(told, { ...view, decisions: rendering.decisions }, order);
    const { removals, deleted } = startup ? NOTHING_GONE : tell(difference.removals, view, options);
    const next = { order, stateId, removals, unseen: [] };
    const telling: Telling = { cursorId, cursor, isRead: !lastTold, next, packed };
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
      deleted: deleted.map(({ decision, toldAt }) => view.object(decision, toldAt)),
      etag,
      onCutOff(todo) {
        cut = todo;
      },
      // Contract 8.6: only when a cursor exists and `deleted` would be empty.
      notModified: !startup && told.length > 0 && deleted.length === 0 && matchesEtag(ifNoneMatch, etag),
      finish(complete) {
        release();
        if (complete) positions.noteSent(telling);
        else positions.withdraw(telling, kept, difference);
      },
      ...(deleted.length > 0 && { read: () => positions.noteRead(telling) }),
    };
  }
}

const NOTHING_GONE = { removals: [], deleted: [] };

/** The removals that the position keeps, and those of them that the answer reports. */
function tell(gone: readonly Removal[], view: DecisionView, options: BouncerOptions) {
  const removals = options.deleted_excludes_present ? withholdPresent(gone, view.withValue) : gone;
  return { removals, deleted: removals.filter(isTold) };
}

export type FirewallBouncer = ReturnType<typeof createFirewallBouncer>;
