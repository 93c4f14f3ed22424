import type { LoggedEvent } from '../../../store/events/event-log.ts';

/** The wire format of events: server-sent events, as specified by the WHATWG. */

/** The id of no place: a client that returns with it begins anew. Used until a whole set of snapshots is sent. */
export const NO_PLACE = '0-0';

/** The first line of every stream: how long a client waits before it reconnects (contract 30.3). */
export const BEGINNING = Buffer.from('retry: 2000\n\n');

/** JSON text contains no line break, so one `data` line is enough. */
export const frame = (id: string, event: string, data: string | object): Buffer =>
  Buffer.from(
    `id: ${id}\nevent: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  );

/** The last event of a stream. Without an id, so that a client resumes after the last event it received. */
export const farewell = (reason: string): Buffer =>
  Buffer.from(`event: bye\ndata: ${JSON.stringify({ reason })}\n\n`);

/** Encodes each event once for all streams. */
export function createFrames() {
  const made = new WeakMap<LoggedEvent, Buffer>();
  return (event: LoggedEvent): Buffer => {
    const known = made.get(event);
    if (known) return known;
    const bytes = frame(event.id, event.event, event.data);
    made.set(event, bytes);
    return bytes;
  };
}

/** Shows that the stream is alive; the id also moves on clients that were not sent the latest events. */
export const beat = (id: string): Buffer => Buffer.from(`:\nid: ${id}\n\n`);
