import type { ProviderStatus } from '@pbxcore/client';

/** Do calls pass? As the address names it. */
export const GROUPS = ['working', 'notWorking', 'off', 'unknown'] as const;
export type Group = (typeof GROUPS)[number];

const WORKING: readonly ProviderStatus['state'][] = ['registered', 'OK', 'lagged'];

export function groupOf({ state }: ProviderStatus): Group {
  if (state === 'OFF') return 'off';
  // Before the engine has told it, nobody knows whether calls pass.
  if (state === 'UNKNOWN') return 'unknown';
  return WORKING.includes(state) ? 'working' : 'notWorking';
}
