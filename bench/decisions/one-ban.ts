// The cost of a ban and a lift, each answered once it would survive the end of the process.
import { setTimeout as wait } from 'node:timers/promises';
import { median, type Row } from '../measure/report.ts';
import { cpuMs } from '../service/processes.ts';
import { bans } from './bans.ts';
import type { Effort } from './one-poll.ts';
import type { DecisionService } from './service.ts';

const PER_ROUND = 100;
const AFTERWORK_MS = 8;

/** The floor is a request that is authenticated, read and answered in the same way, but writes nothing. */
export async function measureBans(
  service: DecisionService,
  name: string,
  { rounds }: Effort,
): Promise<Row[]> {
  const some = bans(2_000_000, 2_000_000 + PER_ROUND);
  const deeds = {
    explain: ({ value }: { value: string }) => service.call('GET', `/firewall:explain?ip=${value}`),
    ban: ({ value: ip, category, seconds }: (typeof some)[number]) =>
      service.call('POST', '/firewall:banIp', { ip, category, seconds }),
    lift: ({ value: ip }: { value: string }) => service.call('POST', '/firewall:unbanIp', { ip }),
  };
  const names = ['explain', 'ban', 'lift'] as const;
  const samples = { explain: [] as Sample[], ban: [] as Sample[], lift: [] as Sample[] };
  for (let round = -1; round < rounds; round++) {
    for (const deed of names) {
      const sample = await measure(service.pid, some, deeds[deed]);
      if (round >= 0) samples[deed].push(sample);
    }
  }
  const cpu = (deed: (typeof names)[number]) => median(samples[deed].map((sample) => sample.cpu));
  const ms = (deed: (typeof names)[number]) => median(samples[deed].flatMap((sample) => sample.ms));
  return (['ban', 'lift'] as const).flatMap((deed) => [
    row(`${name}: CPU, one ${deed}`, cpu(deed), cpu('explain')),
    row(`${name}: median time, one ${deed}`, ms(deed), ms('explain')),
  ]);
}

const row = (what: string, measured: number, floor: number): Row => ({
  what,
  unit: 'ms',
  measured,
  floor,
  ratio: measured / floor,
});

interface Sample {
  readonly cpu: number;
  readonly ms: readonly number[];
}

async function measure<T>(
  pid: number,
  items: readonly T[],
  deed: (item: T) => Promise<unknown>,
): Promise<Sample> {
  const before = cpuMs(pid);
  const ms: number[] = [];
  for (const item of items) {
    const began = performance.now();
    await deed(item);
    ms.push(performance.now() - began);
  }
  await wait(AFTERWORK_MS);
  return { cpu: (cpuMs(pid) - before) / items.length, ms };
}
