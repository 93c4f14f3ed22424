import { Readable } from 'node:stream';
import type { EventLog, GapReason, LoggedEvent, Place } from '../../../store/events/event-log.ts';
import { BEGINNING, farewell } from './frames.ts';
import type { Hearing } from './hearing.ts';
import type { Snapshots } from './snapshots.ts';

/** Contract 30.7. */
const MAX_WAITING_EVENTS = 1000;
const MAX_UNSENT_BYTES = 5 * 1024 * 1024;
/** The most that is pushed into a stream before checking whether it accepts more. */
const AT_ONCE_EVENTS = 200;
const AT_ONCE_BYTES = 64 * 1024;
/** How long a client may take to read the end of its stream; the service waits for that to stop (contract 30.8). */
const FAREWELL_MS = 1000;

/** What all streams share. */
export interface StreamParts {
  readonly log: EventLog;
  readonly snapshots: Snapshots;
  /** The frames of the events that pass this hearing, as one buffer. */
  readonly piece: (place: Place, events: readonly LoggedEvent[], hearing: Hearing) => Buffer;
}

/**
 * One client. Instead of a queue it has a place in the log, which all clients share. So a client that does not read
 * costs little and does not affect others.
 */
export function createEventStream(
  { log, snapshots, piece }: StreamParts,
  hearing: Hearing,
  from: Place | GapReason | undefined,
) {
  const body = new Readable({
    highWaterMark: AT_ONCE_BYTES,
    read() {
      if (!isBlocked || isEnded) return;
      isBlocked = false;
      goOn();
    },
  });
  let isBlocked = false;
  let isEnded = false;
  let place: Place = log.head;
  /** Events between the client's last one and its return do not count as waiting. */
  let replayEnd: Place = 0;
  /** Why a blocked client has to begin anew once it reads again. */
  let broken: GapReason | undefined;
  let cut = (): void => void body.destroy();
  let impatience: NodeJS.Timeout | undefined;

  function push(bytes: Buffer): void {
    if (!body.push(bytes)) isBlocked = true;
  }

  function beginAnew(reason?: GapReason): void {
    if (reason) push(snapshots.gap(reason));
    for (const bytes of snapshots.of(hearing.topics)) push(bytes);
    place = log.head;
    broken = undefined;
  }

  function goOn(): void {
    if (broken) beginAnew(broken);
    let isBehind = log.head - Math.max(place, replayEnd) > MAX_WAITING_EVENTS;
    while (!isBehind && !isBlocked && place < log.head) {
      const events = log.from(place, AT_ONCE_EVENTS);
      isBehind = events === undefined;
      if (!events) break;
      const bytes = piece(place, events, hearing);
      place += events.length;
      if (bytes.length > 0) push(bytes);
    }
    if (isBehind) beginAnew('overflow');
  }

  push(BEGINNING);
  if (typeof from === 'number') {
    place = from;
    replayEnd = log.head;
    goOn();
  } else beginAnew(from);

  return {
    body,
    /** To be called when the log has new events. */
    follow(): void {
      if (isBlocked || isEnded) return;
      // A client that reads is never behind, however many events came at once.
      replayEnd = log.head;
      goOn();
    },
    beginAnew(reason: GapReason): void {
      if (isEnded) return;
      if (isBlocked) broken = reason;
      else beginAnew(reason);
    },
    beat(bytes: Buffer): void {
      // Writing to a client that does not read would hide it from the detection of stalled connections.
      if (isEnded) return;
      if (!isBlocked) push(bytes);
      else if (body.readableLength > MAX_UNSENT_BYTES) body.destroy();
    },
    end(reason: string): void {
      if (isEnded) return;
      isEnded = true;
      if (isBlocked) return void body.destroy();
      body.push(farewell(reason));
      body.push(null);
      impatience = setTimeout(() => cut(), FAREWELL_MS).unref();
    },
    /** Takes the function that closes the connection, in which bytes of the body may still be waiting. */
    onCutOff(close: () => void): void {
      cut = close;
    },
    /** To be called when all bytes have been sent. */
    sent(): void {
      clearTimeout(impatience);
    },
  };
}

export type EventStream = ReturnType<typeof createEventStream>;
