import { setTimeout as wait } from 'node:timers/promises';
import type { RedisArgument } from '@redis/client';
import { type Clock, createStepWatch } from '../../lib/clock.ts';
import { createCatchUp } from './catch-up.ts';
import { createRedisLink, type RedisLink } from './redis-link.ts';
import { unavailable } from './redis-refusals.ts';
import { lifetimesScript, pageScript } from './redis-scripts.ts';
import type { MirrorListener, TtlMirror } from './ttl-store.ts';

const keysPerRequest = 2000;
const reconcileEveryMs = 60_000;
const scanAgainAfterMs = 250;
/** A re-scan recomputes each end from a remaining time; differences below this come from network latency. */
const sameEndMs = 50;

export interface RedisMirror extends TtlMirror {
  readonly up: boolean;
  commandsUp(): void;
  commandsDown(cause: unknown): void;
  close(): Promise<void>;
}

interface RedisMirrorOptions {
  readonly prefix: string;
  readonly url: string;
  readonly clock: Clock;
  readonly steady: Clock;
  readonly timeoutMs: number;
  readonly commands: RedisLink;
  readonly onUp: () => void;
  readonly onDown: (cause: unknown) => void;
  readonly onListenerError: (error: Error) => void;
}

/**
 * Redis reports touched keys on a separate connection (`CLIENT TRACKING … BCAST`); their remaining times are fetched
 * over the command connection, whose answers come in the order in which Redis worked, so the last report is the latest
 * state. A scan of all keys makes up for reports that may be missing (a lost connection, FLUSHALL).
 *
 *                 unused
 *                   │ the first `listen` or `settle`      What `settle` does in this state:
 *                   ▼
 *   ┌─────────► disconnected                              rejects
 *   │               │ both connections are up
 *   │ a connection  ▼
 *   ├── is lost ─ incomplete ◄──┐                         waits for the scan; rejects after `timeoutMs`
 *   │               │ scanned   │ FLUSHALL, the clock
 *   │               ▼           │ was set, a fetch failed
 *   └── is lost ── current ─────┘                         waits for a PING and the keys touched before its answer
 *
 * Waiting callers are rejected when a connection is lost or a fetch fails. A failed scan is retried until a connection
 * is lost. Once a minute all keys are scanned in the background, in case something was missed; the state does not
 * change. Reports to the listener stay valid in every state: a key is reported gone only when Redis says so.
 *
 * Keys are stored as latin1 text, one character per byte: other programs may write keys that are not UTF-8.
 */
