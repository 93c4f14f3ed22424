import { setTimeout as pause } from 'node:timers/promises';
import { TOPIC_PATHS } from '../../lib/event-topics.ts';
import type { RedisLink } from '../ttl/redis-link.ts';
import type { NewEvent } from './event-log.ts';
import { createFirstRefusal } from './first-refusal.ts';
import { KEPT_EVENTS } from './recent-events.ts';
import { appendScript } from './redis-event-scripts.ts';

const AT_ONCE = 50;
/** Most events waiting while Redis fails; beyond that all followers have to begin anew. */
const MAX_WAITING = 1000;
/** Most events waiting while Redis works: thousands of phones may change at the same moment. */
const MAX_WAITING_UP = 100_000;
const RETRY_MS = 200;

/** An entry that marks that events are missing before it. */
export const BREAK = 'break';

interface PublisherParts {
  readonly link: RedisLink;
  readonly key: string;
  readonly keptKey: (topic: string) => string;
  /** Id of this node. */
  readonly node: string;
  /** Called once per outage when Redis refuses events. */
  readonly onError: (error: unknown) => void;
}

/** Writes events into the shared log, in order, each exactly once. */
export function createRedisPublisher({ link, key, keptKey, node, onError }: PublisherParts) {
  const refusal = createFirstRefusal(link, onError);
  const markKey = `${key}:node:${node}`;
  let waiting: string[][] = [];
  let written = 0;
  let isFailing = false;
  let isBroken = false;
  let isClosed = false;
  let running: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, AT_ONCE);
      const hashes = batch.map(([topic = '']) => keptKey(topic));
      try {
        await link.run(
          appendScript,
          [key, markKey, ...hashes],
          [String(KEPT_EVENTS), String(written + 1), ...batch.flat()],
        );
      } catch (error) {
        if (isClosed) return;
        isFailing = true;
        refusal.failed(error);
        await pause(RETRY_MS, undefined, { ref: false });
        continue;
      }
      isFailing = false;
      refusal.succeeded();
      written += batch.length;
      waiting = waiting.slice(batch.length);
      if (waiting.length === 0 && isBroken) {
        isBroken = false;
        waiting = [[BREAK, '', '', '', '', '', '']];
      }
    }
  }

  return {
    publish({ topic, event, data, path, keep }: NewEvent): void {
      if (isClosed || isBroken) return;
      if (waiting.length >= (isFailing ? MAX_WAITING : MAX_WAITING_UP)) {
        isBroken = true;
        // The first batch may be on its way: its numbers must not be given to other events.
        waiting = waiting.slice(0, AT_ONCE);
        return;
      }
      const kept = keep?.data === undefined || keep.data === data ? '' : JSON.stringify(keep.data);
      const needed = path ?? TOPIC_PATHS[topic as keyof typeof TOPIC_PATHS];
      const operation = keep === undefined ? '' : keep.data === undefined ? 'del' : 'set';
      waiting.push([topic, event, JSON.stringify(data), needed, operation, keep?.subject ?? '', kept]);
      running ??= drain().finally(() => {
        running = undefined;
      });
    },
    /** Writes the waiting events if that is possible now. */
    async close(): Promise<void> {
      isClosed = true;
      await running;
    },
  };
}
