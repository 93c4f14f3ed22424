import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasRead, isAcknowledged, isOnThisMachine } from './tcp-table.ts';

/** A proof counts for so long after the last byte (contract 17.16). */
const PROOF_MS = 60_000;

const waitingOn = new WeakMap<Socket, Set<() => void>>();
/** Of clients on this machine, by who asked for what. */
const waitingHere = new Map<string, Map<Socket, () => void>>();

/**
 * Tells once when the client has shown that it read the whole answer: by its next request on the connection, or by ending
 * it in order. A reset, silence and a lost connection prove nothing (contract 17.16). Of a client on this machine we can
 * see it for ourselves when it asks the same on another connection, as clients with several of them do.
 */
export function whenRead(request: IncomingMessage, response: ServerResponse, tell: () => void): void {
  const { socket } = request;
  const subject = subjectOf(request);
  // Node closes a connection that is not to be kept as soon as the last byte is handed over: it would never hear of a reset.
  socket.destroySoon = () => socket.end();
  response.once('finish', () => {
    const proofs = waitingOn.get(socket) ?? new Set();
    waitingOn.set(socket, proofs.add(proven));
    const here = waitingHere.get(subject) ?? new Map<Socket, () => void>();
    if (isOnThisMachine(socket)) waitingHere.set(subject, here.set(socket, proven));
    const timer = setTimeout(giveUp, PROOF_MS).unref();
    socket.prependListener('end', ended).once('close', forget);

    function proven(): void {
      forget();
      tell();
    }
    function ended(): void {
      if (isAcknowledged(socket)) proven();
      else forget();
    }
    function giveUp(): void {
      forget();
      if (socket.writableEnded) socket.destroy();
    }
    function forget(): void {
      clearTimeout(timer);
      proofs.delete(proven);
      here.delete(socket);
      if (here.size === 0) waitingHere.delete(subject);
      socket.off('end', ended).off('close', forget);
      if (proofs.size === 0) Reflect.deleteProperty(socket, 'destroySoon');
    }
  });
}

/** To be called for every request that arrives. */
export function noteRequest(request: IncomingMessage): void {
  for (const proven of waitingOn.get(request.socket) ?? []) proven();
  // Hardly ever does anybody wait, and every request comes by here.
  if (waitingHere.size === 0) return;
  for (const [socket, proven] of waitingHere.get(subjectOf(request)) ?? []) if (hasRead(socket)) proven();
}

/** Who asks for what. Two clients on one machine prove nothing of each other. */
const subjectOf = ({ socket, headers, url = '' }: IncomingMessage): string =>
  JSON.stringify([socket.remoteAddress, headers['x-api-key'], headers.authorization, url.split('?', 1)]);
