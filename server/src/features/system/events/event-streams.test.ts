import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import type { SessionCaller } from '../../../http/caller.ts';
import { createEmbeddedEventLog } from '../../../store/events/embedded-event-log.ts';
import { createEventStreams } from './event-streams.ts';
import { hearingOf } from './hearing.ts';

const clock = { now: () => 1_000_000 };
const person = (userId: number): SessionCaller => ({
  kind: 'jwt',
  userId,
  login: `p${userId}`,
  tokenId: '',
  session: '',
});

function makeStreams() {
  const log = createEmbeddedEventLog({ clock, steady: clock });
  let tellBreak = () => {};
  log.onBreak = (listener) => {
    tellBreak = listener;
  };
  const streams = createEventStreams({ log });
  onTestFinished(streams.close);
  let count = 0;
  const start = (userId = 1, last?: string) =>
    streams.open(person(userId), hearingOf(person(userId), ['records']), last);
  return {
    log,
    streams,
    tellBreak: () => tellBreak(),
    start,
    open: async (userId = 1, last?: string) => (await start(userId, last)).body,
    publish(many: number): void {
      for (let n = 0; n < many; n++)
        log.publish({
          topic: 'records',
          event: 'record',
          data: { resource: 'employees', id: String(++count), change: 'changed', by: 'x'.repeat(200) },
          path: '/api/v3/employees',
        });
    },
  };
}

/** Names of the received events, and ids of records, up to the last published one. */
async function readUntil(stream: Readable, lastId: string): Promise<string[]> {
  let text = '';
  stream.on('data', (piece: Buffer) => {
    text += piece;
  });
  stream.resume();
  while (!text.includes(`id: ${lastId}\n`) || !text.endsWith('\n\n')) await once(stream, 'data');
  stream.removeAllListeners('data').pause();
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, event = '', data = '']) =>
    event === 'record' ? JSON.parse(data).id : `${event} ${JSON.parse(data).reason ?? ''}`.trim(),
  );
}
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String(from + n));

describe('streams of events', () => {
  test('30.7: a client that does not read gets one gap for over 1000 events, and others get them all', async () => {
    const { log, open, publish, streams } = makeStreams();
    const slow = await open(1);
    const quick = await open(2);
    expect(await readUntil(quick, log.headId)).toEqual(['snapshot']);
    const got: string[] = [];
    for (let part = 0; part < 10; part++) {
      publish(300);
      got.push(...(await readUntil(quick, log.headId)));
    }
    expect(got).toEqual(numbers(1, 3000));
    expect(slow.readableLength, 'bytes that wait in the stream itself').toBeLessThan(300 * 1024);
    const late = await readUntil(slow, log.headId);
    const gap = late.indexOf('gap overflow');
    expect(late.slice(gap)).toEqual(['gap overflow', 'snapshot']);
    expect(late.slice(1, gap)).toEqual(numbers(1, gap - 1));
    expect(streams.count()).toBe(2);
  });

  test('30.7: a client that falls behind by up to 1000 events misses none', async () => {
    const { log, open, publish } = makeStreams();
    const slow = await open();
    publish(1000);
    await turn();
    publish(900);
    const late = await readUntil(slow, log.headId);
    expect(late).toEqual(['snapshot', ...numbers(1, 1900)]);
  });

  test('30.5: a replay may hold more events than may wait', async () => {
    const { log, open, publish } = makeStreams();
    publish(1);
    const first = log.headId;
    publish(6000);
    expect(await readUntil(await open(1, first), log.headId)).toEqual(numbers(2, 6001));
  });

  test('30.8: the 1001st stream of a node is refused until another one is closed', async () => {
    const { open } = makeStreams();
    const all = await Promise.all(Array.from({ length: 1000 }, (_, n) => open(n)));
    await expect(open(5000)).rejects.toThrow('1000 streams are open already');
    all[0]?.destroy();
    await once(all[0] as Readable, 'close');
    await open(5000);
  });

  test('streams end at once, even for a client that does not read', async () => {
    const { open, publish, streams } = makeStreams();
    const reading = await open(1);
    reading.resume();
    const stalled = await open(2);
    publish(1000);
    await turn();
    streams.close();
    await Promise.all([once(reading, 'close'), once(stalled, 'close')]);
    await expect(open(3)).rejects.toThrow('stopping');
  });

  test('30.5: the final event has no id, so that the client gets unsent events when it reconnects', async () => {
    const { log, open, publish, streams } = makeStreams();
    const reading = await open();
    const start = log.headId;
    publish(3);
    for (const { end } of streams.list()) end('credential');
    const text = Buffer.concat(await reading.toArray()).toString();
    expect([...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual([start]);
    expect(text).toMatch(/\n\nevent: bye\ndata: \{"reason":"credential"\}\n\n$/);
  });

  test('30.5: a break is reported as such even to a client that did not read', async () => {
    const { log, open, publish, tellBreak } = makeStreams();
    const slow = await open();
    publish(1000);
    await turn();
    await eventually(() => expect(slow.readableLength).toBeGreaterThan(64 * 1024));
    tellBreak();
    expect((await readUntil(slow, log.headId)).slice(-2)).toEqual(['gap node', 'snapshot']);
  });

  test('30.8: at the end a connection that does not take the rest within a second is cut', async () => {
    const { start, streams } = makeStreams();
    const cut: string[] = [];
    const [stalled, reading] = [await start(1), await start(2)];
    stalled.onCutOff(() => cut.push('stalled'));
    reading.onCutOff(() => cut.push('reading'));
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    streams.close();
    reading.sent();
    vi.advanceTimersByTime(1000);
    expect(cut).toEqual(['stalled']);
  });
});
