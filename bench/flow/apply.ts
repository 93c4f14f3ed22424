import { setTimeout as wait } from 'node:timers/promises';
import { startOutside } from '../../server/test/real/outside-caller.ts';
import { callMany, registerMany, startAnswering } from '../../server/test/real/sipp.ts';
import { soon } from '../../server/test/real/soon.ts';
import { type Exchange, openExchange, PASSWORD, secretOf } from '../../server/test/telephony/exchange.ts';
import { atMost, median, quantile, type Row } from '../measure/report.ts';
import { fillCallFlow, LARGEST } from '../service/call-flow.ts';
import { fillEmployees } from '../service/employees.ts';
import { pin, wholeCpuMs } from '../service/processes.ts';
import { startService, temporaryFolder } from '../service/service.ts';
import { watchReloads } from './reloads.ts';

/** The number whose route changes, and one whose route stays; both routes answer without a phone. */
const [CHANGED, UNCHANGED] = ['4939001', '4939002'];
const OUTCOMES = { busy: 486, hangup: 603 } as const;
const [CALLER, CALLEE] = ['201', '202'];
const [CALLER_HZ, CALLEE_HZ] = [440, 1000];
/** Tolerated gap: a block of the recording may fall between two packets. */
const PAUSE_S = 0.1;
const TARGET_MS = 2000;

type Outside = Awaited<ReturnType<typeof startOutside>>;

/** Changes a route in the largest exchange during an established call and while other calls arrive. */
export async function measureApply(quick: boolean): Promise<Row[]> {
  const rounds = quick ? 5 : 15;
  const dataDir = temporaryFolder();
  await fill(dataDir);
  const exchange = await openExchange({ PBXCORE_LOG_LEVEL: 'warn', PBXCORE_DATA_DIR: dataDir });
  const { net, address, admin } = exchange;
  const enginePid = await exchange.enginePid();
  pin(enginePid, 'servers');
  const outside = await startOutside(net.next(), address);
  try {
    await admin('POST', '/sip-providers', { description: 'P', host: outside.address });
    await admin('POST', '/incoming-routes', { number: UNCHANGED, extension: 'busy' });
    const { id } = await admin('POST', '/incoming-routes', { number: CHANGED, extension: 'busy' });
    for (const number of [CALLER, CALLEE])
      await admin('POST', '/employees', {
        number,
        user_username: number,
        sip_secret: secretOf(number),
        sip_enableRecording: number === CALLEE,
      });
    await soon(async () => {
      if ((await outside.call(CHANGED).outcome()) !== OUTCOMES.busy) throw new Error('not served yet');
    }, 180_000);
    // By now the engine has applied the last of these changes and is idle.
    await wait(5000);
    const standing = await startStanding(exchange, rounds * 3000 + 4000);
    const comings = keepCalling(outside);
    const reloads = await watchReloads(exchange.dataDir);
    const cpu = () => [wholeCpuMs(enginePid), wholeCpuMs(exchange.service.pid)] as const;
    const before = cpu();
    const [times, read] = [[] as number[], [] as string[][]];
    for (let round = 0; round < rounds; round++) {
      const target = round % 2 ? 'busy' : 'hangup';
      await admin('PATCH', `/incoming-routes/${id}`, { extension: target });
      times.push(await untilServed(outside, OUTCOMES[target]));
      // The work after a change must end before the next one.
      await wait(1000);
      read.push(reloads.taken());
    }
    const after = cpu();
    reloads.stop();
    const come = await comings.stop();
    const talk = await standing.heard();
    console.error(
      `read again after each change: ${[...new Set(read.map((one) => one.join(' ')))].join(' | ')}`,
    );
    const most = Math.max(...read.map((one) => one.length));
    const worst = quantile(times, 1);
    return [
      {
        what: `from the answer until a call is served so: median of ${rounds}`,
        unit: 'ms',
        measured: median(times),
      },
      { what: '  longest', unit: 'ms', measured: worst, target: atMost(worst, TARGET_MS, '< 2000') },
      {
        what: 'parts that the engine read again, per change (the dialplan)',
        unit: '',
        measured: most,
        target: atMost(most, 1),
      },
      {
        what: `other calls meanwhile: not as before, of ${come.count}`,
        unit: '',
        measured: come.wrong,
        target: atMost(come.wrong, 0, 'none'),
      },
      {
        what: '  longest until an answer',
        unit: 'ms',
        measured: come.longest,
        target: atMost(come.longest, TARGET_MS, '< 2000'),
      },
      {
        what: 'the call that stands: longest pause of either voice',
        unit: 'ms',
        measured: talk.pause * 1000,
        target: atMost(talk.pause, PAUSE_S, `<= ${PAUSE_S * 1000}`),
      },
      { what: '  seconds of it', unit: '', measured: talk.seconds },
      { what: 'CPU of the engine per change', unit: 'ms', measured: (after[0] - before[0]) / rounds },
      { what: 'CPU of the service per change', unit: 'ms', measured: (after[1] - before[1]) / rounds },
    ];
  } finally {
    await outside.stop();
    await exchange.close();
  }
}

