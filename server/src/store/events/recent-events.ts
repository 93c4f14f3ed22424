import type { Clock } from '../../lib/clock.ts';
import { TOPICS, type Topic } from '../../lib/event-topics.ts';
import type { LoggedEvent, Place } from './event-log.ts';

/** Contract 30.6: whichever is less. */
export const KEPT_EVENTS = 10_000;
const KEPT_MS = 600_000;
/** Dropped so many at a time: one by one, each would move all the others. */
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
  /** Of the steady clock. */
  readonly at: number;
}

/** The end of the log in memory, and what it adds up to. */
export function createRecentEvents({ steady, startId }: { steady: Clock; startId: string }) {
  let entries: Added[] = [];
  /** Place of the first entry. */
  let first: Place = 0;
  /** Of the last event before the first entry. */
  let beforeFirst = startId;
  /** How many of the first entries are too old. */
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

  /** Where what is still kept begins. */
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
      // Nothing that came after it may be missing; how old it is itself does not matter.
      return place < oldest() ? 'expired' : place;
    },
    from(place: Place, limit: number): readonly LoggedEvent[] | undefined {
      if (place < oldest()) return undefined;
      return entries.slice(place - first, place - first + limit).map(({ event }) => event);
    },
    kept: (topic: Topic): ReadonlyMap<string, string> => kept.get(topic) ?? new Map(),
    /** Another number whenever what is kept changed. */
    keptVersion: (topic: Topic): number => versionOf.get(topic) ?? 0,
    /** Nothing before this can be gone on from; `state` is what holds at that id. */
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
