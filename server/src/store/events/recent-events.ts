import type { Clock } from '../../lib/clock.ts';
import { TOPICS, type Topic } from '../../lib/event-topics.ts';
import type { LoggedEvent, Place } from './event-log.ts';

/** Contract 30.6: whichever limit is reached first. */
export const KEPT_EVENTS = 10_000;
const KEPT_MS = 600_000;
/** Events are dropped in batches, as each removal moves all the others. */
const DROPPED_AT_ONCE = 1000;

/** An id of the log, `<number>-<number>`, as two numbers. */
export function parseId(id: string): readonly [number, number] | undefined {
  const found = /^(\d{1,15})-(\d{1,15})$/.exec(id);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

export function compareIds(a: string, b: string): number {
  const [a1, a2] = parseId(a) ?? [0, 0];
  const [b1, b2] = parseId(b) ?? [0, 0];
  return a1 - b1 || a2 - b2;
}

interface Added {
  readonly event: LoggedEvent;
  /** By the steady clock. */
  readonly at: number;
}

/** The end of the log in memory, and the state of each topic that its events add up to. */
export function createRecentEvents({ steady, startId }: { steady: Clock; startId: string }) {
  let entries: Added[] = [];
  /** Place of the first entry. */
  let first: Place = 0;
  /** Id of the last event before the first entry. */
  let beforeFirst = startId;
  /** How many entries at the beginning are too old. */
  let stale = 0;
  let kept = new Map<Topic, Map<string, string>>();
  let versions = 0;
  const versionOf = new Map<Topic, number>();

  const head = (): Place => first + entries.length;

  function drop(count: number): void {
    beforeFirst = entries[count - 1]?.event.id ?? beforeFirst;
    entries = entries.slice(count);
    first += count;
    stale = Math.max(0, stale - count);
  }

  /** The first place whose events are still kept. */
  function oldest(): Place {
    const since = steady.now() - KEPT_MS;
    while (stale < entries.length && (entries[stale] as Added).at < since) stale++;
    if (stale >= DROPPED_AT_ONCE) drop(stale);
    return first + Math.max(stale, entries.length - KEPT_EVENTS);
  }

  return {
    get head() {
      return head();
    },
    get headId() {
      return entries.at(-1)?.event.id ?? beforeFirst;
    },
    add(event: LoggedEvent, keep: { subject: string; data?: string } | undefined, at = steady.now()): void {
      if (entries.length >= KEPT_EVENTS + DROPPED_AT_ONCE) drop(DROPPED_AT_ONCE);
      entries.push({ event, at });
      if (!keep) return;
      versionOf.set(event.topic, ++versions);
      const subjects = kept.get(event.topic) ?? new Map<string, string>();
      kept.set(event.topic, subjects);
      if (keep.data === undefined) subjects.delete(keep.subject);
      else subjects.set(keep.subject, keep.data);
    },
    /** The place after the event with this id, or the first place that comes after it. */
    placeAfter(id: string): Place | 'expired' {
      if (compareIds(id, beforeFirst) < 0) return 'expired';
      let low = 0;
      let high = entries.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compareIds((entries[middle] as Added).event.id, id) <= 0) low = middle + 1;
        else high = middle;
      }
      const place = first + low;
      // All events after it must still be kept; its own age does not matter.
      return place < oldest() ? 'expired' : place;
    },
    from(place: Place, limit: number): readonly LoggedEvent[] | undefined {
      if (place < oldest()) return undefined;
      return entries.slice(place - first, place - first + limit).map(({ event }) => event);
    },
    kept: (topic: Topic): ReadonlyMap<string, string> => kept.get(topic) ?? new Map(),
    /** A number that differs whenever `kept` has changed. */
    keptVersion: (topic: Topic): number => versionOf.get(topic) ?? 0,
    /** No client can resume before this id; `state` is the kept state at this id. */
    beginAnew(id: string, state: Map<Topic, Map<string, string>>): void {
      first = head();
      entries = [];
      stale = 0;
      beforeFirst = id;
      kept = state;
      for (const topic of TOPICS) versionOf.set(topic, ++versions);
    },
  };
}
