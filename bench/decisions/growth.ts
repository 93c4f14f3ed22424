// Costs that must not grow: of a poll with the number of polling keys, of authentication with the number of API keys.
import { findPostgres, startPostgres } from '../../server/test/real/postgres.ts';
import { compare } from '../measure/cost.ts';
import { openPoller, type Poller } from '../measure/poller.ts';
import { atMost, type Row } from '../measure/report.ts';
import { bans } from './bans.ts';
import { type DecisionService, PROBE, type StoreName, startDecisionService } from './service.ts';

/** A larger ratio is growth, a smaller one noise. */
const TOLERANCE = 1.2;

export async function measureKeys(service: DecisionService, name: string, rounds: number): Promise<Row[]> {
  const counts = [1, 10, 50];
  const pollers: Poller[] = [];
  for (let i = 0; i < 50; i++) pollers.push(await service.bouncer());
  const sides = counts.map((count) => ({ pid: service.pid, pollers: pollers.slice(0, count) }));
  const costs = await compare(sides, { rounds, polls: 50 });
  for (const poller of pollers) poller.close();
  return costs.map(({ cpu, cpuRatio }, i) => {
    const row: Row = { what: `${name}, ${counts[i]} keys: CPU per poll`, unit: 'ms', measured: cpu };
    return i === 0 ? row : { ...row, ratio: cpuRatio, target: atMost(cpuRatio, TOLERANCE) };
  });
}

export async function measureAuthentication(store: StoreName, rounds: number): Promise<Row[]> {
  // Keys are in SQL, so the Redis pair is measured with PostgreSQL, as in production.
  const postgres = store === 'Redis' && findPostgres() ? await startPostgres() : undefined;
  const databases = await Promise.all(['few', 'many'].map((name) => postgres?.createDatabase(name)));
  const [few, many] = await Promise.all(
    databases.map((url) => startDecisionService(store, bans(0, 10), url)),
  );
  await few!.addUnusedKeys(9);
  await many!.addUnusedKeys(9999);
  const sides = await Promise.all(
    [few!, many!].map(async (service) => {
      const headers = { 'x-api-key': await service.createBouncerKey() };
      const poller = await openPoller({ port: service.port, path: PROBE, method: 'HEAD', headers });
      return { pid: service.pid, pollers: [poller] };
    }),
  );
  await compare(sides, { rounds: 2, polls: 300 }); // warm up
  const [ten, tenThousand] = await compare(sides, { rounds: rounds * 2, polls: 200 });
  for (const side of sides) side.pollers[0]?.close();
  await Promise.all([few!.stop(), many!.stop()]);
  await postgres?.stop();

  const name = postgres ? 'PostgreSQL and Redis' : `SQLite and ${store}`;
  const rows = (['cpu', 'ms'] as const).map((field): Row => {
    const ratio = field === 'cpu' ? tenThousand!.cpuRatio : tenThousand!.ms / ten!.ms;
    return {
      what: `${name}: ${field === 'cpu' ? 'CPU' : 'median time'} of a key probe, 10 000 keys to 10`,
      unit: 'ms',
      measured: tenThousand![field],
      floor: ten![field],
      ratio,
      target: atMost(ratio, TOLERANCE),
    };
  });
  return rows;
}
