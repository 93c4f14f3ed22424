import { ModuleAway, ModuleFailed } from '../../lib/errors.ts';
import { IS_USAGE_KNOWN, type ProcessUsage } from '../process/process-usage.ts';
import type { Send } from '../routes/resource-operations.ts';

/** What a module has done since the service started, on this node. */
export interface ModuleFigures extends Partial<ProcessUsage> {
  readonly id: string;
  /** Whether it runs now. */
  readonly isUp: boolean;
  /** Calls sent to it: requests, and questions for the name of a caller. */
  readonly calls: number;
  /** Those answered with 500 or 503. */
  readonly errors: number;
  /** Starts after a crash. */
  readonly restarts: number;
  /** Acts on calls that the exchange did for it. */
  readonly acts: number;
}

interface Counts {
  calls: number;
  errors: number;
  restarts: number;
  acts: number;
  /** Of its processes that have ended. */
  cpuSeconds: number;
}

/** Counts what modules do. Counters survive disabling and enabling, as monitoring expects. */
export function createModuleFigures() {
  const byId = new Map<string, Counts>();

  function countsOf(id: string): Counts {
    const known = byId.get(id);
    if (known) return known;
    const made = { calls: 0, errors: 0, restarts: 0, acts: 0, cpuSeconds: 0 };
    byId.set(id, made);
    return made;
  }

  return {
    /** The same `send`, with counting. */
    counted(id: string, send: Send): Send {
      const counts = countsOf(id);
      return async (...order) => {
        counts.calls++;
        try {
          return await send(...order);
        } catch (error) {
          // A deliberate refusal of a handler (404, 422) is an ordinary answer.
          if (error instanceof ModuleFailed || error instanceof ModuleAway) counts.errors++;
          throw error;
        }
      };
    },
    restarted(id: string): void {
      countsOf(id).restarts++;
    },
    acted(id: string): void {
      countsOf(id).acts++;
    },
    forget(id: string): void {
      byId.delete(id);
    },
    /** It is being disabled: the usage of its processes cannot be read later. */
    ended(id: string, usage: ProcessUsage | undefined): void {
      countsOf(id).cpuSeconds += usage?.cpuSeconds ?? 0;
    },
    /** Of every module that has run since the service started. */
    read: (stateOf: (id: string) => { isUp: boolean; usage: ProcessUsage | undefined }): ModuleFigures[] =>
      [...byId].map(([id, { cpuSeconds, ...counts }]) => {
        const { isUp, usage } = stateOf(id);
        return {
          id,
          isUp,
          ...counts,
          ...(IS_USAGE_KNOWN && {
            cpuSeconds: Math.round((cpuSeconds + (usage?.cpuSeconds ?? 0)) * 100) / 100,
            memoryBytes: usage?.memoryBytes ?? 0,
          }),
        };
      }),
  };
}
