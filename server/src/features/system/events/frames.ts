import type { LoggedEvent } from '../../../store/events/event-log.ts';

/** How events look on the wire: server-sent events, as the WHATWG describes them. */

/** Names no place: who comes back with it begins anew. On all that comes before a whole set of snapshots is sent. */
export const NO_PLACE = '0-0';

/** How long a client waits before it comes back, and the first line of every stream (contract 30.3). */
export const BEGINNING = Buffer.from('retry: 2000\n\n');

/** JSON text holds no line break, so one `data` line is enough. */
export const frame = (id: string, event: string, data: string | object): Buffer =>
  Buffer.from(
    `id: ${id}\nevent: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  );

/** The last thing a stream says. Without an id: a client goes on after what it really heard. */
export const farewell = (reason: string): Buffer =>
  Buffer.from(`event: bye\ndata: ${JSON.stringify({ reason })}\n\n`);

/** Each event is made ready once, for all who hear it. */
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

/** Says that the stream is alive; the id moves a client on that heard nothing of what others were told. */
export const beat = (id: string): Buffer => Buffer.from(`:\nid: ${id}\n\n`);
