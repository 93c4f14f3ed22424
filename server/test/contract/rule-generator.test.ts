import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { contains, type Network, parseNetwork } from '../../src/lib/network.ts';
import { createDice } from '../fuzz/dice.ts';
import { makeApp, openEmbedded, type Stores, type TestApp } from '../make-app.ts';
import { missingProgram } from '../real/bouncer.ts';
import { createNetPair, findNamespaces, type NetPair } from '../real/netns.ts';
import { realPart } from '../real/require-real.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'examples', 'rule-generator.ts');

/** Runs the sample; resolves to its output, rejects unless it exits with status 0. */
async function generate(origin: string, key: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, BOUNCER_URL: origin, BOUNCER_KEY: key };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)(process.execPath, [SAMPLE, ...args], options)).stdout;
}

// 192.0.2.0/28 without .7, with .3 banned longer; 2001:db8::/125 without its last address.
const EXPECTED_V4 = [
  ['192.0.2.0/31', 600],
  ['192.0.2.2', 600],
  ['192.0.2.3', 3600],
  ['192.0.2.4/31', 600],
  ['192.0.2.6', 600],
  ['192.0.2.8/29', 600],
  ['198.51.100.0/24', 2_145_600], // a filter's deny: 596 hours
  ['203.0.113.7', 600],
  ['203.0.113.9', 2_147_483], // a year, capped to the maximum of ipset
] as const;
const EXPECTED_V6 = [
  ['2001:db8::/126', 600],
  ['2001:db8::4/127', 600],
  ['2001:db8::6', 600],
] as const;

describe('the sample rule generator', () => {
  let stores: Stores;
  let app: TestApp;
  let key: string;

  beforeAll(async () => {
    stores = await openEmbedded();
    app = await makeApp(stores);
    key = (await app.createKey()).key;
    const done = async (method: string, path: string, body: object) => {
      const answer = await app.call(method, path, { token: await app.admin(), body });
      expect(answer.status, answer.text).toBeLessThan(300);
    };
    const ban = (ip: string, seconds: number, category = 'sip') =>
      done('POST', '/firewall:banIp', { ip, seconds, category });
    await done('PATCH', '/fail2ban', { whitelist: '192.0.2.7 2001:db8::7 10.0.0.0/8' });
    await ban('192.0.2.0/28', 600);
    await ban('192.0.2.3', 3600, 'http');
    await ban('192.0.2.9', 60);
    await ban('203.0.113.7', 600);
    await ban('203.0.113.9', 31_536_000);
    await ban('2001:db8::/125', 600);
    await done('POST', '/firewall', { network: '10.0.0.0', subnet: 8, deny: '198.51.100.0/24' });
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });

  test('prints banned and not allowed addresses as a plain list, with ranges split around allowed ones', async () => {
    const lines = (await generate(app.origin, key, 'plain')).trimEnd().split('\n');
    expect(lines).toEqual([...EXPECTED_V4, ...EXPECTED_V6].map(([value]) => value));
  });

  test('prints a MikroTik script that replaces its address lists', async () => {
    const lines = (await generate(app.origin, key, 'mikrotik')).trimEnd().split('\n');
    const added = ([value, seconds]: readonly [string, number]) =>
      `add list="pbxcore" address=${value} timeout=${seconds}s`;
    expect(lines).toEqual([
      '/ip firewall address-list',
      'remove [find list="pbxcore"]',
      ...EXPECTED_V4.map(added),
      '/ipv6 firewall address-list',
      'remove [find list="pbxcore"]',
      ...EXPECTED_V6.map(added),
    ]);
  });

  test('prints nothing and ends with 1 without a format, or if the service refuses or is away', async () => {
    const refused = (origin: string, by: string, ...args: string[]) =>
      generate(origin, by, ...args).then(
        () => expect.unreachable(),
        ({ code, stdout, stderr }) => {
          expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
          return stderr;
        },
      );
    for (const words of [[], ['toString']])
      expect(await refused(app.origin, key, ...words)).toMatch(/^rule-generator: say what to print: .+\n$/);
    expect(await refused(app.origin, 'wrong', 'plain')).toMatch(/^rule-generator: \S+ answered 401/);
    expect(await refused('http://127.0.0.1:1', key, 'plain')).toMatch(/^rule-generator: fetch failed/);
  });

  const missing = missingProgram('nft', 'ipset');
  const available =
    realPart(missing ?? 'nft, ipset', !missing) &&
    realPart('the right to make network namespaces', findNamespaces());

  describe.skipIf(!available)('in a network of its own', () => {
    const SERVER = '192.0.2.100';
    const [BANNED, ALLOWED] = ['192.0.2.5', '192.0.2.7'];
    let pair: NetPair;
    beforeAll(async () => {
      pair = await createNetPair([`${SERVER}/24`], [`${BANNED}/24`, `${ALLOWED}/24`]);
    });
    afterAll(() => pair?.close());

    const printed = async (format: string) => {
      const file = join(pair.folder, format);
      await writeFile(file, await generate(app.origin, key, format));
      return file;
    };
    /** Nothing listens there, so connections that get through are refused. */
    const answerTo = (from: string, withinMs: number) =>
      pair.client.connect({ host: SERVER, port: 9, from, withinMs });

    test('nft loads its sets repeatedly, and they block banned but not allowed addresses', async () => {
      for (const _ of ['first', 'again']) await pair.server.run('nft', '-f', await printed('nftables'));
      expect(await nftElements('banned4')).toEqual(EXPECTED_V4);
      expect(await nftElements('banned6')).toEqual(EXPECTED_V6);

      const rules = join(pair.folder, 'rules.nft');
      await writeFile(rules, NFT_RULES);
      await pair.server.run('nft', '-f', rules);
      expect(await answerTo(BANNED, 400)).toBe('timeout');
      expect(await answerTo(ALLOWED, 10_000)).toBe('ECONNREFUSED');
      await pair.server.run('nft', 'delete', 'table', 'inet', 'pbxcore');
    });

    async function nftElements(set: string) {
      type Value = string | { prefix: { addr: string; len: number } };
      const listing = await pair.server.run('nft', '-j', 'list', 'set', 'inet', 'pbxcore', set);
      const { nftables } = JSON.parse(listing) as {
        nftables: { set?: { elem: { elem: { val: Value; timeout: number } }[] } }[];
      };
      return (nftables.find((part) => part.set)?.set?.elem ?? []).map(({ elem: { val, timeout } }) => [
        typeof val === 'string' ? val : `${val.prefix.addr}/${val.prefix.len}`,
        timeout,
      ]);
    }

    test('ipset restores its sets repeatedly, and they hold banned but not allowed addresses', async () => {
      for (const _ of ['first', 'again'])
        await pair.server.run('ipset', 'restore', '-file', await printed('ipset'));
      const saved = await pair.server.run('ipset', 'save');
      const values = (set: string) =>
        [...saved.matchAll(/^add (\S+) (\S+) timeout \d+/gm)].flatMap(([, of, value]) =>
          of === set ? [value] : [],
        );
      expect(values('pbxcore4').sort()).toEqual(EXPECTED_V4.map(([value]) => value).sort());
      expect(values('pbxcore6').sort()).toEqual(EXPECTED_V6.map(([value]) => value).sort());
      expect(saved).not.toContain('-next');
      const tested = (ip: string) =>
        pair.server.run('ipset', 'test', 'pbxcore4', ip).then(
          () => 'in',
          () => 'out',
        );
      expect(await tested(BANNED)).toBe('in');
      expect(await tested(ALLOWED)).toBe('out');
    });
  });
});

