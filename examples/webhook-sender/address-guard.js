import { lookup as resolve } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Addresses outside the public internet: this machine, its network, its neighbours, unassigned ones. */
const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** In IPv6 only 2000::/3 is public, except addresses that embed an IPv4 address or are for documentation. */
const PRIVATE_IN_2000 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const privateV4 = new BlockList();
for (const [network, bits] of PRIVATE_V4) privateV4.addSubnet(network, bits, 'ipv4');
const privateV6 = new BlockList();
for (const [network, bits] of PRIVATE_IN_2000) privateV6.addSubnet(network, bits, 'ipv6');
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');

/** `::ffff:127.0.0.1` is 127.0.0.1. */
const plain = (address) => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

function isPublic(address) {
  if (isIP(address) === 4) return !privateV4.check(address, 'ipv4');
  return publicV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
}

/** @param {string} text networks separated by commas */
function readNetworks(text) {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [network = '', bits] = entry.split('/');
    const family = isIP(network);
    const length = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
    if (family === 0 || !Number.isInteger(length) || length < 1 || length > (family === 4 ? 32 : 128))
      throw new Error(`allow_private: "${entry}" is not a network`);
    list.addSubnet(network, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * Decides which addresses may be connected to. A name is resolved once, and the connection goes to the very address
 * that was checked: a name server that answers differently the second time (DNS rebinding) gains nothing.
 *
 * @param {{ allowPrivate?: string, resolver?: typeof resolve }} options
 */
export function createAddressGuard({ allowPrivate = '', resolver = resolve } = {}) {
  const allowed = readNetworks(allowPrivate);

  /** @returns {string | undefined} what is wrong with it */
  function addressProblem(written) {
    const address = plain(written);
    const family = isIP(address);
    if (family === 0) return `${written} is not an address`;
    if (isPublic(address) || allowed.check(address, family === 4 ? 'ipv4' : 'ipv6')) return undefined;
    return `${address} is not on the public internet; the setting allow_private can allow it`;
  }

  /** @returns {string | undefined} what is wrong with a target, as far as its text shows */
  function urlProblem(text) {
    const url = URL.parse(text);
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      return 'must be an http or https URL';
    if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
    const host = hostOf(url);
    return isIP(host) === 0 ? undefined : addressProblem(host);
  }

  /** For `http.request`: fails before anything is sent if one of the addresses is not allowed. */
  function lookup(name, options, done) {
    resolver(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error);
      const problem = addresses.map(({ address }) => addressProblem(address)).find(Boolean);
      if (problem) return done(new Error(problem));
      const [first] = addresses;
      if (!first) return done(new Error(`${name} has no address`));
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  }

  return { addressProblem, urlProblem, lookup };
}

/** Without the brackets of an IPv6 address. */
export const hostOf = (url) => url.hostname.replace(/^\[|\]$/g, '');
