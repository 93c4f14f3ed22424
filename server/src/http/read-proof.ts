import { closeSync, openSync, readSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A proof counts for so long after the last byte (contract 17.16). */
const PROOF_MS = 60_000;
/** Some 7 000 connections. Behind a longer list ours is not looked for: that would hold up everybody else. */
const MAX_TABLE_BYTES = 1024 * 1024;

const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Tells once when the peer has shown that it read the whole answer: by its next request on the connection, or by ending
 * it in order. A reset, silence and a lost connection prove nothing (contract 17.16).
 */
export function whenRead(request: IncomingMessage, response: ServerResponse, tell: () => void): void {
  const { socket } = request;
  // Node closes a connection that is not to be kept as soon as the last byte is handed over: it would never hear of a reset.
  socket.destroySoon = () => socket.end();
  response.once('finish', () => {
    const proofs = waiting.get(socket) ?? new Set();
    waiting.set(socket, proofs.add(proven));
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
      socket.off('end', ended).off('close', forget);
      if (proofs.size === 0) Reflect.deleteProperty(socket, 'destroySoon');
    }
  });
}

/** To be called for every request that arrives. */
export function noteRequest({ socket }: IncomingMessage): void {
  for (const proven of waiting.get(socket) ?? []) proven();
}

/**
 * Whether the peer's kernel has all that was sent. A peer that leaves while bytes are still on their way ends its side in
 * order too; its reset comes when they arrive, which is later than anybody could hear of it.
 */
function isAcknowledged({ localAddress = '', localPort = 0, remotePort = 0 }: Socket): boolean {
  const table = readTable(localAddress.includes(':') ? '/proc/self/net/tcp6' : '/proc/self/net/tcp');
  const [local, remote] = [hexPort(localPort), hexPort(remotePort)];
  const line = new RegExp(`:${local} [0-9A-F]+:${remote} ([0-9A-F]{2}) ([0-9A-F]{8}):`, 'g');
  const found = [...(table?.matchAll(line) ?? [])];
  return found.length > 0 && found.every(([, state = '', unsent = '']) => onlyEndIsLeft(state, unsent));
}

/** In these states our own end stands in the queue as the last byte: FIN_WAIT1, LAST_ACK, CLOSING. */
const ENDED_STATES = ['04', '09', '0B'];

const onlyEndIsLeft = (state: string, unsent: string): boolean =>
  Number.parseInt(unsent, 16) <= (ENDED_STATES.includes(state) ? 1 : 0);

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** `undefined` when there is none, or too much of it. Read at once: when this turn is over the connection may have left the table. */
function readTable(file: string): string | undefined {
  let table: number;
  try {
    table = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.allocUnsafe(MAX_TABLE_BYTES);
    let length = 0;
    for (let read = 1; read > 0; length += read) {
      if (length === bytes.length) return undefined;
      read = readSync(table, bytes, length, bytes.length - length, null);
    }
    return bytes.toString('latin1', 0, length);
  } finally {
    closeSync(table);
  }
}
