import type { Topic } from '../../lib/event-topics.ts';
import type { EventLog } from './event-log.ts';

/** What is seen within this time is told together, as its last state. */
const GATHER_MS = 50;

interface Subject {
  /** As it is told. */
  readonly record: object;
  /** What makes it another one; the record itself where that is all. */
  readonly comparable?: object;
}

/** Makes subjects of what there is, once as long as that is the same object. */
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
   * Everything there is now, by subject; `undefined` when this node cannot say, or it is not for it to say. The same object
   * as before says that nothing changed.
   */
  read(): Promise<ReadonlyMap<string, Subject> | undefined>;
  /** What is told of one that is gone; `undefined`: it is not over yet. */
  gone(subject: string, last: object): object | undefined;
  /** Of what was told before this node came. */
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

/** Compares what there is now with what was told last, and tells the differences. */
export function createStatusTeller({ events, sources, onError }: TellerParts) {
  const known = new Map<StatusSource, Map<string, Known>>();
  /** What was told whole. */
  const told = new Map<StatusSource, unknown>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isClosed = false;

  /** What other nodes, or this one in an earlier life, told. */
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
      // Another node tells, and what it tells is what a later look here has to be compared with.
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
    /** Others may have told something else meanwhile. */
    compareAnew,
    /** Nothing is looked at before: the start of a service is not held up by what it will tell. */
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
