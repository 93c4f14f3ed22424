import { EngineAway } from '../lib/errors.ts';
import type { Engine } from './engine.ts';

/** No telephony engine is configured: nothing is served and nothing happens, which is no failure. */
export function createNoneEngine(): Engine {
  const nobody = async (): Promise<never> => {
    throw new EngineAway('no telephony engine is configured');
  };
  return {
    apply: async () => {},
    extensionStatuses: async () => [],
    providerStatuses: async () => [],
    activeCalls: async () => [],
    queueStatuses: async () => [],
    originate: nobody,
    hangUp: nobody,
    transfer: nobody,
    capabilities: () => ({ telephony: false, recording: false }),
    listen: () => () => {},
    close: async () => {},
  };
}
