// Runs inside a network namespace and does what a test outside asks for: one request or connection at a time. It also
// keeps the namespace alive: once it and everything else in there has ended, the kernel removes the namespace.
import { connect } from 'node:net';

export interface FetchOrder {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ConnectOrder {
  readonly host: string;
  readonly port: number;
  readonly from: string;
  readonly withinMs: number;
}

export type Order =
  | ({ readonly id: number; readonly call: 'fetch' } & FetchOrder)
  | ({ readonly id: number; readonly call: 'connect' } & ConnectOrder);

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

async function answer({ url, method, headers, body }: FetchOrder) {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, text: await response.text() };
}

/** A dropped packet shows as `timeout`; a closed port would be `ECONNREFUSED`. */
function tryToConnect({ host, port, from, withinMs }: ConnectOrder): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, localAddress: from });
    const finish = (result: string) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(withinMs, () => finish('timeout'));
    socket.on('connect', () => finish('open'));
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  });
}

process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  const reply = (await (order.call === 'fetch' ? answer(order) : tryToConnect(order)).then(
    (result) => ({ id: order.id, result }),
    (error: Error) => ({ id: order.id, error: `${error.message} ${error.cause ?? ''}` }),
  )) satisfies Reply;
  process.send?.(reply);
});
process.send?.({ id: 0 } satisfies Reply);
