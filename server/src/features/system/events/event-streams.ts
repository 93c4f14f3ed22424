import { setImmediate as turn } from 'node:timers/promises';
import { type Caller, callerName } from '../../../http/caller.ts';
import { Overloaded, StoreUnavailable, TooManyRequests } from '../../../lib/errors.ts';
import type { EventLog, LoggedEvent, Place } from '../../../store/events/event-log.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { beat, createFrames } from './frames.ts';
import type { Hearing } from './hearing.ts';
import { createSnapshots } from './snapshots.ts';

/** Contract 30.8. */
const MAX_STREAMS = 1000;
const MAX_STREAMS_OF_CALLER = 5;
const RETRY_SECONDS = 5;
/** Contract 30.3. */
const BEAT_MS = 15_000;
/** Events within this time are sent together: a thousand writes per event would occupy a whole core. */
const GATHER_MS = 100;
const KEPT_PIECES = 100;
const WRITES_AT_ONCE = 50;

export interface OpenStream {
  readonly caller: Caller;
  end(reason: string): void;
}

/** All streams of this node. */
export function createEventStreams({ log }: { log: EventLog }) {
  const streams = new Map<EventStream, Caller>();
  const snapshots = createSnapshots({ log });
  const frameOf = createFrames();
  let pieces = new Map<string, Buffer>();
  let timer: NodeJS.Timeout | undefined;
  let flushedAt = 0;
  let isClosed = false;

  /** Streams with the same hearing at the same place share the bytes. */
  function piece(place: Place, events: readonly LoggedEvent[], hearing: Hearing): Buffer {
    const name = `${place} ${events.length} ${hearing.signature}`;
    const known = pieces.get(name);
    if (known) return known;
    if (pieces.size >= KEPT_PIECES) pieces.clear();
    const bytes = Buffer.concat(events.filter(hearing.hears).map(frameOf));
    pieces.set(name, bytes);
    return bytes;
  }

  /** Yields between batches, so that a poll of a bouncer does not wait for a thousand writes. */
  async function flush(): Promise<void> {
    const end = log.head;
    flushedAt = performance.now();
    pieces = new Map();
    let written = 0;
    for (const stream of [...streams.keys()]) {
      stream.follow();
      if (++written % WRITES_AT_ONCE === 0) await turn();
    }
    timer = undefined;
    if (log.head > end) schedule();
  }

  function schedule(): void {
    if (timer || isClosed || streams.size === 0) return;
    timer = setTimeout(() => void flush(), Math.max(0, flushedAt + GATHER_MS - performance.now()));
  }

  log.listen(schedule);
  log.onBreak(() => {
    for (const stream of streams.keys()) stream.beginAnew('node');
  });
  const beats = setInterval(() => {
    const bytes = beat(log.headId);
    for (const stream of streams.keys()) {
      stream.follow();
      stream.beat(bytes);
    }
  }, BEAT_MS);
  beats.unref();

  function refuseTooMany(caller: Caller): void {
    if (isClosed) throw new Overloaded('the service is stopping');
    if (!log.isUp) throw new StoreUnavailable('events cannot be followed now');
    if (streams.size >= MAX_STREAMS) throw new Overloaded(`${MAX_STREAMS} streams are open already`);
    const name = callerName(caller);
    let own = 0;
    for (const other of streams.values()) if (callerName(other) === name) own++;
    if (own >= MAX_STREAMS_OF_CALLER)
      throw new TooManyRequests(`${MAX_STREAMS_OF_CALLER} of your streams are already open`, RETRY_SECONDS);
  }

  return {
    async open(caller: Caller, hearing: Hearing, lastEventId: string | undefined): Promise<EventStream> {
      refuseTooMany(caller);
      const from = lastEventId === undefined ? undefined : await log.placeAfter(lastEventId);
      const hearNoMore = await log.hear(hearing.topics);
      try {
        refuseTooMany(caller);
      } catch (error) {
        hearNoMore();
        throw error;
      }
      const stream = createEventStream({ log, snapshots, piece }, hearing, from);
      streams.set(stream, caller);
      stream.body.once('close', () => {
        hearNoMore();
        streams.delete(stream);
      });
      return stream;
    },
    count: (): number => streams.size,
    *list(): Generator<OpenStream> {
      for (const [stream, caller] of streams) yield { caller, end: stream.end };
    },
    /** Ends all streams at once; does not wait for clients that do not read. */
    close(): void {
      isClosed = true;
      clearInterval(beats);
      clearTimeout(timer);
      for (const stream of streams.keys()) {
        stream.follow();
        stream.end('stopping');
      }
    },
  };
}

export type EventStreams = ReturnType<typeof createEventStreams>;
