import { setTimeout as pause } from 'node:timers/promises';
import { startCrowdPhones } from '../real/crowd-phones.ts';
import { startOutside } from '../real/outside-caller.ts';
import { registerMany } from '../real/sipp.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, type Exchange, secretOf } from './exchange.ts';
import type { CrowdFacts, Visit } from './queue-crowd-verdict.ts';

interface CrowdPlan {
  readonly queues: number;
  /** Per queue. */
  readonly members: number;
  readonly callers: number;
  /** Minimum time between two callers of one queue. */
  readonly gapMs: number;
  readonly talkMs: readonly [number, number];
}

/** Every strategy, and both sounds for waiting callers. */
const KINDS = [
  { strategy: 'rrmemory' },
  { strategy: 'ringall' },
  { strategy: 'linear', caller_hear: 'moh' },
  { strategy: 'leastrecent' },
  { strategy: 'fewestcalls' },
  { strategy: 'random' },
  { strategy: 'growing' },
  { strategy: 'rrmemory', seconds_for_wrapup: 1 },
  { strategy: 'ringall', caller_hear: 'moh' },
  { strategy: 'linear' },
];
const FIRST_MEMBER = 201;
const FIRST_QUEUE = 600;
const RING_MS = [100, 600] as const;
const PAGE = 100;

const between = ([from, to]: readonly [number, number]) => from + Math.random() * (to - from);

/**
 * Sends more callers than members from outside over routes into queues, until each was served. The exchange must be
 * empty and use UTC; its records are compared with what phones and callers saw.
 */
export async function runCrowd(exchange: Exchange, plan: CrowdPlan): Promise<CrowdFacts> {
  const { net, address: server, admin } = exchange;
  const queues = Array.from({ length: plan.queues }, (_, at) => ({
    number: String(FIRST_QUEUE + at),
    line: `4930${FIRST_QUEUE + at}`,
    members: Array.from({ length: plan.members }, (_, i) => String(FIRST_MEMBER + at * plan.members + i)),
  }));
  const members = queues.flatMap((queue) => queue.members);
  await exchange.hire(...members.map((number) => ({ number, sip_enableRecording: false })));

  const outside = await startOutside(net.next(), server);
  await admin('POST', '/sip-providers', { description: 'P', host: outside.address });
  for (const [at, queue] of queues.entries()) {
    await admin('POST', '/call-queues', {
      name: `Queue ${queue.number}`,
      extension: queue.number,
      seconds_for_wrapup: 0,
      ...KINDS[at % KINDS.length],
      members: queue.members.map((extension) => ({ extension })),
    });
    await admin('POST', '/incoming-routes', { number: queue.line, extension: queue.number });
  }
  await exchange.settled();

  const place = { address: net.next(), server };
  await registerMany(
    place,
    members.map((number) => ({ number, secret: secretOf(number) })),
    { expires: 3600 },
  );
  const phones = await startCrowdPhones({
    ...place,
    ringMs: () => between(RING_MS),
    talkMs: () => between(plan.talkMs),
  });
  await soon(async () => {
    const board = Object.values(await admin('GET', '/call-queues:getStatuses')) as { free: number }[];
    if (board.some(({ free }) => free < plan.members)) throw new Error('phones are not known yet');
  });

  /** Callers arrive one after the other, each once the one before is in the queue. */
  async function visit(queue: (typeof queues)[number], n: number): Promise<Visit> {
    const caller = `0170${queue.number}${String(n).padStart(3, '0')}`;
    const invitedAt = Date.now();
    const call = outside.call(queue.line, { caller });
    await soon(() => {
      if (call.statuses.length === 0) throw new Error(`nobody answers ${caller}`);
    });
    const repliedAt = Date.now();
    return { caller, queue: queue.number, members: queue.members, invitedAt, repliedAt, isOver: call.isOver };
  }

  // The sound heard while waiting is not checked here.
  const listening = setInterval(() => {
    outside.forget();
    outside.breathe();
  }, 5000);
  try {
    const visits: Visit[] = [];
    let most = 0;
    await Promise.all(
      queues.map(async (queue) => {
        for (let n = 0; n < plan.callers; n++) {
          visits.push(await visit(queue, n));
          most = Math.max(most, visits.filter(({ isOver }) => !isOver()).length);
          await pause(plan.gapMs);
        }
      }),
    );
    // Every caller must be served in the end; none can wait longer than all talks in sequence, with their pauses.
    const rounds = Math.ceil(plan.callers / plan.members) + 1;
    await soon(
      () => {
        const left = visits.filter(({ isOver }) => !isOver());
        if (left.length > 0) throw new Error(`${left.length} callers were not served: ${left[0]?.caller}`);
      },
      rounds * (plan.talkMs[1] + 10_000) + 30_000,
    );
    await soon(async () => {
      const active = await admin('GET', '/pbx-status:getActiveCalls');
      const recorded = await exchange.countCalls();
      if (active.length > 0 || recorded < visits.length)
        throw new Error(`${active.length} calls go on, ${recorded} are recorded`);
    });
    return {
      visits,
      talks: phones.talks,
      calls: await allCalls(exchange),
      board: Object.values(await settledBoard(exchange, visits.length)),
      most,
    };
  } finally {
    clearInterval(listening);
    await phones.stop();
    await outside.stop();
  }
}

/** The day's figures are computed once a second; a talk counts for its member once it is stored, after its end. */
const settledBoard = (
  exchange: Exchange,
  visits: number,
): Promise<Record<string, CrowdFacts['board'][number]>> =>
  soon(async () => {
    const board = await exchange.admin('GET', '/call-queues:getStatuses');
    const rows = Object.values(board) as CrowdFacts['board'];
    const offered = rows.reduce((sum, { today }) => sum + today.offered, 0);
    const members = rows.flatMap((row) => row.members);
    const taken = members.reduce((sum, { callsToday }) => sum + callsToday, 0);
    if (Math.min(offered, taken) < visits || rows.some(({ talking }) => talking > 0))
      throw new Error(`${offered} were offered, ${taken} taken`);
    return board;
  }).catch(() => exchange.admin('GET', '/call-queues:getStatuses'));

async function allCalls(exchange: Exchange): Promise<CallRecord[]> {
  const calls: CallRecord[] = [];
  for (;;) {
    const { records } = await exchange.admin('GET', `/cdr?limit=${PAGE}&offset=${calls.length}&order=ASC`);
    calls.push(...records);
    if (records.length < PAGE) return calls;
  }
}
