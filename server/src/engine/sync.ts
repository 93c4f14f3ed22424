import type { DesiredState } from './desired-state.ts';
import type { Engine } from './engine.ts';

/** Changes come in bursts (an import, a form that saves twice): one `apply` serves them all. */
const DEBOUNCE_MS = 100;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

interface SyncOptions {
  readonly engine: Engine;
  /** Reads what is stored now. */
  readonly desired: () => Promise<DesiredState>;
  /** Called after each success: the engine may answer differently from now on. */
  readonly onApplied?: () => void;
  readonly onError: (error: unknown) => void;
  readonly debounceMs?: number;
  readonly firstRetryMs?: number;
}

/** Commit, then apply: the whole desired state, after a stored change and after every start of the engine. */
export function createEngineSync(options: SyncOptions) {
  const { engine, desired, onApplied, onError } = options;
  const { debounceMs = DEBOUNCE_MS, firstRetryMs = FIRST_RETRY_MS } = options;
  let isUp = false;
  let isDirty = true;
  let isClosed = false;
  /** 0 = the last try succeeded. */
  let retryMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function schedule(ms: number): void {
    if (isClosed || !isUp || !isDirty || running || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = tell().finally(() => {
        running = undefined;
        schedule(retryMs || debounceMs);
      });
    }, ms);
    timer.unref();
  }

  async function tell(): Promise<void> {
    // A change stored from here on may be missing in what is read now, so it marks the state dirty again.
    isDirty = false;
    try {
      await engine.apply(await desired());
      retryMs = 0;
      onApplied?.();
    } catch (error) {
      isDirty = true;
      if (!isClosed && isUp) onError(error);
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2 || firstRetryMs);
    }
  }

  const stopListening = engine.listen((event) => {
    if (event.type === 'engine-up') {
      isUp = true;
      isDirty = true;
      retryMs = 0;
      schedule(0);
    } else if (event.type === 'engine-down') {
      isUp = false;
      clearTimeout(timer);
      timer = undefined;
    }
  });

  return {
    /** Something stored has changed. Returns at once: a caller never waits for the engine. */
    changed(): void {
      isDirty = true;
      if (retryMs > 0) {
        // The change may fix what was refused before: no need to wait any longer.
        retryMs = 0;
        clearTimeout(timer);
        timer = undefined;
      }
      schedule(debounceMs);
    },
    async close(): Promise<void> {
      isClosed = true;
      stopListening();
      clearTimeout(timer);
      await running;
    },
  };
}
