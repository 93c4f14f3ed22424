import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { contains, type Network, parseAddress, parseNetwork } from '../../../lib/network.ts';

/** Machines through which others reach this one, as far as the kernel shows. */
export interface Gateways {
  /** Next hops of default routes. */
  readonly defaults: readonly Network[];
  /** Networks of this machine if it is a container; the host has the first address of each. */
  readonly bridges: readonly Network[];
}

/** Read each time, as networks of containers come and go. Empty on systems other than Linux. */
export async function readOwnGateways(): Promise<Gateways> {
  const text = (file: string) => readFile(file, 'utf8').catch(() => '');
  const isContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  return gatewaysOf({
    routes: await text('/proc/net/route'),
    routes6: await text('/proc/net/ipv6_route'),
    isContainer,
  });
}

interface RouteTables {
  /** `/proc/net/route` */
  readonly routes: string;
  /** `/proc/net/ipv6_route` */
  readonly routes6: string;
  readonly isContainer: boolean;
}

export function gatewaysOf({ routes, routes6, isContainer }: RouteTables): Gateways {
  const rows = routes.split('\n').slice(1).map(wordsOf);
  const defaults = rows.flatMap(([, destination, gateway = '', , , , , mask]) =>
    destination === NONE && mask === NONE && gateway !== NONE ? (parseAddress(dotted(gateway)) ?? []) : [],
  );
  const defaults6 = routes6.split('\n').flatMap((line) => {
    const [destination = '', prefix, , , next = ''] = wordsOf(line);
    const isDefault = /^0{32}$/.test(destination) && prefix === '00' && !/^0{32}$/.test(next);
    return isDefault ? (parseAddress(grouped(next)) ?? []) : [];
  });
  const bridges = rows.flatMap(([, destination = '', gateway, , , , , mask = '']) =>
    gateway === NONE && destination !== NONE
      ? (parseNetwork(`${dotted(destination)}/${dotted(mask)}`) ?? [])
      : [],
  );
  return { defaults: [...defaults, ...defaults6], bridges: isContainer ? bridges : [] };
}

export const isGateway = ({ defaults, bridges }: Gateways, address: Network): boolean =>
  defaults.some((gateway) => gateway.text === address.text) ||
  bridges.some((bridge) => contains(bridge, address) && address.bits === bridge.bits + 1n);

const NONE = '00000000';

const wordsOf = (line: string): string[] => line.trim().split(/\s+/);

/** The kernel writes the four bytes of an IPv4 address in reverse order. */
const dotted = (hex: string): string =>
  [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.');

const grouped = (hex: string): string => hex.match(/.{4}/g)?.join(':') ?? '';
