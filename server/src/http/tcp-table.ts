import { closeSync, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';

/** About 28 000 connections, which take tens of milliseconds to list. A larger table is not searched. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/**
 * Whether the peer's kernel has acknowledged all that was sent. A peer that leaves while bytes are still on their way
 * also ends its side in order; its reset comes only when they arrive, too late for us to notice.
 */
export function isAcknowledged(socket: Socket): boolean {
  const { ours } = findEnds(socket);
  return ours.length > 0 && ours.every(({ state, unsent }) => unsent <= (ENDED_STATES.has(state) ? 1 : 0));
}

/** In these states our FIN counts as one more byte in the queue: FIN_WAIT1, LAST_ACK, CLOSING. */
const ENDED_STATES = new Set(['04', '09', '0B']);

/** Two packets of the loopback device: this much may have been read long before it is acknowledged. */
const LATE_BYTES = 2 * 65_536;

/** Whether a process on this machine has read all that was sent to it. */
export function hasRead(socket: Socket): boolean {
  const { ours, theirs } = findEnds(socket);
  if (theirs.length === 0 || theirs.some(({ unread }) => unread > 0)) return false;
  return ours.every(({ unsent }) => unsent <= LATE_BYTES);
}

export const isOnThisMachine = ({ localAddress, remoteAddress = '' }: Socket): boolean =>
  remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);

interface End {
  readonly state: string;
  /** Bytes not acknowledged by the other side. */
  readonly unsent: number;
  /** Bytes that have arrived but no process has read. */
  readonly unread: number;
}

/** The ends of connections between these two ports, whatever the addresses: a false match errs on the safe side. */
function findEnds({ localPort = 0, remotePort = 0 }: Socket): { ours: End[]; theirs: End[] } {
  const tables = TABLES.map(readTable);
  const find = (from: number, to: number): End[] => {
    const ends = `:${hexPort(from)} [0-9A-F]+:${hexPort(to)}`;
    const line = new RegExp(`${ends} ([0-9A-F]{2}) ([0-9A-F]{8}):([0-9A-F]{8})`, 'g');
    return tables.flatMap((table = '') =>
      [...table.matchAll(line)].map(([, state = '', unsent = '', unread = '']) => ({
        state,
        unsent: Number.parseInt(unsent, 16),
        unread: Number.parseInt(unread, 16),
      })),
    );
  };
  return { ours: find(localPort, remotePort), theirs: find(remotePort, localPort) };
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** `undefined` when missing or too large. Read synchronously, as the connection may leave the table after this turn. */
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
