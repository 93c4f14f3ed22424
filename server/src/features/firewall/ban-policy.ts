import { Conflict, InvalidFields } from '../../lib/errors.ts';
import { contains, isCatchAll, isUnbannable, type Network } from '../../lib/network.ts';

interface Protected {
  /** How the operator knows it: an entry of the allow-list or a trusted proxy. */
  readonly label: string;
  readonly network: Network;
}

interface PolicySources {
  readonly allowed: () => readonly Network[];
  readonly trustedProxies: readonly Network[];
}

/** What may be banned (contract 7.5). */
export function createBanPolicy({ allowed, trustedProxies }: PolicySources) {
  const protectedNetworks = (alsoAllowed: readonly Network[]): Protected[] => [
    ...[...allowed(), ...alsoAllowed].map((network) => ({
      label: `allow-list entry ${network.text}`,
      network,
    })),
    ...trustedProxies.map((network) => ({ label: `trusted proxy ${network.text}`, network })),
  ];

  /** Throws when the network may not be banned; resolves to warnings when it may, but touches something allowed. */
  function check(field: string, network: Network, alsoAllowed: readonly Network[] = []): string[] {
    if (isUnbannable(network)) {
      throw new InvalidFields(`${field}: ${network.text} is loopback, unspecified, or a range around them`);
    }
    const known = protectedNetworks(alsoAllowed);
    const around = known.find((entry) => contains(entry.network, network));
    if (around) throw new Conflict(`${field}: ${network.text} lies inside the ${around.label}`);
    return known
      .filter((entry) => contains(network, entry.network))
      .map((entry) => `${field}: ${network.text} contains the ${entry.label}; clients subtract it`);
  }

  return {
    check,

    /** For a `deny` list, which alone may hold catch-alls. */
    checkDeny: (network: Network, alsoAllowed: readonly Network[]): string[] =>
      isCatchAll(network) ? [] : check('deny', network, alsoAllowed),

    /** Why an address that misbehaves is not banned, `undefined` when it is. */
    exemption(network: Network): string | undefined {
      if (isUnbannable(network)) return 'loopback or unspecified';
      return protectedNetworks([]).find((entry) => contains(entry.network, network))?.label;
    },
  };
}

export type BanPolicy = ReturnType<typeof createBanPolicy>;
