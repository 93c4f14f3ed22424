import { Conflict, InvalidFields, RuleBroken } from '../../../lib/errors.ts';
import { contains, isCatchAll, isOneAddress, isUnbannable, type Network } from '../../../lib/network.ts';

/** The widest ban that needs no confirmation, by family (contract 17.15). */
const WIDEST_PREFIX = { 4: 8, 6: 32 } as const;

interface Protected {
  /** How the operator knows it: an entry of the allow-list or a trusted proxy. */
  readonly label: string;
  readonly network: Network;
  /** What a ban around it does to it. */
  readonly harm: string;
}

interface PolicySources {
  readonly allowed: () => readonly Network[];
  readonly trustedProxies: readonly Network[];
  /**
   * Where providers call from, as far as it is known: addresses that are stored, and what the engine resolved names to.
   * A ban that nobody asked for must not cut a trunk; an operator may still ban it.
   */
  readonly providerHosts: () => readonly Network[];
}

/** What may be banned (contract 7.5). */
export function createBanPolicy({ allowed, trustedProxies, providerHosts }: PolicySources) {
  const protectedNetworks = (allowList: readonly Network[]): Protected[] => [
    ...allowList.map((network) => ({
      label: `allow-list entry ${network.text}`,
      network,
      harm: 'clients that do not subtract the allow-list block it',
    })),
    ...trustedProxies.map((network) => ({
      label: `trusted proxy ${network.text}`,
      network,
      harm: 'clients block it',
    })),
  ];

  /** Throws when the network may not be banned; resolves to warnings when it may, but touches something allowed. */
  function check(field: string, network: Network, allowList: readonly Network[] = allowed()): string[] {
    if (isUnbannable(network)) {
      throw new InvalidFields(`${field}: ${network.text} is loopback, unspecified, or a range around them`);
    }
    const known = protectedNetworks(allowList);
    const around = known.find((entry) => contains(entry.network, network));
    if (around) throw new Conflict(`${field}: ${network.text} lies inside the ${around.label}`);
    return known
      .filter((entry) => contains(network, entry.network))
      .map((entry) => `${field}: ${network.text} contains the ${entry.label}; ${entry.harm}`);
  }

  return {
    check,

    /** An operator's ban. A slip of one digit must not lock out half the world, so a very wide one must be confirmed. */
    checkOrder(network: Network, confirmed: boolean): string[] {
      const warnings = check('ip', network);
      const widest = WIDEST_PREFIX[network.family];
      if (network.prefix < widest && !confirmed)
        throw new RuleBroken(
          `confirm: ${network.text} is wider than /${widest}; such a ban must be confirmed with true`,
        );
      return warnings;
    },

    /** For a `deny` list, which alone may hold catch-alls; `allowList` as it will be once the list is stored. */
    checkDeny: (network: Network, allowList: readonly Network[]): string[] =>
      isCatchAll(network) ? [] : check('deny', network, allowList),

    /** Why an address or range that misbehaves is not banned, `undefined` when it is. */
    exemption(network: Network): string | undefined {
      if (isUnbannable(network)) return 'loopback or unspecified';
      // Nobody saw the warning that a range around something allowed would give: it is left alone.
      const touches = (other: Network) => contains(other, network) || contains(network, other);
      const spared = protectedNetworks(allowed()).find((entry) => touches(entry.network));
      if (spared) return spared.label;
      // A range says that a provider is somewhere in it, not that all who are there are one (contract 17.9).
      const provider = providerHosts().find((host) => isOneAddress(host) && touches(host));
      return provider && `provider host ${provider.text}`;
    },
  };
}

export type BanPolicy = ReturnType<typeof createBanPolicy>;
