import type { Network } from '../../../lib/network.ts';
import { createNetworkIndex } from '../../../lib/network-index.ts';

interface AllowListSource {
  entries(): { readonly network: Network }[];
  texts(): string[];
  onChange(listener: () => void): void;
}

/** The allow-list, indexed so that it can be checked for every ban. */
export function createAllowedNetworks(allowList: AllowListSource) {
  let outdated = true;
  let texts = '';
  let index = createNetworkIndex([]);
  allowList.onChange(() => {
    outdated = true;
  });

  return {
    /** Whether a network lies wholly inside an entry. */
    cover: (network: Network): boolean => index.covers(network),

    /** Takes over the present list; `true` when it differs from the last one. */
    update(): boolean {
      if (!outdated) return false;
      outdated = false;
      const now = allowList.texts().join(' ');
      if (now === texts) return false;
      texts = now;
      index = createNetworkIndex(allowList.entries().map(({ network }) => network));
      return true;
    },
  };
}
