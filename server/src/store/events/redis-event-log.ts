import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { TOPICS, type Topic } from '../../lib/event-topics.ts';
import { createRedisLink } from '../ttl/redis-link.ts';
import type { EventLog } from './event-log.ts';
import { createFirstRefusal } from './first-refusal.ts';
import { createHearers } from './hearers.ts';
import { compareIds, createRecentEvents, KEPT_EVENTS, parseId } from './recent-events.ts';
import { hearScript, silenceScript, speakScript, stateScript } from './redis-event-scripts.ts';
import { BREAK, createRedisPublisher } from './redis-publisher.ts';

const BLOCK_MS = 1000;
const PAGE = 500;
const TIMEOUT_MS = 3000;
const SPEAKER_MS = 3000;
const RENEW_MS = 1000;
const RETRY_MS = 200;
/** How long to wait for an id that another node has already sent to the client. */
const AHEAD_MS = 2000;

interface RedisLogOptions {
  readonly url: string;
  readonly redisPrefix: string;
  readonly steady: Clock;
  /** Called once per outage when Redis refuses a command of the log. */
  readonly onError: (error: unknown) => void;
}

type Entry = [id: string, fields: string[]];

/**
 * A capped stream that all nodes write to and read from. Each node has its end in memory, so that replay and snapshots
 * are as cheap as with one node; the state for snapshots is stored beside the stream and changes with it in one step.
 */
