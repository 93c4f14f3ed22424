// `npm run bench:decisions [-- --quick] [-- --json <file>]`: the cost of the firewall export, compared with a floor and
// a peer measured in the same run. bench/README.md explains the output.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineFacts, printTable, type Row, type Table } from '../measure/report.ts';
import { pinClient, watchForeign } from '../service/processes.ts';
import { bans } from './bans.ts';
import { measureFreshness } from './freshness.ts';
import { measureAuthentication, measureKeys } from './growth.ts';
import { type Load, measureLoad } from './many-keys.ts';
import { measureBans } from './one-ban.ts';
import { measureChurn, measureGzip, measurePeer, measureSteady, type PeerCosts } from './one-poll.ts';
import { type Peer, startPeer } from './peer.ts';
import { type StoreName, startDecisionService, storeNames } from './service.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const quick = options.quick ?? false;
const sizes = quick ? [1000, 100_000] : [1000, 10_000, 100_000];
const effort = quick ? { rounds: 3, seconds: 3 } : { rounds: 7, seconds: 8 };
const loads: Load[] = quick
  ? [{ what: 'identity', seconds: 10 }]
  : [
      { what: 'identity', seconds: 30 },
      { what: 'gzip', seconds: 20, headers: { 'accept-encoding': 'gzip' } },
      { what: 'identity, 2 bans changed each second', seconds: 20, churn: 2 },
    ];

/** Rows of one topic, collected over stores and sizes. */
function createTopic(title: string) {
  const rows: Row[] = [];
  let [foreignMs, totalMs] = [0, 0];
  return {
    async measure(work: () => Promise<Row[]>): Promise<void> {
      const foreign = watchForeign();
      const began = performance.now();
      try {
        rows.push(...(await work()));
      } catch (error) {
        // The other topics are still worth measuring.
        progress(`failed: ${error instanceof Error ? error.stack : error}`);
        rows.push({
          what: 'FAILED',
          unit: '',
          measured: Number.NaN,
          target: { text: 'no failure', met: false },
        });
      }
      const took = performance.now() - began;
      foreignMs += foreign() * took;
      totalMs += took;
    },
    table: (): Table => ({ title, rows, foreign: totalMs === 0 ? 0 : foreignMs / totalMs }),
  };
}

const topics = {
  peer: createTopic('Peer: CrowdSec LAPI of the distribution'),
  steady: createTopic('Steady poll: authentication, diff and cursor included (peer: its empty answer)'),
  gzip: createTopic('Steady poll with gzip'),
  churn: createTopic('Poll after 10 bans changed'),
  bans: createTopic('Acknowledged bans and lifts (floor: a request that writes nothing)'),
  load: createTopic('50 keys, each polling 100 000 bans every 5 s, service on one core'),
  keys: createTopic('Cost of a poll as more keys poll'),
  authentication: createTopic('Cost of authentication as API keys grow (floor: with 10 API keys)'),
  freshness: createTopic('Freshness'),
};

const thousands = (n: number): string => String(n).replace(/000$/, ' 000');
const progress = (text: string) => console.error(`${new Date().toTimeString().slice(0, 8)} ${text}`);

async function measurePeerAt(n: number, peer: Peer, loaded: number): Promise<PeerCosts | undefined> {
  progress(`peer, ${thousands(n)} bans`);
  peer.load(bans(loaded, n));
  let costs: PeerCosts | undefined;
  await topics.peer.measure(async () => {
    costs = await measurePeer(peer, n, effort);
    return [
      { what: `${thousands(n)}: CPU, full list`, unit: 'ms', measured: costs.full.cpu },
      { what: `${thousands(n)}: CPU, empty answer`, unit: 'ms', measured: costs.empty.cpu },
      { what: `${thousands(n)}: median time, empty answer`, unit: 'ms', measured: costs.empty.ms },
    ];
  });
  return costs;
}

async function measureStore(store: StoreName, n: number, peer: PeerCosts | undefined): Promise<void> {
  const name = `${store}, ${thousands(n)}`;
  progress(`${name} bans`);
  const service = await startDecisionService(store, bans(0, n));
  await topics.steady.measure(() => measureSteady(service, name, n, peer, effort));
  await topics.churn.measure(() => measureChurn(service, name, effort));
  await topics.bans.measure(() => measureBans(service, name, effort));
  if (n === sizes.at(-1)) {
    await topics.gzip.measure(() => measureGzip(service, name, effort));
    await topics.keys.measure(() => measureKeys(service, name, effort.rounds));
    for (const load of loads) {
      progress(`${name} bans, 50 keys, ${load.what}, ${load.seconds} s`);
      await topics.load.measure(() => measureLoad(service, store, load));
    }
  }
  await service.stop();
}

spawnSync(process.execPath, [join(import.meta.dirname, '../../scripts/setup-test-tools.ts'), '--bench'], {
  stdio: 'inherit',
});
pinClient();
console.log(machineFacts());
const began = performance.now();
const peer = await startPeer().catch((error: Error) => progress(`no peer: ${error.message}`));
const peerCosts = new Map<number, PeerCosts | undefined>();
let loaded = 0;
for (const n of peer ? sizes : []) {
  peerCosts.set(n, await measurePeerAt(n, peer!, loaded));
  loaded = n;
}
await peer?.stop();
for (const n of sizes) for (const store of storeNames) await measureStore(store, n, peerCosts.get(n));
for (const store of quick ? (['embedded'] as const) : storeNames) {
  progress(`${store}, authentication`);
  await topics.authentication.measure(() => measureAuthentication(store, effort.rounds));
}
progress('freshness');
await topics.freshness.measure(() => measureFreshness(quick ? 30 : 100));

const tables = Object.values(topics).map((topic) => topic.table());
for (const table of tables) printTable(table);
const targets = tables.flatMap(({ rows }) => rows.flatMap(({ target }) => target ?? []));
const met = targets.filter((target) => target.met).length;
const took = Math.round((performance.now() - began) / 1000);
console.log(`\n${met} of ${targets.length} targets met; took ${took} s on ${machineFacts()}`);
if (options.json) {
  writeFileSync(options.json, `${JSON.stringify({ machine: machineFacts(), tables }, undefined, 2)}\n`);
}
// Also ends whatever a failed topic left running.
process.exit();