/** As examples/README.md shows them. */
const NFT_RULES = `
add chain inet pbxcore input { type filter hook input priority -10; }
flush chain inet pbxcore input
add rule inet pbxcore input ip saddr @banned4 drop
add rule inet pbxcore input ip6 saddr @banned6 drop
`;

test('the rule generator prints each address once, for its longest ban, exactly if it is banned and not allowed', async () => {
  const dice = createDice(20_261_117);
  const bans: { value: string; duration: string }[] = [];
  const whitelist: string[] = [];
  const BLOCKS = 150;
  const inBlock = (n: number, v6: boolean) => {
    const last = dice.number(256);
    const prefix = 24 + dice.pick([0, 1, 2, 4, 5, 6, 7, 8, 8, 8]);
    const address = v6 ? `2001:db8:0:${n.toString(16)}::${last.toString(16)}` : `203.0.${n}.${last}`;
    return (parseNetwork(`${address}/${v6 ? prefix + 96 : prefix}`) as Network).text.replace(
      /\/(32|128)$/,
      '',
    );
  };
  for (let n = 0; n < BLOCKS; n++) {
    for (const v6 of [false, true]) {
      for (let i = dice.number(5); i > 0; i--)
        bans.push({ value: inBlock(n, v6), duration: dice.pick(['60s', '600s', '3600s', '596h']) });
      for (let i = dice.number(3); i > 0; i--) whitelist.push(inBlock(n, v6));
    }
  }
  const service = createServer((request, response) => {
    const body = request.url?.endsWith('/stream') ? { new: bans, deleted: [] } : whitelist;
    response.end(JSON.stringify(body));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void service.close());
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const text = await generate(origin, 'x', 'ipset');

  const added = [...text.matchAll(/^add \S+ (\S+) timeout (\d+)$/gm)].map(([, value, seconds]) => ({
    network: parseNetwork(value as string) as Network,
    seconds: Number(seconds),
  }));
  const banned = bans.map(({ value, duration }) => ({
    network: parseNetwork(value) as Network,
    seconds: Number.parseInt(duration, 10) * (duration.endsWith('h') ? 3600 : 1),
  }));
  const allowed = whitelist.map((value) => ({ network: parseNetwork(value) as Network, seconds: 0 }));
  const differences: string[] = [];
  let asked = 0;
  for (let n = 0; n < BLOCKS; n++) {
    for (const block of [`203.0.${n}.0/24`, `2001:db8:0:${n.toString(16)}::/120`]) {
      const around = parseNetwork(block) as Network;
      const here = <T extends { network: Network }>(list: T[]) =>
        list.filter(({ network }) => contains(around, network));
      const [adds, bansHere, allowedHere] = [here(added), here(banned), here(allowed)];
      for (let last = 0; last < 256; last++) {
        const address = parseNetwork(
          block.includes(':') ? block.replace(/\/.*/, last.toString(16)) : `203.0.${n}.${last}`,
        ) as Network;
        const covering = <T extends { network: Network }>(list: T[]) =>
          list.filter(({ network }) => contains(network, address));
        const longest = Math.max(...covering(bansHere).map(({ seconds }) => seconds));
        const expected = covering(allowedHere).length > 0 || longest < 0 ? [] : [longest];
        const told = covering(adds).map(({ seconds }) => seconds);
        if (told.join() !== expected.join())
          differences.push(`${address.text}: ${told} instead of ${expected}`);
        asked++;
      }
    }
  }
  console.log(`${asked} addresses, ${bans.length} bans, ${whitelist.length} allowed, ${added.length} rules`);
  expect(differences).toEqual([]);
});
