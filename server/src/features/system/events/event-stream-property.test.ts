import type { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createEventParser } from '../../../../../packages/client/src/event-parser.ts';
import { findRedis, startRedis } from '../../../../test/real/redis.ts';
import { realPart } from '../../../../test/real/require-real.ts';
import type { SessionCaller } from '../../../http/caller.ts';
import { createEmbeddedEventLog } from '../../../store/events/embedded-event-log.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import { compareIds } from '../../../store/events/recent-events.ts';
import { createRedisEventLog } from '../../../store/events/redis-event-log.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { hearingOf } from './hearing.ts';

const NAMES = 3;
type Step =
  | { do: 'change'; node: number; subject: number; state: number; many: number }
  | { do: 'cut' | 'pause' | 'resume'; client: number; node: number }
  | { do: 'wait' }
  | { do: 'restart'; node: number };
const index = fc.nat({ max: NAMES - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      node: index,
      subject: fc.nat({ max: 5 }),
      state: fc.nat({ max: 3 }),
      many: fc.constantFrom(1, 1, 3, 20, 700),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cut' as const, 'pause' as const, 'resume' as const),
      client: index,
      node: index,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), node: index }) },
);

/** Follows calls and keeps the state received; remembers its last id across disconnects, like every client. */
function makeClient(userId: number) {
  const caller: SessionCaller = { kind: 'jwt', userId, login: '', tokenId: '', session: '' };
  const held = new Map<string, string>();
  let lastId: string | undefined;
  let stream: Readable | undefined;
  const heard: string[] = [];
  let gaps = 0;

  function hear(event: string, data: string): void {
    const told = JSON.parse(data);
    if (event === 'gap') {
      gaps++;
      heard.length = 0;
    } else if (event === 'snapshot') {
      held.clear();
      for (const call of told.calls) held.set(call.linkedid, call.state);
    } else if (event === 'call') {
      const before = heard.at(-1);
      // Ids arrive in order, none twice.
      if (before !== undefined) expect(compareIds(before, lastId as string)).toBeLessThan(0);
      heard.push(lastId as string);
      if (told.state === 'ended') held.delete(told.linkedid);
      else held.set(told.linkedid, told.state);
    }
  }

  return {
    held,
    heard,
    gaps: () => gaps,
    lastId: () => lastId,
    async connect(streams: EventStreams): Promise<void> {
      stream?.destroy();
      const parser = createEventParser({
        onId: (id) => {
          lastId = id;
        },
        onRetry() {},
        onBlock: ({ event, data }) => hear(event, data),
      });
      const { body: mine } = await streams.open(caller, hearingOf(caller, ['calls']), lastId);
      stream = mine;
      mine.on('data', (piece: Buffer) => {
        if (stream === mine) parser.take(piece.toString());
      });
    },
    pause: () => void stream?.pause(),
    resume: () => void stream?.resume(),
    get isOver() {
      return stream === undefined || stream.destroyed;
    },
    close: () => void stream?.destroy(),
  };
}

interface Rig {
  open(): Promise<EventLog>;
  close(): Promise<void>;
}

async function play(rig: Rig, nodeCount: number, steps: readonly Step[]): Promise<number> {
  const open = async () => {
    const log = await rig.open();
    return { log, streams: createEventStreams({ log }) };
  };
  const nodes = await Promise.all(Array.from({ length: nodeCount }, open));
  const nodeAt = (n: number) => nodes[n % nodeCount] as (typeof nodes)[number];
  const clients = Array.from({ length: NAMES }, (_, n) => makeClient(n));
  for (const [n, client] of clients.entries()) await client.connect(nodeAt(n).streams);
  let changes = 0;

  for (const one of steps) {
    const client = 'client' in one ? clients[one.client] : undefined;
    if (one.do === 'change') {
      const linkedid = `c${one.subject}`;
      for (let n = 0; n < one.many; n++) {
        const isEnded = one.state === 0;
        const data = {
          linkedid,
          state: isEnded ? 'ended' : `s${one.state}.${++changes}`,
          name: 'x'.repeat(100),
        };
        const keep = { subject: linkedid, ...(!isEnded && { data }) };
        nodeAt(one.node).log.publish({ topic: 'calls', event: 'call', data, keep });
      }
    } else if (one.do === 'cut') await client?.connect(nodeAt(one.node).streams);
    else if (one.do === 'pause') client?.pause();
    else if (one.do === 'resume') client?.resume();
    else if (one.do === 'wait') await new Promise((resolve) => setTimeout(resolve, 30));
    else {
      const at = one.node % nodeCount;
      const { log, streams } = nodeAt(at);
      streams.close();
      await log.close();
      nodes[at] = await open();
    }
  }
  for (const [n, client] of clients.entries()) {
    client.resume();
    if (client.isOver) await client.connect(nodeAt(n).streams);
  }
  const last = { linkedid: 'end', state: `end${++changes}` };
  nodeAt(0).log.publish({ topic: 'calls', event: 'call', data: last, keep: { subject: 'end', data: last } });
  const truth = () =>
    new Map([...nodeAt(0).log.kept('calls')].map(([id, json]) => [id, JSON.parse(json).state]));
  await vi.waitFor(
    async () => {
      for (const [n, client] of clients.entries()) {
        if (client.isOver) await client.connect(nodeAt(n).streams);
        client.resume();
        expect(client.held.get('end')).toBe(last.state);
        expect(client.held).toEqual(truth());
      }
    },
    { timeout: 20_000, interval: 20 },
  );
  const gaps = clients.reduce((sum, client) => sum + client.gaps(), 0);
  for (const client of clients) client.close();
  for (const { log, streams } of nodes) {
    streams.close();
    await log.close();
  }
  await rig.close();
  return gaps;
}

/** A failing run takes its full timeout, so shrinking would use up the time left to report it. */
const settings = {
  endOnFailure: true,
  ...(process.env.FUZZ_SEED !== undefined && { seed: Number(process.env.FUZZ_SEED) }),
};

describe('30.4, 30.5: whatever happens, a client ends up with the true state, in order and without duplicates', () => {
  test('one node with its log in memory', async () => {
    const clock = { now: () => Date.now() };
    let gaps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        gaps += await play(
          {
            open: async () => createEmbeddedEventLog({ clock, steady: clock }),
            async close() {},
          },
          1,
          steps,
        );
      }),
      { numRuns: 25, ...settings },
    );
    console.log(`${gaps} gaps were told`);
  });

  test.runIf(realPart('Redis', findRedis()))('two nodes with their log in Redis', async () => {
    const redis = await startRedis();
    let runs = 0;
    let gaps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const redisPrefix = `run${++runs}`;
        const steady = { now: () => Date.now() };
        gaps += await play(
          {
            open: () => createRedisEventLog({ url: redis.url, redisPrefix, steady, onError: console.error }),
            async close() {},
          },
          2,
          steps,
        );
      }),
      { numRuns: 12, ...settings },
    );
    await redis.stop();
    console.log(`${runs} runs, ${gaps} gaps were told`);
  });
});
