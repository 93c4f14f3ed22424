import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { StoreUnavailable } from '../../lib/errors.ts';
import { eventsKept } from './event-counters.ts';
import { wholeLifetime } from './lifetime.ts';
import { createRedisLink, type RedisLink } from './redis-link.ts';
import { createRedisMirror, type RedisMirror } from './redis-mirror.ts';
import { redisReplyError, unavailable } from './redis-refusals.ts';
import {
  countScript,
  deleteScript,
  readMarkScript,
  recordScript,
  writeDocumentScript,
} from './redis-scripts.ts';
import type { DocumentMark, EventCount, TtlStore, VersionedDocument, WriteOutcome } from './ttl-store.ts';

const keysPerDelete = 2000;

interface RedisTtlStoreOptions {
  /** `redis://` or `rediss://`, with user, password and database number if need be. Redis 6 or later. */
  readonly url: string;
  /** The machine's clock, for events counted across nodes; ends of keys use the steady one (contract 17.19). */
  readonly clock: Clock;
  readonly steady: Clock;
  /** Called once per outage. */
  readonly onError: (error: Error) => void;
  readonly commandTimeoutMs?: number;
}

/** Opens even when Redis is down: every method then rejects until it is back. */
export async function createRedisTtlStore({
  url,
  clock,
  steady,
  onError,
  commandTimeoutMs: timeoutMs = 2000,
}: RedisTtlStoreOptions): Promise<TtlStore> {
  assertRedisUrl(url);
  const mirrors = new Map<string, RedisMirror>();
  const ourName = randomBytes(6).toString('base64url');
  let events = 0;
  let outage = false;

  const link = createRedisLink({
    url,
    name: 'pbxcore',
    timeoutMs,
    onUp() {
      for (const mirror of mirrors.values()) mirror.commandsUp();
      noteUp();
    },
    onDown(cause) {
      for (const mirror of mirrors.values()) mirror.commandsDown(cause);
      noteDown(cause);
    },
  });

  function noteUp(): void {
    if (link.up && [...mirrors.values()].every((mirror) => mirror.up)) outage = false;
  }

  function noteDown(cause: unknown): void {
    if (outage) return;
    outage = true;
    onError(unavailable(cause));
  }

  await link.tried;

  return {
    kind: 'redis',

    async set(key, value, ttlMs) {
      const lifetime = wholeLifetime(ttlMs);
      await link.send(['SET', key, value, ...(lifetime === undefined ? [] : ['PX', String(lifetime)])]);
    },
    async remaining(key) {
      const left = (await link.send(['PTTL', key])) as number;
      if (left === -2) return undefined;
      return left === -1 ? Number.POSITIVE_INFINITY : left;
    },
    async delete(keys) {
      const gone: string[] = [];
      for (let from = 0; from < keys.length; from += keysPerDelete) {
        const page = keys.slice(from, from + keysPerDelete);
        const existed = (await link.run(deleteScript, page, [])) as number[];
        gone.push(...page.filter((_, i) => existed[i] === 1));
      }
      return gone;
    },

    async record(key, windowMs) {
      const now = clock.now();
      const name = `${ourName}:${events++}`;
      const args = [String(now), String(windowMs), name, String(eventsKept)];
      return eventCount(await link.run(recordScript, [key], args), windowMs, now);
    },
    async count(key, windowMs) {
      const now = clock.now();
      return eventCount(await link.run(countScript, [key], [String(now), String(windowMs)]), windowMs, now);
    },

    async readMark(key, renewTtlMs) {
      const mark = await link.run(readMarkScript, [key], [lifetimeOf(renewTtlMs)]);
      return mark ? readableMark(...(mark as [string, string, string | null])) : undefined;
    },
    readDocument: (key) => readDocument(link, key),
    async writeDocument(key, { order, bodyId, note, body, ttlMs, after }) {
      const mark = [String(order), bodyId, lifetimeOf(ttlMs), after === undefined ? '' : String(after)];
      const args = [...mark, note === undefined ? 'keep' : 'set', note ?? '', ...(body ? [body] : [])];
      return (await link.run(writeDocumentScript, [key], args)) as WriteOutcome;
    },

    mirror(prefix) {
      const existing = mirrors.get(prefix);
      if (existing) return existing;
      const mirror = createRedisMirror({
        prefix,
        url,
        clock,
        steady,
        timeoutMs,
        commands: link,
        onUp: noteUp,
        onDown: noteDown,
        onListenerError: onError,
      });
      mirrors.set(prefix, mirror);
      return mirror;
    },

    ping: link.probe,
    async close() {
      await Promise.all([...mirrors.values()].map((mirror) => mirror.close()));
      await link.close();
    },
  };
}

/** Keeps the address out of the message, as it may contain a password. */
function assertRedisUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'redis:' || parsed?.protocol === 'rediss:') return;
  throw new StoreUnavailable('the Redis address must begin with redis:// or rediss://');
}

/** A document always gets an end, at most the longest lifetime. '' leaves the lifetime unchanged. */
function lifetimeOf(ttlMs: number | undefined): string {
  if (ttlMs === undefined) return '';
  return String(wholeLifetime(ttlMs) ?? 2 ** 52);
}

function eventCount(reply: unknown, windowMs: number, now: number): EventCount {
  const [count, oldest] = reply as [number, string | null];
  return { count, retryAfterMs: oldest === null ? 0 : Number(oldest) + windowMs - now };
}

function readableMark(
  order: string | undefined,
  bodyId: string | undefined,
  note: string | null | undefined,
): DocumentMark | undefined {
  if (order === undefined || bodyId === undefined || !/^-?\d+$/.test(order)) return undefined;
  if (!Number.isSafeInteger(Number(order))) return undefined;
  return { order: Number(order), bodyId, ...(note && { note }) };
}

/** A value of another type under the key counts as no document (contract 8.4). */
async function readDocument(link: RedisLink, key: string): Promise<VersionedDocument | undefined> {
  let fields: (Buffer | null)[];
  try {
    fields = (await link.send(['HMGET', key, 'order', 'id', 'note', 'body'], true)) as (Buffer | null)[];
  } catch (error) {
    if (redisReplyError(error)?.startsWith('WRONGTYPE')) return undefined;
    throw error;
  }
  const [order, bodyId, note, body] = fields;
  const mark = readableMark(order?.toString(), bodyId?.toString(), note?.toString());
  return mark && body ? { ...mark, body } : undefined;
}
