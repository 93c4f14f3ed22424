import { closeSync, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Some 7 000 connections. Behind a longer list ours is not looked for: that would hold up everybody else. */
const MAX_TABLE_BYTES = 1024 * 1024;
const [TABLE, TABLE_6] = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/**
 * Whether the peer's kernel has all that was sent. A peer that leaves while bytes are still on their way ends its side in
 * order too; its reset comes when they arrive, which is later than anybody could hear of it.
 */
export function isAcknowledged(socket: Socket): boolean {
  const ends = ownEnds(socket);
  return ends.length > 0 && ends.every(({ state, unsent }) => unsent <= (ENDED_STATES.has(state) ? 1 : 0));
}

/** In these states our own end stands in the queue as the last byte: FIN_WAIT1, LAST_ACK, CLOSING. */
const ENDED_STATES = new Set(['04', '09', '0B']);

/** Two packets of the loopback device: so much may have been taken long before it is acknowledged. */
const LATE_BYTES = 2 * 65_536;

/** Whether a process on this machine has taken all that was sent to it. */
export function hasRead(socket: Socket): boolean {
  const { localPort = 0, remotePort = 0 } = socket;
  const peers = find([TABLE, TABLE_6], remotePort, localPort);
  if (peers.length === 0 || peers.some(({ unread }) => unread > 0)) return false;
  return ownEnds(socket).every(({ unsent }) => unsent <= LATE_BYTES);
}

const ownEnds = ({ localAddress = '', localPort = 0, remotePort = 0 }: Socket): End[] =>
  find([localAddress.includes(':') ? TABLE_6 : TABLE], localPort, remotePort);

export const isOnThisMachine = ({ localAddress, remoteAddress = '' }: Socket): boolean =>
  remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);

interface End {
  readonly state: string;
  /** Bytes that the other side has not acknowledged. */
  readonly unsent: number;
  /** Bytes that have arrived and no process has taken. */
  readonly unread: number;
}

/** The ends of connections between two ports, whatever the addresses: one too many errs on the safe side. */
function find(tables: readonly string[], localPort: number, remotePort: number): End[] {
  const [local, remote] = [localPort, remotePort].map((port) =>
    port.toString(16).toUpperCase().padStart(4, '0'),
  );
  const line = new RegExp(`:${local} [0-9A-F]+:${remote} ([0-9A-F]{2}) ([0-9A-F]{8}):([0-9A-F]{8})`, 'g');
  return tables.flatMap((file) =>
    [...(readTable(file)?.matchAll(line) ?? [])].map(([, state = '', unsent = '', unread = '']) => ({
      state,
      unsent: Number.parseInt(unsent, 16),
      unread: Number.parseInt(unread, 16),
    })),
  );
}

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
