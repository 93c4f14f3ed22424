import type { IncomingMessage } from 'node:http';

/** How much of an unwanted body is read and dropped, and for how long (contract 17.1). */
export const MAX_DROPPED_BYTES = 8 * 1024 * 1024;
export const MAX_DROP_MS = 2000;

/** Whether part of the announced body is still to come. */
export const isUnread = (request: IncomingMessage): boolean => !request.complete && !request.destroyed;

/**
 * Reads and drops the rest of a body. The kernel resets a connection that is closed with unread bytes, and a client
 * that is still sending may then never see its answer. Resolves to whether the whole body came: beyond the limit
 * nothing more is read, and the client has the rest of the time to see the answer.
 */
export function dropRest(request: IncomingMessage): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let dropped = 0;
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MAX_DROPPED_BYTES) request.pause();
  };
  const done = () => {
    clearTimeout(timer);
    request.off('data', drop).off('end', done).off('close', done);
    resolve(request.complete);
  };
  const timer = setTimeout(done, MAX_DROP_MS);
  request.on('data', drop).once('end', done).once('close', done).resume();
  return promise;
}
