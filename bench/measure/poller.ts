import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Reply {
  readonly status: number;
  readonly bytes: number;
  /** From the request to the last byte. */
  readonly ms: number;
}

export interface Poller {
  get(path?: string): Promise<Reply>;
  close(): void;
}

interface Target {
  readonly port: number;
  readonly path: string;
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One keep-alive connection, one request at a time. It reads into one buffer and only counts bytes: a client that
 * parses 14 MB would be slower than the servers it measures.
 */
export async function openPoller({ port, path, method = 'GET', headers = {} }: Target): Promise<Poller> {
  let head = '';
  let left = Number.NaN;
  let bytes = 0;
  let status = 0;
  let tail = '';
  let waiting: { began: number; resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;

  let socket = await open();

  async function open(): Promise<Socket> {
    const opened = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(256 * 1024),
        callback(count, buffer) {
          take(buffer as Buffer, count);
          return true;
        },
      },
    });
    opened.on('error', (error) => waiting?.reject(error));
    opened.on('close', () => waiting?.reject(new Error('the server closed the connection')));
    await once(opened, 'connect');
    return opened;
  }

  function take(buffer: Buffer, count: number): void {
    let from = 0;
    if (Number.isNaN(left)) {
      head += buffer.toString('latin1', 0, count);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      from = count - (head.length - end - 4);
      status = Number(head.slice(9, 12));
      // Without a length the answer is chunked, and ends with an empty chunk.
      left =
        method === 'HEAD' || status === 304
          ? 0
          : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Infinity);
    }
    bytes += count - from;
    left -= count - from;
    if (left === Infinity)
      tail = (tail + buffer.toString('latin1', Math.max(from, count - 5), count)).slice(-5);
    if (left <= 0 || tail === '0\r\n\r\n') finish();
  }

  function finish(): void {
    const done = waiting;
    const reply = { status, bytes, ms: performance.now() - (done?.began ?? 0) };
    [head, left, bytes, tail, waiting] = ['', Number.NaN, 0, '', undefined];
    done?.resolve(reply);
  }

  const lines = Object.entries({ host: `127.0.0.1:${port}`, 'user-agent': 'bench', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return {
    async get(other = path) {
      // An idle connection is closed after some seconds; any client then opens another.
      if (socket.destroyed || !socket.writable) socket = await open();
      return new Promise((resolve, reject) => {
        waiting = { began: performance.now(), resolve, reject };
        socket.write(`${method} ${other} HTTP/1.1\r\n${lines}\r\n`);
      });
    },
    close() {
      waiting = undefined;
      socket.destroy();
    },
  };
}

/** The same, but any status other than 200 is an error: a refused poll is cheap and would look fast. */
export async function mustGet(poller: Poller, path?: string): Promise<Reply> {
  const reply = await poller.get(path);
  if (reply.status !== 200) throw new Error(`answered with ${reply.status}`);
  return reply;
}
