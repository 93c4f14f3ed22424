import type { EngineSnapshot, EngineView } from '../../../engine/engine-view.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ENGINE_LOST_AFTER_MS } from '../../../lib/engine-lost.ts';
import { EngineAway } from '../../../lib/errors.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import { createSharedSnapshotStore } from './shared-snapshot.store.ts';
import { createSnapshotPublisher } from './snapshot-publisher.ts';

/** What is known of phones, providers and calls, and how far it can be trusted. */
export interface Board extends Omit<EngineSnapshot, 'asOf'> {
  /** `lost`: configured, but nothing is known that is still true. */
  readonly engine: 'none' | 'up' | 'lost';
  readonly asOf: number;
  /** False: another node has the engine and was not heard lately, so whoever reads this may have to speak for it. */
  readonly isHeard: boolean;
}

interface BoardParts {
  /** Of this node's own engine; `undefined` when it has none. */
  readonly view: EngineView | undefined;
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const NOTHING = {
  extensions: new Map(),
  providers: new Map(),
  legs: new Map(),
  queues: new Map(),
  failedLogins: new Map(),
  awaySince: undefined,
  isHeard: true,
};

/** The node with the engine reads its own view and shares it; the others read what it shares. */
export function createStatusBoard({ view, ttl, redisPrefix, clock, onError }: BoardParts) {
  const shared = createSharedSnapshotStore({ ttl, redisPrefix, clock });
  const heardAgain: (() => void)[] = [];
  // An embedded store is not shared with other nodes.
  const publisher =
    view && ttl.kind === 'redis'
      ? createSnapshotPublisher({
          view,
          shared,
          onHeardAgain() {
            for (const listener of heardAgain) listener();
          },
          onError,
        })
      : undefined;

  async function read(): Promise<Board> {
    const snapshot = view?.hasEngine() ? { ...view.current(), isHeard: true } : await shared.read();
    const now = clock.now();
    if (!snapshot) return { ...NOTHING, engine: 'none', asOf: now };
    const { asOf, awaySince } = snapshot;
    const isLost = asOf === undefined || (awaySince !== undefined && now - awaySince > ENGINE_LOST_AFTER_MS);
    return { ...snapshot, engine: isLost ? 'lost' : 'up', asOf: asOf ?? awaySince ?? now };
  }

  return {
    /** Rejects if this node depends on a shared snapshot and cannot read it. */
    read,

    /** Asks the engine anew if this node has it; other nodes get its reports within a second anyway. */
    async refresh(): Promise<void> {
      if (view?.hasEngine()) return view.refresh();
      const { awaySince } = await read();
      if (awaySince !== undefined) throw new EngineAway('the telephony engine cannot be reached');
    },

    /** Called when other nodes hear this one again; one of them may have spoken for it meanwhile. */
    onHeardAgain: (listener: () => void): void => void heardAgain.push(listener),

    close: async (): Promise<void> => publisher?.close(),
  };
}

export type StatusBoard = ReturnType<typeof createStatusBoard>;
