import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPoller, type Poller } from '../measure/poller.ts';
import { atMost, type Row } from '../measure/report.ts';
import { fillCallFlow } from '../service/call-flow.ts';
import { fillEmployees } from '../service/employees.ts';
import { startFloor } from '../service/floor.ts';
import { API, startService } from '../service/service.ts';
import { type Rhythm, runLoad } from '../statuses/load.ts';

export const BOARD = { readers: 50, queues: 500, members: 2000, callers: 500 };
/** The service itself asks the engine this often, in case an event was lost. */
const REFRESH_S = 30;

interface Plan {
  readonly what: string;
  readonly rhythm: Rhythm;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members that change per second. */
  readonly moves: number;
}

const PLANS: readonly Plan[] = [
  { what: 'each second, scattered', rhythm: 'scattered', moves: 0 },
  { what: 'each second, scattered, 100 members change in each', rhythm: 'scattered', moves: 100 },
  { what: 'each second, all at once, 100 members change in each', rhythm: 'together', moves: 100 },
  {
    what: 'the same with gzip',
    rhythm: 'together',
    moves: 100,
    headers: { 'accept-encoding': 'gzip' },
  },
];

/** Measures the live board of all queues, read by many clients, on a fake engine. */
export async function measureBoard(quick: boolean): Promise<Row[]> {
  const program = join(import.meta.dirname, 'service.process.ts');
  const service = await startService({ program });
  const { call, control, port } = service;
  await fillEmployees(call, 0, BOARD.members);
  await fillCallFlow(call, {
    employees: BOARD.members,
    queues: BOARD.queues,
    members: BOARD.members / BOARD.queues,
    menus: 0,
    routes: 0,
  });
  for (let tries = 0; (await control('/asked')).queues < BOARD.queues && tries < 400; tries++) await wait(50);
  await control('/register');
  await control(`/wait?${BOARD.callers}`);
  const keys: string[] = [];
  while (keys.length < BOARD.readers) keys.push(await service.createKey('/api/v3/call-queues'));
  const open = (headers: Plan['headers']): Promise<Poller[]> =>
    Promise.all(
      keys.map((key) =>
        openPoller({
          port,
          path: `${API}/call-queues:getStatuses`,
          headers: { 'x-api-key': key, ...headers },
        }),
      ),
    );

  const seconds = quick ? 5 : 20;
  const rows: Row[] = [];
  for (const { what, rhythm, headers, moves } of PLANS) {
    await control(`/move?${moves}`);
    const pollers = await open(headers);
    const before = (await control('/asked')).asked;
    const load = await runLoad(service.pid, pollers, rhythm, seconds);
    const asked = (await control('/asked')).asked - before;
    for (const poller of pollers) poller.close();
    await control('/move?0');
    const bare = await startFloor(load.bytes, BOARD.readers);
    const floor = await runLoad(bare.pid, bare.pollers, rhythm, seconds);
    await bare.stop();
    rows.push(
      {
        what: `${what}: p95 of ${load.polls} answers`,
        unit: 'ms',
        measured: load.p95,
        floor: floor.p95,
        ratio: load.p95 / floor.p95,
        target: atMost(load.p95, 100, '< 100'),
      },
      {
        what: `${what}: CPU per answer of ${Math.round(load.bytes / 1000)} kB`,
        unit: 'ms',
        measured: load.cpu,
        floor: floor.cpu,
        ratio: load.cpu / floor.cpu,
      },
      {
        what: `${what}: questions to the engine`,
        unit: '',
        measured: asked,
        target: atMost(asked, 1 + Math.floor(seconds / REFRESH_S)),
      },
    );
  }
  await service.stop();
  return rows;
}