export async function createRedisEventLog(options: RedisLogOptions): Promise<EventLog> {
  const { url, redisPrefix, steady, onError } = options;
  const key = `${redisPrefix}:events`;
  const keptKey = (topic: string) => `${key}:kept:${topic}`;
  const node = randomUUID();
  const recent = createRecentEvents({ steady, startId: '0-0' });
  const hearers = createHearers();
  const listeners: (() => void)[] = [];
  const breakListeners: (() => void)[] = [];
  const speakerListeners: (() => void)[] = [];
  const stop = new AbortController();
  let isLoaded = false;
  let speaksUntil = 0;
  // The store of expiring keys, on the same server, already reports a lost connection.
  const silent = { onUp() {}, onDown() {} };
  const writer = createRedisLink({ url, name: 'pbxcore-events', timeoutMs: TIMEOUT_MS, ...silent });
  const reader = createRedisLink({ url, name: 'pbxcore-events-reader', timeoutMs: TIMEOUT_MS, ...silent });
  const publisher = createRedisPublisher({ link: writer, key, keptKey, node, onError });
  const unread = createFirstRefusal(reader, onError);
  const unspoken = createFirstRefusal(writer, onError);

  const page = async (from: string, to: string): Promise<Entry[]> =>
    (await reader.send(['XRANGE', key, from, to, 'COUNT', String(PAGE)])) as Entry[];

  /** Begins at the present end of the log, with as much history as the stream still has. */
  async function load(): Promise<void> {
    const isFirst = !isLoaded && recent.headId === '0-0';
    const [last, seconds, ...hashes] = (await reader.run(stateScript, [key, ...TOPICS.map(keptKey)], [])) as [
      string,
      string,
      ...string[][],
    ];
    const state = new Map(TOPICS.map((topic, i) => [topic, pairs(hashes[i] ?? [])]));
    const history: Entry[] = [];
    for (let from = '-'; ; ) {
      const entries = await page(from, last);
      const fresh = from === '-' ? entries : entries.slice(1);
      history.push(...fresh);
      if (fresh.length === 0 || history.length > 2 * KEPT_EVENTS) break;
      from = (fresh.at(-1) as Entry)[0];
    }
    // Events before the first one are unknown, so no client can resume before it.
    const broken = history.findLastIndex(([, fields]) => field(fields, 't') === BREAK);
    const usable = history.slice(Math.max(0, broken));
    recent.beginAnew(usable[0]?.[0] ?? last, state);
    const age = (id: string) => Math.max(0, Number(seconds) * 1000 - (parseId(id)?.[0] ?? 0));
    const now = steady.now();
    for (const [id, fields] of usable.slice(1)) add(id, fields, false, now - age(id));
    isLoaded = true;
    if (!isFirst) for (const listener of breakListeners) listener();
  }

  function add(id: string, fields: string[], isNew: boolean, at?: number): void {
    const topic = field(fields, 't') as Topic;
    const operation = field(fields, 'k');
    const data = field(fields, 'd');
    const keep = {
      subject: field(fields, 's'),
      ...(operation === 'set' && { data: field(fields, 'v') || data }),
    };
    const event = { id, topic, event: field(fields, 'e'), data, path: field(fields, 'p') };
    recent.add(event, isNew && operation !== '' ? keep : undefined, at);
  }

  /** Takes all events after the head. False when the head itself is gone, so that events may be missing. */
  async function takeNew(): Promise<boolean> {
    for (;;) {
      const [head, ...entries] = await page(recent.headId, '+');
      if (head?.[0] !== recent.headId) return false;
      for (const [id, fields] of entries) {
        if (field(fields, 't') === BREAK) return false;
        add(id, fields, true);
      }
      if (entries.length > 0) for (const listener of listeners) listener();
      if (entries.length + 1 < PAGE) return true;
    }
  }

  async function read(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        if (!isLoaded) await load();
        if (!(await takeNew())) {
          isLoaded = false;
          continue;
        }
        unread.succeeded();
        await reader.send(['XREAD', 'COUNT', '1', 'BLOCK', String(BLOCK_MS), 'STREAMS', key, recent.headId]);
      } catch (error) {
        unread.failed(error);
        await pause(RETRY_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      }
    }
  }

  async function renew(): Promise<void> {
    const asked = performance.now();
    const isOurs = (await writer.run(speakScript, [`${key}:speaker`], [node, String(SPEAKER_MS)])) === 1;
    unspoken.succeeded();
    const wasSpeaker = asked < speaksUntil;
    speaksUntil = isOurs ? asked + SPEAKER_MS : 0;
    if (isOurs && !wasSpeaker) for (const listener of speakerListeners) listener();
    const life = String(SPEAKER_MS);
    hearers.setAll((await writer.run(hearScript, [`${key}:heard`], [life, ...hearers.here()])) as string[]);
  }

  await Promise.all([writer.tried, reader.tried]);
  const firstLoad = reader.up ? load().catch(() => {}) : undefined;
  await firstLoad;
  await renew().catch(unspoken.failed);
  const reading = read();
  let renewing: Promise<void> | undefined;
  const renewals = setInterval(() => {
    renewing ??= renew()
      .catch(unspoken.failed)
      .finally(() => {
        renewing = undefined;
      });
  }, RENEW_MS);
  renewals.unref();

  /** Waits until this node has received the event: another node may have been ahead of it. */
  async function caughtUp(id: string): Promise<boolean> {
    const until = performance.now() + AHEAD_MS;
    while (compareIds(id, recent.headId) > 0) {
      if (performance.now() > until || stop.signal.aborted) return false;
      await pause(20, undefined, { ref: false });
    }
    return true;
  }

  return {
    kind: 'redis',
    publish: publisher.publish,
    listen: (listener) => void listeners.push(listener),
    onBreak: (listener) => void breakListeners.push(listener),
    onSpeaker: (listener) => void speakerListeners.push(listener),
    hear: hearers.hear,
    isHeard: hearers.isHeard,
    onHeard: hearers.onHeard,
    get head() {
      return recent.head;
    },
    get headId() {
      return recent.headId;
    },
    async placeAfter(id) {
      if (!parseId(id) || !(await caughtUp(id))) return 'node';
      return recent.placeAfter(id);
    },
    from: recent.from,
    kept: recent.kept,
    keptVersion: recent.keptVersion,
    get isSpeaker() {
      return performance.now() < speaksUntil;
    },
    get isUp() {
      return isLoaded && reader.up;
    },
    async close() {
      stop.abort();
      clearInterval(renewals);
      await renewing;
      await publisher.close();
      if (performance.now() < speaksUntil)
        await writer.run(silenceScript, [`${key}:speaker`], [node]).catch(() => {});
      // Otherwise close() would wait for the blocking XREAD.
      reader.renew(new Error('closed'));
      await Promise.all([writer.close(), reader.close(), reading]);
    },
  };
}

function field(fields: readonly string[], name: string): string {
  for (let i = 0; i < fields.length; i += 2) if (fields[i] === name) return fields[i + 1] as string;
  return '';
}

function pairs(flat: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) map.set(flat[i] as string, flat[i + 1] as string);
  return map;
}
