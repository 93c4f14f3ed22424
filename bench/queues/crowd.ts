import { openExchange } from '../../server/test/telephony/exchange.ts';
import { runCrowd } from '../../server/test/telephony/queue-crowd.ts';
import { judgeCrowd, waitOf } from '../../server/test/telephony/queue-crowd-verdict.ts';
import { atMost, median, quantile, type Row } from '../measure/report.ts';
import { wholeCpuMs as cpuMs, memoryMb, pin } from '../service/processes.ts';

const PLAN = { queues: 10, members: 10, callers: 30, gapMs: 700, talkMs: [25_000, 38_000] } as const;
const QUICK = { queues: 10, members: 10, callers: 30, gapMs: 200, talkMs: [6_000, 10_000] } as const;

/** The most problems to print. */
const MOST_SHOWN = 20;

/** Far more callers than members, for two minutes: each has to be served in turn, and each record right. */
export async function measureCrowd(quick: boolean): Promise<Row[]> {
  const plan = quick ? QUICK : PLAN;
  const exchange = await openExchange({ PBXCORE_TIMEZONE: 'UTC', PBXCORE_LOG_LEVEL: 'warn' });
  try {
    await exchange.hire({ number: '199' });
    const enginePid = await exchange.enginePid();
    pin(enginePid, 'servers');
    const before = [cpuMs(enginePid), cpuMs(exchange.service.pid)] as const;
    const began = performance.now();
    const facts = await runCrowd(exchange, plan);
    const seconds = (performance.now() - began) / 1000;
    const { problems, served, early } = judgeCrowd(facts);
    for (const problem of problems.slice(0, MOST_SHOWN)) console.error(problem);
    const callers = plan.queues * plan.callers;
    const waits = served.map((one) => waitOf(one) / 1000);
    const legs = facts.calls.flatMap(({ records }) => records);
    const count = (what: string, measured: number): Row => ({ what, unit: '', measured });
    return [
      { ...count('callers served', served.length), target: atMost(callers - served.length, 0, `${callers}`) },
      {
        ...count('problems of order, legs, states, times, board', problems.length),
        target: atMost(problems.length, 0, 'none'),
      },
      count('rung for a moment before their turn (see README)', early),
      count('callers at once, at most', facts.most),
      count('members', plan.queues * plan.members),
      count('legs recorded', legs.length),
      count('seconds from the first to the last', seconds),
      count('seconds of waiting: median', median(waits)),
      count('seconds of waiting: longest', quantile(waits, 1)),
      {
        what: 'CPU of the engine per caller',
        unit: 'ms',
        measured: (cpuMs(enginePid) - before[0]) / callers,
      },
      {
        what: 'CPU of the service per caller',
        unit: 'ms',
        measured: (cpuMs(exchange.service.pid) - before[1]) / callers,
      },
      { what: 'engine', unit: 'MB', measured: memoryMb(enginePid, 'VmRSS') },
    ];
  } finally {
    await exchange.close();
  }
}
