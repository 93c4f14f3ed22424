import { randomUUID } from 'node:crypto';
import type { ActiveLeg, ExtensionStatus, QueueStatus } from '../../../engine/engine.ts';
import type { EngineSnapshot, KnownProvider } from '../../../engine/engine-view.ts';
import type { FailedLogin } from '../../../engine/failed-logins.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { TtlStore, WriteOutcome } from '../../../store/ttl/ttl-store.ts';

/** An engine that no node has spoken for this long was removed, not lost. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;
/** Several beats may be late before the node that has the engine counts as gone. */
const SILENT_AFTER_MS = 15_000;
/** How late a beat may be before the clocks of two nodes count as different. */
const CLOCK_SLACK_MS = 10_000;

interface Body {
  readonly asOf: number | undefined;
  readonly awaySince: number | undefined;
  readonly extensions: readonly ExtensionStatus[];
  readonly providers: readonly KnownProvider[];
  readonly legs: readonly ActiveLeg[];
  /** Both absent if a node of an earlier version wrote it. */
  readonly queues?: readonly QueueStatus[];
  readonly failedLogins?: readonly (readonly [string, readonly FailedLogin[]])[];
}

/** As another node reads it. */
export interface SharedSnapshot extends EngineSnapshot {
  /** False: the node with the engine was not heard lately, so it no longer speaks for the engine. */
  readonly isHeard: boolean;
}

interface StoreOptions {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly clock: Clock;
}

/**
 * What the node with the engine knows, for the nodes without: a document, and a key whose remaining time shows how long
 * ago that node was last heard, so that the clocks of two machines need not agree.
 */
export function createSharedSnapshotStore({ ttl, redisPrefix, clock }: StoreOptions) {
  const key = `${redisPrefix}:engine:snapshot`;
  const beatKey = `${redisPrefix}:engine:beat`;
  /** Read again only when another one was written. */
  let known: { bodyId: string; snapshot: SharedSnapshot } | undefined;
  let reading: Promise<SharedSnapshot | undefined> | undefined;

  async function read(): Promise<SharedSnapshot | undefined> {
    const [left, mark] = await Promise.all([ttl.remaining(beatKey), ttl.readMark(key, FORGOTTEN_AFTER_MS)]);
    if (left === undefined || !mark) return undefined;
    if (known?.bodyId !== mark.bodyId) {
      const document = await ttl.readDocument(key);
      if (!document) return undefined;
      known = { bodyId: document.bodyId, snapshot: snapshotOf(JSON.parse(document.body.toString()) as Body) };
    }
    const { snapshot } = known;
    const heardAt = clock.now() - (FORGOTTEN_AFTER_MS - left);
    const isHeard = !isSilent(left);
    if (snapshot.awaySince !== undefined) {
      const ahead = heardAt - mark.order;
      const awaySince = snapshot.awaySince + (Math.abs(ahead) > CLOCK_SLACK_MS ? ahead : 0);
      return { ...snapshot, awaySince, isHeard };
    }
    return isHeard ? snapshot : { ...snapshot, awaySince: heardAt, isHeard };
  }

  async function writeDocument(bodyId: string, body?: Buffer): Promise<WriteOutcome> {
    const write = { order: clock.now(), bodyId, ttlMs: FORGOTTEN_AFTER_MS, ...(body && { body }) };
    const outcome = await ttl.writeDocument(key, write);
    await ttl.set(beatKey, '1', FORGOTTEN_AFTER_MS);
    return outcome;
  }

  return {
    /** `undefined`: no node has an engine. Concurrent calls share one read. */
    read(): Promise<SharedSnapshot | undefined> {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },

    /** Returns the id under which `beat` keeps it alive. */
    async write({ asOf, awaySince, ...maps }: EngineSnapshot): Promise<string> {
      const bodyId = randomUUID();
      const body: Body = {
        asOf,
        awaySince,
        extensions: [...maps.extensions.values()],
        providers: [...maps.providers.values()],
        legs: [...maps.legs.values()],
        queues: [...maps.queues.values()],
        failedLogins: [...maps.failedLogins],
      };
      const bytes = Buffer.from(JSON.stringify(body));
      if ((await writeDocument(bodyId, bytes)) === 'older') {
        // Left by a node whose clock was ahead of ours; the engine is here now.
        await ttl.delete([key]);
        await writeDocument(bodyId, bytes);
      }
      return bodyId;
    },

    /** Whether the others have not heard this node for so long that one of them may have spoken for it. */
    async isUnheard(): Promise<boolean> {
      const left = await ttl.remaining(beatKey);
      return left !== undefined && isSilent(left);
    },

    /** False: what was written is no longer there. */
    beat: async (bodyId: string): Promise<boolean> => (await writeDocument(bodyId)) === 'written',
  };
}

/** `left`: the remaining time of a beat. */
const isSilent = (left: number): boolean => FORGOTTEN_AFTER_MS - left > SILENT_AFTER_MS;

export type SharedSnapshotStore = ReturnType<typeof createSharedSnapshotStore>;

const snapshotOf = ({
  asOf,
  awaySince,
  extensions,
  providers,
  legs,
  queues = [],
  failedLogins,
}: Body): SharedSnapshot => ({
  extensions: new Map(extensions.map((status) => [status.number, status])),
  providers: new Map(providers.map((status) => [status.id, status])),
  legs: new Map(legs.map((leg) => [leg.id, leg])),
  queues: new Map(queues.map((status) => [status.queueId, status])),
  failedLogins: new Map(failedLogins),
  asOf,
  awaySince,
  isHeard: true,
});