export function createRedisMirror(options: RedisMirrorOptions): RedisMirror {
  const { prefix, steady, timeoutMs, commands } = options;
  const stepWatch = createStepWatch(options);
  const known = new Map<string, number>();
  /** No known key ends before this, except keys that are already touched. */
  let nextEnd = Number.POSITIVE_INFINITY;
  let touched = new Set<string>();
  let fetching = false;
  let scanning = false;
  let reconcileDue = false;
  const closing = new AbortController();
  let listener: MirrorListener | undefined;
  let tracker: RedisLink | undefined;
  let timer: NodeJS.Timeout | undefined;
  const progress = createCatchUp({ timeoutMs });

  function start(): RedisLink {
    timer = setInterval(() => {
      reconcileDue = true;
      void scanAll();
    }, reconcileEveryMs).unref();
    return createRedisLink({
      url: options.url,
      name: 'pbxcore-mirror',
      timeoutMs,
      // The library turns plain tracking on by itself; broadcast tracking needs it off first.
      prepare: [
        ['CLIENT', 'TRACKING', 'OFF'],
        ['CLIENT', 'TRACKING', 'ON', 'BCAST', ...(prefix === '' ? [] : ['PREFIX', prefix])],
      ],
      onInvalidate: (key) => (key ? touch(key.toString('latin1')) : rescan()),
      onUp() {
        rescan();
        options.onUp();
      },
      onDown(cause) {
        lose(cause);
        options.onDown(cause);
      },
    });
  }

  function touch(key: string): void {
    if (touched.has(key)) return;
    if (touched.size === 0 && !fetching) setImmediate(fetchTouched);
    touched.add(key);
    progress.touch();
  }

  /** Touched keys may be lost: the mirror counts as incomplete until another scan. */
  function lose(cause: unknown): void {
    touched = new Set();
    progress.lose(unavailable(cause));
  }

  function rescan(): void {
    progress.wantScan();
    void scanAll();
  }

  async function fetchTouched(): Promise<void> {
    if (fetching) return;
    fetching = true;
    try {
      while (touched.size > 0) {
        const keys = takeFirst(touched, keysPerRequest);
        const taken = progress.take(keys.length);
        const sentAt = steady.now();
        const lifetimes = (await commands.run(lifetimesScript, keys.map(toArgument), [])) as number[];
        keys.forEach((key, i) => {
          note(key, lifetimes[i] ?? -2, sentAt, 1);
        });
        progress.fetchedTo(taken);
      }
    } catch (error) {
      lose(error);
      void scanAll();
    } finally {
      fetching = false;
    }
  }

  async function scanAll(): Promise<void> {
    if (scanning) return;
    scanning = true;
    while ((reconcileDue || progress.scanDue) && commands.up && tracker?.up && !closing.signal.aborted) {
      const wanted = progress.scansWanted;
      reconcileDue = false;
      try {
        await scanOnce();
        progress.scannedTo(wanted);
      } catch {
        // The connection reports its own failures; an error answer (still loading, busy) is temporary.
        await wait(scanAgainAfterMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      }
    }
    scanning = false;
  }

  async function scanOnce(): Promise<void> {
    // A server that has become a replica may return outdated keys; the probe makes the connection leave it.
    await commands.probe().catch(() => {});
    const seen = new Set<string>();
    const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
    let cursor = '0';
    do {
      const sentAt = steady.now();
      const args = [cursor, pattern, String(keysPerRequest)];
      const [next, found] = (await commands.run(pageScript, [], args, true)) as [Buffer, (Buffer | number)[]];
      // An end is too early by the time the request took to reach Redis, at most by the whole round trip.
      const tolerance = sameEndMs + steady.now() - sentAt;
      for (let i = 0; i < found.length; i += 2) {
        const key = (found[i] as Buffer).toString('latin1');
        seen.add(key);
        note(key, found[i + 1] as number, sentAt, tolerance);
      }
      cursor = next.toString();
    } while (cursor !== '0');
    // A key the scan did not return is fetched by name, so that one written meanwhile is not reported gone. Also one
    // whose lifetime arrived during the scan: Redis may have read it before the FLUSHALL that caused this scan.
    for (const key of known.keys()) if (!seen.has(key)) touch(key);
    await progress.untilFetched();
  }

  function note(key: string, lifetimeMs: number, sentAt: number, tolerance: number): void {
    if (lifetimeMs === -2) {
      if (known.delete(key)) tell(key, undefined);
      return;
    }
    const expiresAt = lifetimeMs === -1 ? Number.POSITIVE_INFINITY : sentAt + lifetimeMs;
    const before = known.get(key) ?? Number.NaN;
    const isSame = before === expiresAt || Math.abs(before - expiresAt) < tolerance;
    nextEnd = Math.min(nextEnd, isSame ? before : expiresAt);
    if (isSame) return;
    known.set(key, expiresAt);
    tell(key, expiresAt);
  }

  function tell(key: string, expiresAt: number | undefined): void {
    try {
      listener?.(isAscii(key) ? key : Buffer.from(key, 'latin1').toString(), expiresAt);
    } catch (error) {
      options.onListenerError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Fetches keys that ended by our clock: they are gone only when Redis says so, as its clock may have been set. */
  function touchEnded(): void {
    const now = steady.now();
    if (now <= nextEnd) return;
    nextEnd = Number.POSITIVE_INFINITY;
    for (const [key, expiresAt] of known) {
      if (expiresAt < now) touch(key);
      else nextEnd = Math.min(nextEnd, expiresAt);
    }
  }

  async function barrier(): Promise<void> {
    tracker ??= start();
    await tracker.tried;
    if (!tracker.up || !commands.up) throw unavailable();
    // Redis may use the same clock; then all remaining times have changed.
    if (stepWatch.stepped()) rescan();
    touchEnded();
    // Redis sends its reports before the answer, so after this every write that had finished is in `touched`.
    await tracker.send(['PING']);
    if (touched.size > 0) void fetchTouched();
    await progress.untilCurrent();
  }

  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function run(): Promise<void> {
    running = barrier().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    get up() {
      return tracker === undefined || tracker.up;
    },
    commandsUp: rescan,
    // Both connections must reach the same server: the address may lead to another one now.
    commandsDown(cause) {
      lose(cause);
      tracker?.renew(cause);
    },
    listen(to) {
      listener = to;
      for (const [key, expiresAt] of known) tell(key, expiresAt);
      tracker ??= start();
    },
    // A running barrier only serves callers from before its start; all later callers share the next one.
    async settle() {
      if (closing.signal.aborted) throw unavailable();
      if (next) return next;
      if (!running) return run();
      next = running
        .catch(() => {})
        .then(() => {
          next = undefined;
          return run();
        });
      return next;
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      progress.lose(unavailable());
      await tracker?.close();
    },
  };
}

function takeFirst(set: Set<string>, most: number): string[] {
  const taken: string[] = [];
  for (const key of set) {
    if (taken.length === most) break;
    set.delete(key);
    taken.push(key);
  }
  return taken;
}

function isAscii(key: string): boolean {
  return !/[\x80-\xff]/.test(key);
}

function toArgument(key: string): RedisArgument {
  return isAscii(key) ? key : Buffer.from(key, 'latin1');
}
