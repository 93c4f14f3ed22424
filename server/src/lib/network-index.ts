import { type Network, WIDTH } from './network.ts';

/** Finds the networks that contain a given one, at a cost that depends on the number of different prefix lengths. */
export function createNetworkIndex(networks: Iterable<Network>) {
  const byPrefix = { 4: new Map<number, Set<bigint>>(), 6: new Map<number, Set<bigint>>() } as const;
  for (const { family, prefix, bits } of networks) {
    const firsts = byPrefix[family].get(prefix) ?? new Set();
    byPrefix[family].set(prefix, firsts.add(bits));
  }

  return {
    /** Whether one of them equals or contains this one. */
    covers({ family, prefix, bits }: Network): boolean {
      for (const [length, firsts] of byPrefix[family]) {
        const shift = BigInt(WIDTH[family] - length);
        if (length <= prefix && firsts.has((bits >> shift) << shift)) return true;
      }
      return false;
    },
  };
}
