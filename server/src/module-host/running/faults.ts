import { isDeepStrictEqual } from 'node:util';
import type { Want, Wanted } from './wanted.ts';

/** Why modules that should run do not. A failed one stays down until its settings change or somebody restarts it. */
export function createFaults() {
  const reasons = new Map<string, string>();
  /** The settings with which each was started last. */
  const tried = new Map<string, Want['settings']>();

  return {
    get: (id: string): string | undefined => reasons.get(id),
    has: (id: string): boolean => reasons.has(id),
    set: (id: string, reason: string): void => void reasons.set(id, reason),
    delete: (id: string): void => void reasons.delete(id),

    /** It is starting: a failure now belongs to these settings. */
    trying(id: string, settings: Want['settings']): void {
      tried.set(id, settings);
      reasons.delete(id);
    },

    /**
     * Keeps only faults of modules whose settings are still those that failed. If another node tries settings and
     * restores the old ones, this node may see both changes: a failure with the new ones says nothing about the old.
     */
    keepFor(wanted: Wanted): void {
      for (const id of reasons.keys()) {
        const want = wanted.get(id);
        const settings = tried.get(id);
        if (!want || (settings && !isDeepStrictEqual(want.settings, settings))) reasons.delete(id);
      }
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
