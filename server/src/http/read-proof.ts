import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasRead, isAcknowledged, isOnThisMachine } from './tcp-table.ts';

/** How long after the last byte a proof counts (contract 17.16). */
const PROOF_MS = 60_000;

const waitingOn = new WeakMap<Socket, Set<() => void>>();
/** For clients on this machine, by caller and request. */
const waitingHere = new Map<string, Map<Socket, () => void>>();

/**
 * Calls `tell` once, when the client has shown that it read the whole answer: by its next request on the connection,
 * or by ending it in order. A reset, silence and a lost connection prove nothing (contract 17.16). A client on this
 * machine may repeat the request on another connection; the TCP table then shows whether it has read the first answer.
 */
export function whenRead(request: IncomingMessage, response: ServerResponse, tell: () => void): void {
  const { socket } = request;
  const subject = subjectOf(request);
  // Node closes a connection without keep-alive right after handing over the last byte, and would miss a reset.
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

/** Call it for every request that arrives. */
export function noteRequest(request: IncomingMessage): void {
  for (const proven of waitingOn.get(request.socket) ?? []) proven();
  // Fast path: every request comes here, and there is rarely an entry.
  if (waitingHere.size === 0) return;
  for (const [socket, proven] of waitingHere.get(subjectOf(request)) ?? []) if (hasRead(socket)) proven();
}

/** Caller and request: one client on this machine proves nothing about another. */
const subjectOf = ({ socket, headers, url = '' }: IncomingMessage): string =>
  JSON.stringify([socket.remoteAddress, headers['x-api-key'], headers.authorization, url.split('?', 1)]);
