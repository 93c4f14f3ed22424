// The cost of one poll: compared with floor and peer, compressed, and after bans have changed.
import { setTimeout as wait } from 'node:timers/promises';
import { type Cost, compare, type Side } from '../measure/cost.ts';
import { mustGet, openPoller } from '../measure/poller.ts';
import { atMost, type Row } from '../measure/report.ts';
import { startFloor } from '../service/floor.ts';
import { bans } from './bans.ts';
import type { Peer } from './peer.ts';
import { type DecisionService, STREAM } from './service.ts';

export interface PeerCosts {
  readonly full: Cost;
  readonly empty: Cost;
}

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

/** Sizes with targets: the most bans that anybody has, and a typical number. */
const FULL_SIZE = 100_000;
const SMALL_SIZE = 1000;
const CHURN = 10;
const pollsPerRound = (n: number): number => (n >= FULL_SIZE ? 15 : n >= 10_000 ? 50 : 150);

export async function measurePeer(peer: Peer, n: number, { rounds }: Effort): Promise<PeerCosts> {
  const path = '/v1/decisions/stream?startup=';
  const poller = await openPoller({ port: peer.port, path, headers: { 'x-api-key': peer.key } });
  const side: Side = { pid: peer.pid, pollers: [poller], path: `${path}true` };
  // Its full list of 100 000 takes over a second of CPU.
  const [full] = await compare([side], { rounds: n >= FULL_SIZE ? 2 : rounds, polls: 1 });
  const [empty] = await compare([{ ...side, path: `${path}false` }], { rounds, polls: 10 });
  poller.close();
  return { full: full!, empty: empty! };
}

export async function measureSteady(
  service: DecisionService,
  name: string,
  n: number,
  peer: PeerCosts | undefined,
  effort: Effort,
): Promise<Row[]> {
  const poller = await service.bouncer();
  const ours: Side = { pid: service.pid, pollers: [poller] };
  const { bytes } = await mustGet(poller);
  const floor = await startFloor(bytes);
  const whole: Side = { ...ours, path: `${STREAM}?startup=true` };
  await compare([floor, ours, whole], { rounds: 2, polls: pollsPerRound(n) }); // warm up
  const plan = { rounds: effort.rounds, polls: pollsPerRound(n) };
  const [floorCost, cost, wholeCost] = await compare([floor, ours, whole], plan);
  const seconds = { rounds: effort.seconds, polls: 1, everySecond: true };
  const [floorFirst, first] = await compare([floor, ours], seconds);
  poller.close();
  await floor.stop();

  const ofFullSize = n >= FULL_SIZE ? 2 : undefined;
  const inARow = n <= SMALL_SIZE ? 3 : ofFullSize;
  const row = (what: string, field: 'cpu' | 'ms', mine: Cost, base: Cost, limit = ofFullSize): Row => {
    const ratio = field === 'cpu' ? mine.cpuRatio : mine.ms / base.ms;
    const target = limit === undefined ? {} : { target: atMost(ratio, limit) };
    const other = peer ? { peer: peer.empty[field] } : {};
    return {
      what: `${name}: ${what}`,
      unit: 'ms',
      measured: mine[field],
      floor: base[field],
      ...other,
      ratio,
      ...target,
    };
  };
  const rows = [
    row('CPU, polls in a row', 'cpu', cost!, floorCost!, inARow),
    row('median time, polls in a row', 'ms', cost!, floorCost!),
    row('CPU, the whole list again (startup)', 'cpu', wholeCost!, floorCost!, inARow),
    row('CPU, first poll of a second', 'cpu', first!, floorFirst!),
    row('median time, first poll of a second', 'ms', first!, floorFirst!),
  ];
  if (peer) rows.push(againstPeer(name, n, cost!, peer));
  return rows;
}

function againstPeer(name: string, n: number, { cpu }: Cost, peer: PeerCosts): Row {
  const ratio = cpu / peer.empty.cpu;
  return {
    what: `${name}: CPU to the peer's empty answer`,
    unit: 'ms',
    measured: cpu,
    peer: peer.empty.cpu,
    ratio,
    ...(n >= FULL_SIZE && { target: atMost(ratio, 0.25, '< 0.25') }),
  };
}

export async function measureGzip(
  service: DecisionService,
  name: string,
  { seconds }: Effort,
): Promise<Row[]> {
  const [payer, packed, plain] = await Promise.all([
    service.bouncer({ 'accept-encoding': 'gzip' }),
    service.bouncer({ 'accept-encoding': 'gzip' }),
    service.bouncer(),
  ]);
  const { pid } = service;
  // The first poll of each second does the rendering for all others in that second.
  const [paying, gzip, identity] = await compare(
    [
      { pid, pollers: [payer] },
      { pid, pollers: [packed] },
      { pid, pollers: [plain] },
    ],
    { rounds: seconds, polls: 1, everySecond: true, withinSecond: true },
  );
  for (const poller of [payer, packed, plain]) poller.close();
  const extra = gzip!.cpu - identity!.cpu;
  return [
    { what: `${name}: CPU, identity`, unit: 'ms', measured: identity!.cpu },
    {
      what: `${name}: CPU, gzip, paid by another (more than identity: ${extra.toFixed(1)} ms)`,
      unit: 'ms',
      measured: gzip!.cpu,
      target: { text: '<= identity + 1', met: extra <= 1 },
    },
    { what: `${name}: CPU, gzip, the poll that pays`, unit: 'ms', measured: paying!.cpu },
    { what: `${name}: bytes sent with gzip`, unit: 'kB', measured: gzip!.bytes / 1000 },
  ];
}

export async function measureChurn(
  service: DecisionService,
  name: string,
  { rounds }: Effort,
): Promise<Row[]> {
  const poller = await service.bouncer();
  const others = bans(1_000_000, 1_000_000 + CHURN);
  const half = [others.slice(0, CHURN / 2), others.slice(CHURN / 2)] as const;
  await service.write(half[1]);
  await mustGet(poller);
  const changed: Side = {
    pid: service.pid,
    pollers: [poller],
    async prepare(round) {
      await service.write(half[round % 2]!);
      await service.lift(half[(round + 1) % 2]!);
      await wait(30);
    },
  };
  const [cost] = await compare([changed], { rounds: rounds * 2, polls: 1 });
  poller.close();
  await service.lift(others);
  return [
    { what: `${name}: CPU`, unit: 'ms', measured: cost!.cpu },
    { what: `${name}: median time`, unit: 'ms', measured: cost!.ms },
  ];
}
