import { once } from 'node:events';
import { connect } from 'node:net';

/** A client that sends a request on its own connection and then does not read. */
export interface SlowClient {
  /** Resolves when the first bytes of the answer have arrived; they are not read. */
  readonly began: Promise<void>;
  /** Disconnects without reading. */
  leave(): Promise<void>;
  /** Reads the whole answer, head included. */
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
  began.catch(() => {}); // a rejection reaches whoever awaits `began`
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

/** Enough addresses that the answer fits into no buffer between two processes. */
export const manyAddresses = (count = 40_000): string[] =>
  Array.from({ length: count }, (_, i) => `100.${64 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`);
