import type { ProviderStatus } from '@pbxcore/client';

/** Whether calls are possible, named as in the URL. */
export const GROUPS = ['working', 'notWorking', 'off', 'unknown'] as const;
export type Group = (typeof GROUPS)[number];

const WORKING: readonly ProviderStatus['state'][] = ['registered', 'OK', 'lagged'];

export function groupOf({ state }: ProviderStatus): Group {
  if (state === 'OFF') return 'off';
  // Before the engine has reported it, it is unknown whether calls are possible.
  if (state === 'UNKNOWN') return 'unknown';
  return WORKING.includes(state) ? 'working' : 'notWorking';
}
