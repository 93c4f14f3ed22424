import { Conflict, InvalidFields, RuleBroken } from '../../../lib/errors.ts';
import { contains, isCatchAll, isOneAddress, isUnbannable, type Network } from '../../../lib/network.ts';

/** The widest ban that needs no confirmation, by family (contract 17.15). */
const WIDEST_PREFIX = { 4: 8, 6: 32 } as const;

interface Protected {
  /** Names it for the operator: an entry of the allow-list or a trusted proxy. */
  readonly label: string;
  readonly network: Network;
  /** The effect on it of a ban that contains it. */
  readonly harm: string;
}

interface PolicySources {
  readonly allowed: () => readonly Network[];
  readonly trustedProxies: readonly Network[];
  /**
   * Known addresses that providers call from: those stored, and those to which the engine resolved host names. An
   * automatic ban must not cut a trunk; an operator may still ban such an address.
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

  /** Throws when the network may not be banned; returns warnings when it may, but contains something protected. */
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

    /** An operator's ban. A typo must not lock out half the world, so a very wide ban must be confirmed. */
    checkOrder(network: Network, confirmed: boolean): string[] {
      const warnings = check('ip', network);
      const widest = WIDEST_PREFIX[network.family];
      if (network.prefix < widest && !confirmed)
        throw new RuleBroken(
          `confirm: ${network.text} is wider than /${widest}; such a ban must be confirmed with true`,
        );
      return warnings;
    },

    /** For a `deny` list, the only place for catch-alls; `allowList` is the one in force once the list is stored. */
    checkDeny: (network: Network, allowList: readonly Network[]): string[] =>
      isCatchAll(network) ? [] : check('deny', network, allowList),

    /** Why a misbehaving address or range is not banned; `undefined` when it may be banned. */
    exemption(network: Network): string | undefined {
      if (isUnbannable(network)) return 'loopback or unspecified';
      // Nobody would see the warning about a range around something protected, so such a range is not banned either.
      const touches = (other: Network) => contains(other, network) || contains(network, other);
      const spared = protectedNetworks(allowed()).find((entry) => touches(entry.network));
      if (spared) return spared.label;
      // A range means that a provider is somewhere in it, not that every address in it is one (contract 17.9).
      const provider = providerHosts().find((host) => isOneAddress(host) && touches(host));
      return provider && `provider host ${provider.text}`;
    },
  };
}

export type BanPolicy = ReturnType<typeof createBanPolicy>;
