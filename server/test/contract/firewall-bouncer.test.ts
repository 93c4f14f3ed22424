import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFailed,
  onTestFinished,
  test,
} from 'vitest';
import { type FirewallBouncer, type Mode, missingProgram, startFirewallBouncer } from '../real/bouncer.ts';
import { createNetPair, findNamespaces, type NetPair } from '../real/netns.ts';
import { findRedis } from '../real/redis.ts';
import { realPart } from '../real/require-real.ts';
import { SERVICE_PORT, type ServiceProcess, startServiceProcess } from '../real/service-process.ts';

// The stock Debian bouncer, the service and Redis as processes on one machine; callers are on another, over a cable.
const SERVER = { v4: '192.0.2.1', v6: '2001:db8::1' };
const FREE = '192.0.2.100';
const CLIENTS = [FREE, ...[2, 3, 4, 5, 6, 7, 130].map((n) => `192.0.2.${n}`)];
const CLIENTS_V6 = ['2001:db8::2', '2001:db8::ff:1'];
const KEEP = '198.51.100.9';

const programs = ['crowdsec-firewall-bouncer', 'nft', 'ipset', 'iptables', 'redis-cli'];
const missing = missingProgram(...programs);
const available =
  realPart(missing ?? programs.join(', '), !missing) &&
  realPart('Redis', findRedis()) &&
  realPart('the right to make network namespaces', findNamespaces());

