import { setTimeout as wait } from 'node:timers/promises';
import { soon } from '../../server/test/real/soon.ts';
import { atMost, median, type Row } from '../measure/report.ts';
import { wholeCpuMs } from '../service/processes.ts';
import { LINE, type Office, openByHand, openOurs } from './office.ts';

/** Ratio that the issue allows to the same dialplan written by hand. */
const ALLOWED = 1.25;
const AT_ONCE = 12;

interface Cost {
  readonly engine: number;
  readonly service: number;
}

/** Calls from outside over route and hours into the menu, by key into the queue, until a member hangs up. */
async function callThrough({ outside }: Office, n: number): Promise<void> {
  const call = outside.call(LINE, { caller: `0170${100_000 + n}`, hasKeys: true });
  const outcome = await call.outcome();
  if (outcome !== 200) throw new Error(`the line answered ${outcome}`);
  await call.press('1');
  await soon(() => {
    if (!call.isOver()) throw new Error(`caller ${n} was not served`);
  });
}

let made = 0;

async function run(office: Office, calls: number): Promise<Cost> {
  const { enginePid, servicePid, exchange, outside } = office;
  const cpu = () => [wholeCpuMs(enginePid), servicePid ? wholeCpuMs(servicePid) : 0] as const;
  const known = (await exchange?.countCalls()) ?? 0;
  const before = cpu();
  let left = calls;
  const work = async () => {
    while (left-- > 0) await callThrough(office, made++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // The last record may not be written yet.
  await wait(1500);
  const after = cpu();
  outside.forget();
  if (exchange)
    await soon(async () => {
      const found = (await exchange.countCalls()) - known;
      if (found !== calls) throw new Error(`${found} calls are recorded, not ${calls}`);
    });
  return { engine: (after[0] - before[0]) / calls, service: (after[1] - before[1]) / calls };
}

/** All offices take turns in each round; a ratio is the median of the rounds' ratios. */
export async function measureWholeWay(quick: boolean): Promise<Row[]> {
  const offices = {
    ours: await openOurs(),
    same: await openByHand('all devices'),
    records: await openByHand('all devices', { keepsRecords: true }),
    least: await openByHand('one device'),
  };
  const names = Object.keys(offices) as (keyof typeof offices)[];
  const [calls, rounds] = quick ? [60, 3] : [200, 5];
  try {
    for (const name of names) await run(offices[name], AT_ONCE);
    const turns: Record<keyof typeof offices, Cost>[] = [];
    for (let round = 0; round < rounds; round++) {
      const turn: Partial<Record<keyof typeof offices, Cost>> = {};
      for (const name of names) turn[name] = await run(offices[name], calls);
      turns.push(turn as Record<keyof typeof offices, Cost>);
    }
    const middle = (read: (turn: (typeof turns)[number]) => number) => median(turns.map(read));
    const against = (what: string, floor: keyof typeof offices) => ({
      what,
      unit: 'ms' as const,
      measured: middle((turn) => turn.ours.engine),
      floor: middle((turn) => turn[floor].engine),
      ratio: middle((turn) => turn.ours.engine / turn[floor].engine),
    });
    const same = against('CPU of the engine per call, beside the same written by hand', 'same');
    return [
      { ...same, target: atMost(same.ratio, ALLOWED) },
      against('  beside one that keeps call records too (cdr_csv)', 'records'),
      against('  beside one that rings a single device of each member', 'least'),
      { what: 'CPU of the service per call', unit: 'ms', measured: middle((turn) => turn.ours.service) },
    ];
  } finally {
    for (const name of names) await offices[name].stop();
  }
}
