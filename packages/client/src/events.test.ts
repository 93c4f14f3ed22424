import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEventParser } from './event-parser.ts';
import {
  type FollowOptions,
  FollowRefused,
  type FollowState,
  followEvents,
  type PbxEvent,
} from './events.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const frame = (id: string, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const stream = (response: ServerResponse, text: string) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`retry: 10\n\n${text}`);
};
const refuse = (response: ServerResponse, status: number, reason: string) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ messages: { error: [reason] } }));

/** A server that gives these answers in order, repeating the last one, and a follower of it. */
async function follow(answers: Answer[], options: Partial<FollowOptions> = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    (answers[Math.min(requests.length, answers.length) - 1] as Answer)(response, request);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = new AbortController();
  const events: PbxEvent[] = [];
  const states: FollowState[] = [];
  let changed = () => {};
  const done = followEvents({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credential: 'the-key',
    signal: stop.signal,
    ...options,
    onEvent(event) {
      options.onEvent?.(event);
      events.push(event);
      changed();
    },
    onState(state) {
      states.push(state);
      changed();
    },
  });
  done.catch(() => {});
  onTestFinished(async () => {
    stop.abort();
    await done.catch(() => {});
    server.closeAllConnections();
    server.close();
  });
  return {
    requests,
    events,
    states,
    done,
    stop,
    async until(check: () => boolean): Promise<void> {
      while (!check())
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
    },
  };
}

describe('following events', () => {
  test('events arrive typed, and the credential and the topics are sent', async () => {
    const { events, requests, states, until } = await follow(
      [(response) => stream(response, frame('7-1', 'record', { resource: 'employees', id: '12' }))],
      { topics: ['calls', 'records'] },
    );
    await until(() => events.length === 1);
    expect(events[0]).toEqual({ id: '7-1', event: 'record', data: { resource: 'employees', id: '12' } });
    expect(requests[0]?.url).toBe('/pbxcore/api/v3/events?topics=calls%2Crecords');
    expect(requests[0]?.headers.authorization).toBe('Bearer the-key');
    expect(requests[0]?.headers['last-event-id']).toBeUndefined();
    expect(states).toEqual([{ state: 'connecting' }, { state: 'open' }]);
  });

  test('after a cut the client reconnects with the last id and reports when the last byte came', async () => {
    const { events, requests, states, until } = await follow([
      (response) => {
        stream(response, `${frame('7-1', 'module', { id: 'A' })}:\nid: 7-9\n\n`);
        setTimeout(() => response.destroy(), 20);
      },
      (response) => stream(response, frame('7-10', 'module', { id: 'B' })),
    ]);
    await until(() => events.length === 2);
    expect(requests[1]?.headers['last-event-id'], 'moved on by a comment').toBe('7-9');
    const lost = states.find(({ state }) => state === 'reconnecting');
    expect(lost).toMatchObject({ lastByteAt: expect.any(Number), retryInMs: expect.any(Number) });
    expect(states.at(-1)).toEqual({ state: 'open' });
  });

  test('a connection without any byte is abandoned', async () => {
    const { events, requests, states, until } = await follow(
      [(response) => stream(response, ''), (response) => stream(response, frame('1-1', 'bye', {}))],
      { silentMs: 100 },
    );
    await until(() => events.length === 1);
    expect(requests.length).toBeGreaterThanOrEqual(2);
    expect(states.find(({ state }) => state === 'reconnecting')).toMatchObject({
      reason: expect.stringContaining('no byte'),
    });
  });

  test('a 401 asks for a new credential once, and at once', async () => {
    const keys = ['old', 'new'];
    const { requests, events, until } = await follow(
      [
        (response) => refuse(response, 401, 'a valid API key or token is required'),
        (response) => stream(response, frame('1-1', 'module', {})),
      ],
      { credential: async () => keys.shift() },
    );
    await until(() => events.length === 1);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  test.each([400, 401, 403])('%i with a fixed key is final', async (status) => {
    const { done, requests } = await follow([(response) => refuse(response, status, 'because')]);
    const error = await done.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(FollowRefused);
    expect(error).toMatchObject({ status, message: 'because' });
    expect(requests).toHaveLength(1);
  });

  test('503 is tried again, but not sooner than the service asks', async () => {
    const { states, until } = await follow([
      (response) => response.writeHead(503, { 'retry-after': '20' }).end(),
    ]);
    await until(() => states.some(({ state }) => state === 'reconnecting'));
    const lost = states.at(-1) as FollowState & { retryInMs: number };
    expect(lost.retryInMs).toBeGreaterThanOrEqual(20_000);
  });

  test('pauses grow while connections bring nothing', async () => {
    const pauses: number[] = [];
    const { states, until } = await follow([
      (response) => {
        stream(response, '');
        response.end();
      },
    ]);
    await until(() => {
      const last = states.at(-1);
      if (last?.state === 'reconnecting' && pauses.length < states.length) pauses.push(last.retryInMs);
      return pauses.length >= 6;
    });
    expect(pauses[0]).toBeLessThanOrEqual(10);
    expect(pauses.at(-1)).toBeGreaterThan(pauses[0] as number);
  });

  test('an exception in the event handler stops the follower', async () => {
    const defect = new TypeError('a defect of the caller');
    const { done } = await follow([(response) => stream(response, frame('1-1', 'module', {}))], {
      onEvent() {
        throw defect;
      },
    });
    expect(await done.catch((caught: unknown) => caught)).toBe(defect);
  });

  test('an abort stops the follower quietly', async () => {
    const { done, stop, until, states } = await follow([(response) => stream(response, '')]);
    await until(() => states.at(-1)?.state === 'open');
    stop.abort();
    expect(await done).toBeUndefined();
  });
});

describe('reading a stream', () => {
  const read = (...pieces: string[]) => {
    const said: unknown[] = [];
    const parser = createEventParser({
      onBlock: (block) => said.push(block),
      onId: (id) => said.push(id),
      onRetry: (ms) => said.push(ms),
    });
    for (const piece of pieces) parser.take(piece);
    return said;
  };
  const text = 'retry: 5\n\n:\nid: 1-1\nevent: call\ndata: {\ndata: }\n\nid: 1-2\n\ndata:x\n\n';
  const said = [5, '1-1', { event: 'call', data: '{\n}' }, '1-2', { event: 'message', data: 'x' }];

  test('a stream may arrive in pieces of any size, with any line breaks', () => {
    for (const whole of [text, text.replaceAll('\n', '\r\n'), `${text.replaceAll('\n', '\r')}:`])
      for (let size = 1; size < 20; size++)
        expect(read(...(whole.match(new RegExp(`[^]{1,${size}}`, 'g')) as string[]))).toEqual(said);
  });
});