describe.skipIf(!available)('the stock firewall bouncer', () => {
  let pair: NetPair;
  let service: ServiceProcess;

  beforeAll(async () => {
    pair = await createNetPair(
      [`${SERVER.v4}/24`, `${SERVER.v6}/64`],
      [...CLIENTS.map((ip) => `${ip}/24`), ...CLIENTS_V6.map((ip) => `${ip}/64`)],
    );
    service = await startServiceProcess(pair);
    await ban(KEEP); // so that no poll is empty
  });
  afterAll(async () => {
    await pair?.close();
  });

  const ban = (ip: string, seconds = 600) => service.admin('POST', '/firewall:banIp', { ip, seconds });
  const lift = (ip: string) => service.admin('POST', '/firewall:unbanIp', { ip });
  const connect = (from: string, withinMs: number) => {
    const host = from.includes(':') ? SERVER.v6 : SERVER.v4;
    return pair.client.connect({ host, port: SERVICE_PORT, from, withinMs });
  };
  const expectDropped = async (from: string) => expect(await connect(from, 400)).toBe('timeout');
  const expectOpen = async (from: string) => expect(await connect(from, 10_000)).toBe('open');

  /** The kernel sends no event when a set changes, so it is polled. */
  const expectEntry = (bouncer: FirewallBouncer, value: string, present: boolean) =>
    expect
      .poll(async () => (await bouncer.entries()).has(value), { timeout: 45_000, interval: 50 })
      .toBe(present);

  describe.each<Mode>(['nftables', 'iptables'])('in %s mode', (mode) => {
    let key: { id: string; key: string };
    let bouncer: FirewallBouncer;

    beforeAll(async () => {
      key = await service.createKey({ description: mode });
      bouncer = await startFirewallBouncer({ pair, mode, url: service.baseUrl, key: key.key });
    });
    beforeEach(() => {
      onTestFailed(() => {
        for (const { lines } of [service.process, bouncer.process])
          console.error(lines.slice(-20).join('\n'));
      });
    });
    afterAll(async () => {
      await bouncer?.stop();
    });

    test('a ban drops only packets of its address, and a lift ends it with the next poll', async () => {
      await expectOpen('192.0.2.2');
      await ban('192.0.2.2');
      await expectEntry(bouncer, '192.0.2.2', true);
      await expectDropped('192.0.2.2');
      await expectOpen(FREE);

      const from = bouncer.process.lines.length;
      await lift('192.0.2.2');
      await expectEntry(bouncer, '192.0.2.2', false);
      await expectOpen('192.0.2.2');
      await bouncer.process.said(/decision deleted/, { from });
      expect(pollsUntilDeleted(service, bouncer, key.id)).toBeLessThanOrEqual(2);
    });

    test('an IPv6 ban drops as well', async () => {
      await expectOpen('2001:db8::2');
      await ban('2001:DB8:0::2');
      await expectEntry(bouncer, '2001:db8::2', true);
      await expectDropped('2001:db8::2');
      await lift('2001:db8::2');
      await expectEntry(bouncer, '2001:db8::2', false);
      await expectOpen('2001:db8::2');
    });

    test('a renewed ban outlasts its first end', async () => {
      // Long enough to be seen before it ends.
      await ban('192.0.2.3', 12);
      await expectEntry(bouncer, '192.0.2.3', true);
      await ban('192.0.2.3', 600);
      // nftables mode lets the old entry expire and adds the new one at the next poll, visible as more time left.
      const secondsLeft = async () => (await bouncer.entries()).get('192.0.2.3') ?? 0;
      await expect.poll(secondsLeft, { timeout: 45_000, interval: 50 }).toBeGreaterThan(500);
      await expectDropped('192.0.2.3');
      await lift('192.0.2.3');
    });

    test('an expired ban is removed, even if the bouncer got a later end', async () => {
      await ban('192.0.2.4', 600);
      await expectEntry(bouncer, '192.0.2.4', true);
      await service.redis.command('PEXPIRE', 'firewall:sip:192.0.2.4', '200');
      await expectEntry(bouncer, '192.0.2.4', false);
      await expectOpen('192.0.2.4');
    });

    // In nftables mode the stock bouncer treats a range as its first address, whatever we send.
    if (mode === 'iptables')
      test('a range drops every address in it, of both families', async () => {
        await ban('192.0.2.128/25');
        await ban('2001:db8::ff:0/112');
        await expectEntry(bouncer, '192.0.2.128/25', true);
        await expectEntry(bouncer, '2001:db8::ff:0/112', true);
        await expectDropped('192.0.2.130');
        await expectDropped('2001:db8::ff:1');
        await expectOpen(FREE);
        await lift('192.0.2.128/25');
        await lift('2001:db8::ff:0/112');
        await expectEntry(bouncer, '192.0.2.128/25', false);
        await expectOpen('192.0.2.130');
      });

    test('a restarted bouncer has every ban again', async () => {
      await ban('192.0.2.5');
      await expectEntry(bouncer, '192.0.2.5', true);
      expect(await bouncer.stop()).toBe(0);
      await expectOpen('192.0.2.5');
      await bouncer.start();
      await expectEntry(bouncer, '192.0.2.5', true);
      await expectEntry(bouncer, KEEP, true);
      await expectDropped('192.0.2.5');
    });

    test('while the service is down bans stay; changes arrive when it is back', async () => {
      await ban('192.0.2.6');
      await expectEntry(bouncer, '192.0.2.6', true);
      const from = bouncer.process.lines.length;
      await service.stop();
      await bouncer.process.said(/level=error.*connection refused/, { from });
      await service.redis.command('DEL', 'firewall:sip:192.0.2.6');
      await service.redis.command('SET', 'firewall:http:192.0.2.7', '1', 'EX', '600');
      expect([...(await bouncer.entries()).keys()]).toEqual(expect.arrayContaining([KEEP, '192.0.2.6']));
      await service.start();
      await expectEntry(bouncer, '192.0.2.6', false);
      await expectEntry(bouncer, '192.0.2.7', true);
      await expectOpen('192.0.2.6');
      await expectDropped('192.0.2.7');
      await lift('192.0.2.7');
    });

    test('while Redis is down bans stay; when it is back, new ones arrive and lifted ones are removed', async () => {
      await ban('192.0.2.6');
      await expectEntry(bouncer, '192.0.2.6', true);
      const from = bouncer.process.lines.length;
      await service.redis.kill();
      // 503 with a message: never an empty or short list.
      await bouncer.process.said(/level=error.*API error: \S+/, { from });
      expect([...(await bouncer.entries()).keys()]).toEqual(expect.arrayContaining([KEEP, '192.0.2.6']));
      await service.redis.start();
      // Several connections reconnect independently; this request needs all of them.
      const readable = () => service.admin('GET', '/firewall:getBannedIps').then(() => true, String);
      await expect.poll(readable, { timeout: 45_000 }).toBe(true);
      await lift('192.0.2.6');
      await ban('192.0.2.7');
      await expectEntry(bouncer, '192.0.2.7', true);
      await expectEntry(bouncer, '192.0.2.6', false);
      expect((await bouncer.entries()).has(KEEP)).toBe(true);
      await lift('192.0.2.7');
    });

    test('a revoked key does no harm: the bouncer logs the reason, keeps running and keeps its bans', async () => {
      await expectEntry(bouncer, '192.0.2.5', true);
      const from = bouncer.process.lines.length;
      await service.admin('DELETE', `/api-keys/${key.id}`);
      await bouncer.process.said(/API error: a valid API key or token is required/, { from });
      await lift('192.0.2.5');
      await bouncer.process.said(/API error/, { from: bouncer.process.lines.length });
      expect(bouncer.process.alive).toBe(true);
      expect((await bouncer.entries()).has('192.0.2.5')).toBe(true);
      await expectDropped('192.0.2.5');
      expect(await bouncer.stop()).toBe(0);
      await expectOpen('192.0.2.5');
    });
  });

  test('a key bound to the host of the bouncer works there, and from elsewhere is 403 with a message', async () => {
    const filter = { network: SERVER.v4, subnet: 32, deny: '0.0.0.0/0', description: 'the bouncer' };
    const { id } = await service.admin('POST', '/firewall', filter);
    const { key } = await service.createKey({ networkfilterid: id });
    const url = service.baseUrl.replace('127.0.0.1', SERVER.v4);
    const bouncer = await startFirewallBouncer({ pair, mode: 'nftables', url, key });
    onTestFinished(async () => void (await bouncer.stop()));
    await expectEntry(bouncer, KEEP, true);

    const order = { url: `${url}v1/decisions/stream`, method: 'GET', headers: { 'x-api-key': key } };
    const elsewhere = await pair.client.fetch(order);
    expect(elsewhere.status).toBe(403);
    expect(JSON.parse(elsewhere.text).message).toEqual(expect.stringMatching(/./));
    // The refused request was not the bouncer's own, so the bouncer still gets changes.
    await ban('192.0.2.7');
    await expectEntry(bouncer, '192.0.2.7', true);
    await lift('192.0.2.7');
    await expectEntry(bouncer, '192.0.2.7', false);
  });

  test('the configuration that the command line prints with a new key works unchanged', async () => {
    const words = ['--description', 'ready', '--preset', 'bouncer', '--allow-from', SERVER.v4];
    const url = `http://${SERVER.v4}:${SERVICE_PORT}`;
    const config = await service.pbxcore('api-key', 'create', ...words, '--url', url);
    const bouncer = await startFirewallBouncer({ pair, mode: 'nftables', config });
    onTestFinished(async () => void (await bouncer.stop()));
    await expectEntry(bouncer, KEEP, true);
  });

  test('contract 33.4: the nftables text for a key made by preset works unchanged, and no log contains the key', async () => {
    const { key, snippets } = await service.createKey({ allowed_paths: undefined, preset: 'bouncer' });
    const config = snippets.find(({ id }) => id === 'firewall-bouncer-nftables')?.text ?? '';
    const bouncer = await startFirewallBouncer({ pair, mode: 'nftables', config });
    onTestFinished(async () => void (await bouncer.stop()));
    await expectEntry(bouncer, KEEP, true);
    for (const { id, text } of snippets.filter(({ id }) => id.startsWith('firewall-bouncer-'))) {
      const file = join(pair.folder, `${id}.yaml`);
      await writeFile(file, text, { mode: 0o600 });
      await pair.server.start('crowdsec-firewall-bouncer', ['-t', '-c', file]).said(/config is valid/);
    }
    expect(service.process.lines.join('\n')).not.toContain(key);
  });

  test('the configuration for container hosts passes -t and guards INPUT, FORWARD and DOCKER-USER', async () => {
    const words = ['--description', 'containers', '--preset', 'bouncer', '--container-host'];
    const url = `http://${SERVER.v4}:${SERVICE_PORT}`;
    const config = await service.pbxcore('api-key', 'create', ...words, '--url', url);
    const file = join(pair.folder, 'container-host.yaml');
    await writeFile(file, config, { mode: 0o600 });
    await pair.server.start('crowdsec-firewall-bouncer', ['-t', '-c', file]).said(/config is valid/);

    // As Docker does.
    for (const tool of ['iptables', 'ip6tables']) await pair.server.run(tool, '-N', 'DOCKER-USER');
    const bouncer = await startFirewallBouncer({ pair, mode: 'iptables', config });
    onTestFinished(async () => void (await bouncer.stop()));
    await expectEntry(bouncer, KEEP, true);
    for (const tool of ['iptables', 'ip6tables']) {
      const rules = await pair.server.run(tool, '-S');
      const guarded = [
        ...rules.matchAll(/^-A (\S+) -m set --match-set crowdsec6?-blacklists src -j DROP$/gm),
      ];
      expect(guarded.map(([, chain]) => chain).sort(), tool).toEqual(['DOCKER-USER', 'FORWARD', 'INPUT']);
    }
  });
});

/**
 * Number of polls the key made between the first lift and the bouncer's next deletion. The bouncer prints one `added`
 * line per poll, so its lines can be matched with the service's. One poll may overlap the lift.
 */
function pollsUntilDeleted(service: ServiceProcess, bouncer: FirewallBouncer, keyId: string): number {
  const logged = service.process.lines;
  const lifted = logged.findLastIndex((line) => line.includes('"path":"/firewall:unbanIp"'));
  const isPoll = (line: string) =>
    line.includes('/decisions/stream"') && line.includes(`"caller":"key ${keyId}"`);
  const before = logged.slice(0, lifted).filter(isPoll).length;
  const printed = bouncer.process.lines;
  const deleted = printed.findIndex((line) => /decisions? deleted/.test(line));
  return printed.slice(0, deleted).filter((line) => /decisions? added/.test(line)).length + 1 - before;
}