/** Without an engine, which would have to apply thousands of changes. Leaves room for two employees and two routes. */
async function fill(dataDir: string): Promise<void> {
  const sizes = { ...LARGEST, employees: LARGEST.employees - 2, routes: LARGEST.routes - 2 };
  const { call, stop } = await startService({ dataDir, password: PASSWORD });
  await fillEmployees(call, 0, sizes.employees);
  await fillCallFlow(call, sizes);
  await stop();
}

async function untilServed(outside: Outside, outcome: number): Promise<number> {
  const began = performance.now();
  while ((await outside.call(CHANGED).outcome()) !== outcome)
    if (performance.now() - began > 30_000) throw new Error('a changed route was never served');
  return performance.now() - began;
}

/** Makes one call after the other over the unchanged route. */
function keepCalling(outside: Outside) {
  let [isOver, count, wrong, longest] = [false, 0, 0, 0];
  const calling = (async () => {
    while (!isOver) {
      const began = performance.now();
      const outcome = await outside
        .call(UNCHANGED)
        .outcome()
        .catch(() => 0);
      longest = Math.max(longest, performance.now() - began);
      count++;
      if (outcome !== OUTCOMES.busy) wrong++;
    }
  })();
  return {
    async stop() {
      isOver = true;
      await calling;
      return { count, wrong, longest };
    },
  };
}

/** Two phones that talk for this long, each sending a tone; both tones are in the recording. */
async function startStanding(exchange: Exchange, talkMs: number) {
  const { net, address: server } = exchange;
  const account = (number: string) => ({ number, secret: secretOf(number) });
  const [here, there] = [
    { address: net.next(), server },
    { address: net.next(), server },
  ];
  await registerMany(there, [account(CALLEE)], { expires: 3600 });
  const answering = await startAnswering(there, CALLEE_HZ);
  const pairs = [{ from: account(CALLER), to: CALLEE }];
  const calling = callMany(here, { pairs, calls: 1, rate: 1, talkMs, hz: CALLER_HZ });
  await soon(async () => {
    const active = await exchange.admin('GET', '/pbx-status:getActiveCalls');
    if (!active.some(({ answer }: { answer: string }) => answer !== '')) throw new Error('nobody talks');
  });
  return {
    async heard() {
      await calling;
      await answering.stop();
      return soon(async () => {
        const { records } = await exchange.admin('GET', `/cdr?src_num=${CALLER}&limit=1`);
        const leg = records[0]?.records[0];
        if (!leg?.recordingfile) throw new Error('there is no recording yet');
        const sound = await exchange.recordingOf(leg);
        const pause = Math.max(sound.longestPause(CALLER_HZ), sound.longestPause(CALLEE_HZ));
        return { seconds: sound.seconds, pause };
      });
    },
  };
}
