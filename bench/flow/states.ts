import { runCalls } from '../calls/load.ts';
import { CALLEES, openFloor, openProduct } from '../calls/target.ts';
import { median, type Row } from '../measure/report.ts';

type Cost = Awaited<ReturnType<typeof runCalls>>;

/**
 * The cost per call of messages about which phones are in use. Configured by hand: without these messages, with them,
 * and with hints and a queue that use them. The product, which has no hints: before and after all callees are members
 * of a queue.
 */
export async function measureStates(quick: boolean): Promise<Row[]> {
  const floors = {
    unmade: await openFloor({ states: 'unmade' }),
    made: await openFloor(),
    hinted: await openFloor({ states: 'hinted' }),
  };
  const ours = await openProduct();
  const { exchange } = ours;
  if (!exchange) throw new Error('only ours has an interface');
  const load = { kind: 'plain', calls: quick ? 200 : 1000, rate: 1000, limit: 20, talkMs: 0 } as const;
  const turns: Record<keyof typeof floors | 'without' | 'with', Cost>[] = [];
  try {
    for (const target of [...Object.values(floors), ours]) await runCalls(target, { ...load, calls: 100 });
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      const unmade = await runCalls(floors.unmade, load);
      const made = await runCalls(floors.made, load);
      const hinted = await runCalls(floors.hinted, load);
      const without = await runCalls(ours, load);
      const { id } = await exchange.admin('POST', '/call-queues', {
        name: 'Everybody',
        extension: '6000',
        members: CALLEES.plain.map((extension) => ({ extension })),
      });
      await exchange.settled();
      turns.push({ unmade, made, hinted, without, with: await runCalls(ours, load) });
      await exchange.admin('DELETE', `/call-queues/${id}`);
      await exchange.settled();
    }
  } finally {
    for (const target of [...Object.values(floors), ours]) await target.stop();
  }
  type Side = keyof (typeof turns)[number];
  const row = (what: string, side: Side, floor: Side, cost: 'engine' | 'service' = 'engine'): Row => ({
    what,
    unit: 'ms',
    measured: median(turns.map((turn) => turn[side][cost])),
    floor: median(turns.map((turn) => turn[floor][cost])),
    ratio: median(turns.map((turn) => turn[side][cost] / turn[floor][cost])),
  });
  return [
    row('by hand, engine: messages made, beside none made', 'made', 'unmade'),
    row('by hand, engine: hints and a queue of all, beside messages only', 'hinted', 'made'),
    row('ours, engine: no queue, beside the floor with messages', 'without', 'made'),
    row('ours, engine: all called are members, beside no queue', 'with', 'without'),
    row('ours, engine: all called are members, beside the floor with hints', 'with', 'hinted'),
    row('ours, service: all called are members, beside no queue', 'with', 'without', 'service'),
  ];
}
