import type { Socket } from 'node:net';
import { ClientGone } from '../lib/errors.ts';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborted when the connection closes. One signal for all requests on a connection, as clients may send them without
 * waiting for answers; created on first use, as most handlers never need it.
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
