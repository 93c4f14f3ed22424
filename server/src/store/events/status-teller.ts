import type { Topic } from '../../lib/event-topics.ts';
import type { EventLog } from './event-log.ts';

/** Changes within this time are published together, with the last state. */
const GATHER_MS = 50;

interface Subject {
  /** The record as published. */
  readonly record: object;
  /** The part whose change triggers an event; by default the whole record. */
  readonly comparable?: object;
}

/** Caches the subjects made from a source as long as it is the same object. */
export function remembered<T>(make: (from: T) => ReadonlyMap<string, Subject>): typeof make {
  let last: { readonly from: T; readonly made: ReadonlyMap<string, Subject> } | undefined;
  return (from) => {
    if (last?.from !== from) last = { from, made: make(from) };
    return last.made;
  };
}

export interface StatusSource {
  readonly topic: Topic;
  readonly event: string;
  /**
   * The present state of all subjects; `undefined` when this node does not know it or must not publish it. The same
   * object as before means that nothing changed.
   */
  read(): Promise<ReadonlyMap<string, Subject> | undefined>;
  /** The event data for a subject that is gone; `undefined` when it has not ended yet. */
  gone(subject: string, last: object): object | undefined;
  /** The comparable part of a record that was published before this node started. */
  comparableOf?(record: object): object;
}

interface Known {
  readonly record: object;
  readonly text: string;
}

interface TellerParts {
  readonly events: EventLog;
  readonly sources: readonly StatusSource[];
  readonly onError: (error: unknown) => void;
}

/** Compares the present state with the state published last, and publishes the differences. */
export function createStatusTeller({ events, sources, onError }: TellerParts) {
  const known = new Map<StatusSource, Map<string, Known>>();
  /** The state of each source that was published completely. */
  const told = new Map<StatusSource, unknown>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isClosed = false;

  /** The state published by other nodes, or by this one before a restart. */
  function toldBefore({ topic, comparableOf = (record) => record }: StatusSource): Map<string, Known> {
    return new Map(
      [...events.kept(topic)].map(([subject, json]) => {
        const record = JSON.parse(json) as object;
        return [subject, { record, text: JSON.stringify(comparableOf(record)) }];
      }),
    );
  }

  async function look(source: StatusSource): Promise<void> {
    const { topic, event } = source;
    const now = await source.read();
    if (!now) {
      // Another node publishes now, and a later look here must be compared with its events.
      known.delete(source);
      return;
    }
    if (known.has(source) && told.get(source) === now) return;
    const before = known.get(source) ?? toldBefore(source);
    known.set(source, before);
    for (const [subject, { record, comparable = record }] of now) {
      const last = before.get(subject);
      if (last?.record === record) continue;
      const text = JSON.stringify(comparable);
      before.set(subject, { record, text });
      if (last?.text !== text)
        events.publish({ topic, event, data: record, keep: { subject, data: record } });
    }
    let isWhole = true;
    for (const [subject, { record }] of before) {
      if (now.has(subject)) continue;
      const data = source.gone(subject, record);
      if (!data) {
        isWhole = false;
        continue;
      }
      before.delete(subject);
      events.publish({ topic, event, data, keep: { subject } });
    }
    told.set(source, isWhole ? now : undefined);
  }

  async function lookAtAll(): Promise<void> {
    for (const source of sources) await look(source).catch(onError);
  }

  function changed(): void {
    if (timer || isClosed || !isStarted) return;
    timer = setTimeout(() => {
      running = (running ?? Promise.resolve()).then(() => {
        timer = undefined;
        return lookAtAll();
      });
    }, GATHER_MS);
    timer.unref();
  }

  function compareAnew(): void {
    known.clear();
    changed();
  }
  events.onBreak(compareAnew);
  events.onSpeaker(changed);

  return {
    changed,
    /** Call it when other nodes may have published something meanwhile. */
    compareAnew,
    /** Nothing is read before this call, so that it does not delay the start of the service. */
    start(): void {
      isStarted = true;
      changed();
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
