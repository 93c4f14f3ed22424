import { connect, type Socket } from 'node:net';
import type { Told } from '../firewall-rig.ts';

/** How a poll ends. Only the answers of the first three are read and applied. */
export const ENDINGS = ['kept', 'ended', 'closed', 'reset', 'unread', 'left'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface Applied {
  readonly new: readonly Told[];
  readonly deleted: readonly Told[];
}

const APPLIED: readonly Ending[] = ['kept', 'ended', 'closed'];
const PATH = '/pbxcore/api/v3/firewall-bouncer/v1/decisions/stream';

/** A bouncer whose connections end in every possible way. Use one per key and node. */
export function createFickleBouncer(key: string) {
  let kept: Socket | undefined;

  return {
    /** What the client read and applied; `undefined` if nothing, or if it was refused. */
    async poll(port: number, ending: Ending): Promise<Applied | undefined> {
      const socket = kept && !kept.destroyed ? kept : await open(port);
      kept = undefined;
      if (!socket) return undefined;
      const connection = ending === 'closed' ? 'close' : 'keep-alive';
      socket.write(
        `GET ${PATH} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\nConnection: ${connection}\r\n\r\n`,
      );
      if (ending === 'left') return leave(socket);
      if (ending === 'unread') {
        if (socket.readableLength === 0) await anything(socket, 'readable');
        return leave(socket);
      }
      const answer = await readAnswer(socket);
      if (ending === 'reset') return leave(socket);
      if (ending === 'ended') socket.end();
      if (ending === 'kept') kept = socket;
      else await gone(socket);
      if (answer?.status !== 200 || !APPLIED.includes(ending)) return undefined;
      return JSON.parse(answer.body) as Applied;
    },
    close: () => kept?.destroy(),
  };
}

/** `undefined` when nobody listens: the service was killed. */
async function open(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await anything(socket, 'connect');
  return socket.destroyed ? undefined : socket;
}

async function gone(socket: Socket): Promise<void> {
  if (!socket.destroyed) await anything(socket);
}

/** Resolves at one of these events, or when the connection closes. */
function anything(socket: Socket, ...events: string[]): Promise<void> {
  return new Promise((resolve) => {
    const all = [...events, 'close'];
    const happened = () => {
      for (const event of all) socket.off(event, happened);
      resolve();
    };
    for (const event of all) socket.on(event, happened);
  });
}

function leave(socket: Socket): undefined {
  if (!socket.destroyed) socket.resetAndDestroy();
}

/** `undefined` when the connection broke before the end. */
async function readAnswer(socket: Socket): Promise<{ status: number; body: string } | undefined> {
  let received = '';
  for (;;) {
    received += socket.read()?.toString('latin1') ?? '';
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1]);
    if (head >= 0 && received.length >= head + 4 + length)
      return { status: Number(received.slice(9, 12)), body: received.slice(head + 4) };
    if (socket.destroyed || socket.readableEnded) return undefined;
    await anything(socket, 'readable', 'end');
  }
}
