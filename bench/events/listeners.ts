import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Listeners {
  /** Bytes received so far, heads included. */
  bytes(): number;
  /** Number of chunks received. */
  pieces(): number;
  close(): void;
}

/** Connections that each request a stream and only count what they receive. */
export async function openListeners(
  port: number,
  path: string,
  headers: readonly Readonly<Record<string, string>>[],
): Promise<Listeners> {
  let bytes = 0;
  let pieces = 0;
  const sockets: Socket[] = [];
  const buffer = Buffer.allocUnsafe(64 * 1024);
  for (const own of headers) {
    const answered = Promise.withResolvers<void>();
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback(count, read) {
          const head = (read as Buffer).toString('latin1', 0, Math.min(count, 12));
          if (head.startsWith('HTTP/1.1 ') && !head.endsWith('200'))
            answered.reject(new Error(`answered with ${head}`));
          bytes += count;
          pieces++;
          answered.resolve();
          return true;
        },
      },
    });
    await once(socket, 'connect');
    const lines = Object.entries({ host: `127.0.0.1:${port}`, ...own }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await answered.promise;
    sockets.push(socket);
  }
  return {
    bytes: () => bytes,
    pieces: () => pieces,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
