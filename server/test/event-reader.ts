import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createEventParser } from '../../packages/client/src/event-parser.ts';

export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: events are looked into freely by tests
  readonly data: any;
}

interface ReaderOptions {
  readonly token?: string;
  readonly key?: string;
  readonly topics?: string;
  readonly lastEventId?: string;
  readonly path?: string;
}

/** Opens an event stream and collects the events received. */
export async function openEvents(port: number, options: ReaderOptions = {}) {
  const { token, key, topics, lastEventId } = options;
  const query = topics === undefined ? '' : `?topics=${topics}`;
  const sent: ClientRequest = request({
    port,
    host: '127.0.0.1',
    agent: false,
    path: options.path ?? `/pbxcore/api/v3/events${query}`,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'x-api-key': key }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      'accept-encoding': 'gzip',
    },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  const events: ReadEvent[] = [];
  let text = '';
  let id = '';
  let isOver = false;
  let changed = () => {};
  const parser = createEventParser({
    onId: (next) => {
      id = next;
    },
    onRetry() {},
    onBlock: ({ event, data }) => events.push({ id, event, data: JSON.parse(data) }),
  });
  const isStream = response.headers['content-type']?.startsWith('text/event-stream');
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
    if (isStream) parser.take(piece);
    changed();
  });
  const over = () => {
    isOver = true;
    changed();
  };
  response.on('end', over).on('close', over).on('error', over);

  /** Waits until a check succeeds; fails if the stream ends first. */
  async function until<T>(check: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = check();
      if (found) return found;
      if (isOver)
        throw new Error(`the stream ended after ${JSON.stringify(events.slice(-5))} ${text.slice(-300)}`);
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    }
  }

  return {
    status: response.statusCode,
    headers: response.headers,
    response,
    events,
    text: () => text,
    /** The value a client would send as `Last-Event-ID`. */
    lastId: () => id,
    until,
    /** Waits for the first event with this name that passes the check; events before `from` do not count. */
    event: (name: string, check: (data: ReadEvent['data']) => boolean = () => true, from = 0) =>
      until(() => events.slice(from).find(({ event, data }) => event === name && check(data))),
    snapshot: (topic: string) =>
      until(() => events.find(({ event, data }) => event === 'snapshot' && data.topic === topic)?.data),
    async ended(): Promise<void> {
      while (!isOver)
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
    },
    get isOver() {
      return isOver;
    },
    close(): void {
      sent.destroy();
    },
  };
}

export type EventReader = Awaited<ReturnType<typeof openEvents>>;
