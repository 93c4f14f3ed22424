import type { EngineView } from '../../../engine/engine-view.ts';
import type { SharedSnapshotStore } from './shared-snapshot.store.ts';

/** A burst of registrations is written once. */
const GATHER_MS = 200;
const BEAT_MS = 5000;

interface PublisherParts {
  readonly view: EngineView;
  readonly shared: SharedSnapshotStore;
  /** Called when the others hear this node again after they did not for a while. */
  readonly onHeardAgain: () => void;
  /** Called on the first failure of each outage. */
  readonly onError: (error: unknown) => void;
}

/** Runs on the node with the engine: writes its snapshot for the other nodes, and beats to show that it still holds. */
export function createSnapshotPublisher({ view, shared, onHeardAgain, onError }: PublisherParts) {
  let bodyId: string | undefined;
  let isDirty = true;
  let isFailing = false;
  let isClosed = false;
  let wasUnheard = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function publish(): Promise<void> {
    if (!view.hasEngine()) return;
    try {
      // One beat later no other node can still be speaking for this one.
      if (wasUnheard) onHeardAgain();
      wasUnheard = await shared.isUnheard();
      if (!isDirty && bodyId !== undefined && (await shared.beat(bodyId))) return;
      isDirty = false;
      bodyId = await shared.write(view.current());
      isFailing = false;
    } catch (error) {
      isDirty = true;
      if (!isFailing) onError(error);
      isFailing = true;
    }
  }

  function schedule(ms: number): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = publish().finally(() => {
        running = undefined;
        schedule(isDirty && !isFailing ? GATHER_MS : BEAT_MS);
      });
    }, ms);
    timer.unref();
  }

  view.onChange(() => {
    // A change while a write is scheduled or running goes with the next write.
    const isComing = isDirty || running !== undefined;
    isDirty = true;
    if (!isComing) schedule(GATHER_MS);
  });
  schedule(0);

  return {
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
