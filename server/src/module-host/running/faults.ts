import { isDeepStrictEqual } from 'node:util';
import type { Want, Wanted } from './wanted.ts';

/** Why modules that shall run do not. One that failed stays down, until it shall run with other settings or somebody asks for it. */
export function createFaults() {
  const reasons = new Map<string, string>();
  /** With which settings each was begun last. */
  const tried = new Map<string, Want['settings']>();

  return {
    get: (id: string): string | undefined => reasons.get(id),
    has: (id: string): boolean => reasons.has(id),
    set: (id: string, reason: string): void => void reasons.set(id, reason),
    delete: (id: string): void => void reasons.delete(id),

    /** It is begun: whatever becomes of that is the fault of these settings. */
    trying(id: string, settings: Want['settings']): void {
      tried.set(id, settings);
      reasons.delete(id);
    },

    /**
     * Only of what is still wanted as it was tried. Settings that another node tried and put back are seen by this one too,
     * maybe both of them: what failed with the new ones says nothing about those before.
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
