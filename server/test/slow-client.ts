import { once } from 'node:events';
import { connect } from 'node:net';

/** A client that asks over a connection of its own and then reads nothing. */
export interface SlowClient {
  /** Resolves when the first bytes of the answer are there; they are not read. */
  readonly began: Promise<void>;
  /** Leaves without reading. */
  leave(): Promise<void>;
  /** Reads the answer to its end; resolves to all of it, head included. */
  readAll(): Promise<string>;
}

export async function connectSlowClient({
  port,
  path,
  key,
  headers = {},
}: {
  port: number;
  path: string;
  key: string;
  headers?: Record<string, string>;
}): Promise<SlowClient> {
  const socket = connect({ port, host: '127.0.0.1' });
  let dropped = false;
  socket.on('error', () => {});
  socket.once('close', () => {
    dropped = true;
  });
  const began = once(socket, 'readable').then(() => {});
  began.catch(() => {}); // seen by whoever waits for it
  await once(socket, 'connect');
  const lines = [
    `GET /pbxcore/api/v3${path} HTTP/1.1`,
    'Host: bouncer.test',
    `X-Api-Key: ${key}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return {
    began,
    async leave() {
      const closed = dropped ? undefined : once(socket, 'close');
      socket.resetAndDestroy();
      await closed;
    },
    async readAll() {
      const chunks: Buffer[] = [];
      for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
  };
}

/** So many addresses that no buffer between two processes holds the answer about them. */
export const manyAddresses = (count = 40_000): string[] =>
  Array.from({ length: count }, (_, i) => `100.${64 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`);
