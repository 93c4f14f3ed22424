import type { Engine } from './engine.ts';

/** No telephony engine is configured: nothing is served and nothing happens, which is the truth and no failure. */
export function createNoneEngine(): Engine {
  return {
    apply: async () => {},
    extensionStatuses: async () => [],
    providerStatuses: async () => [],
    activeCalls: async () => [],
    queueStatuses: async () => [],
    capabilities: () => ({ telephony: false, recording: false }),
    listen: () => () => {},
    close: async () => {},
  };
}
