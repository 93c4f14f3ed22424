import type { ProviderStatus } from '@pbxcore/client';

/** Do calls pass? As the address names it. */
export const GROUPS = ['working', 'notWorking', 'off'] as const;
export type Group = (typeof GROUPS)[number];

const WORKING: readonly ProviderStatus['state'][] = ['registered', 'OK', 'lagged'];

export function groupOf({ state }: ProviderStatus): Group {
  if (state === 'OFF') return 'off';
  return WORKING.includes(state) ? 'working' : 'notWorking';
}
