import type { Socket } from 'node:net';
import { ClientGone } from '../lib/errors.ts';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborted when the connection is closed. One for all requests on it, since they may be sent without waiting for the
 * answers, and made at the first look, since most handlers never ask.
 */
export function goneSignal(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const gone = new AbortController();
  const tell = () => gone.abort(new ClientGone('the client is gone'));
  if (socket.destroyed) tell();
  else socket.once('close', tell);
  signals.set(socket, gone.signal);
  return gone.signal;
}
