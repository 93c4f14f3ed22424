import { afterEach, describe, expect, test } from 'vitest';
import { renderDialplan } from '../../src/engine/asterisk/dialplan/render-dialplan.ts';
import type { Site } from '../../src/engine/asterisk/site.ts';
import { moment, rule, VECTORS } from '../../src/engine/call-flow/off-work.suite.ts';
import { hoursAt } from '../../src/engine/call-flow/off-work.ts';
import { activeRanges } from '../../src/engine/call-flow/off-work-changes.ts';
import {
  type DesiredCallFlow,
  type DesiredOffWorkRule,
  type HoursOverride,
  type OffWorkTime,
  PLAIN_CALL_FLOW,
} from '../../src/engine/desired-call-flow.ts';
import { createDice, type Dice } from '../fuzz/dice.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { type PlainAsterisk, startPlainAsterisk } from '../real/plain-asterisk.ts';
import { telephonyAvailable } from './exchange.ts';

const NOW = Date.UTC(2026, 4, 1);
const PER_STEP = 50;

interface Question {
  readonly routeId: number;
  readonly at: number;
}

let asterisk: PlainAsterisk | undefined;
afterEach(async () => {
  await asterisk?.stop();
  asterisk = undefined;
});

/** The engine's answers: one call runs the subroutine that every call from outside uses, at moments of our choice. */
async function ask(flow: DesiredCallFlow, questions: readonly Question[]): Promise<string[]> {
  const state = { extensions: [], providers: [], refusedSources: [], callFlow: flow };
  const site = { recordingsDir: '/nowhere', journalFile: '/nowhere' } as Site;
  const dialplan = renderDialplan(state, site, { now: () => NOW }).get('extensions.conf') ?? '';
  const steps = questions.flatMap(({ routeId, at }, index) => [
    `Gosub(pbx-hours-at,s,1(${routeId},${Math.floor(at / 1000)}))`,
    `Set(SAID=\${SAID} \${GOSUB_RETVAL})`,
    ...(index % PER_STEP === PER_STEP - 1 ? [`Verbose(0,hours:\${SAID})`, 'Set(SAID=)'] : []),
  ]);
  const text = [
    ...['exten => s,1,NoOp()', ...steps.map((step) => ` same => n,${step}`)],
    ` same => n,Verbose(0,hours:\${SAID})`,
    ' same => n,Verbose(0,hours end)',
  ].join('\n');
  asterisk = await startPlainAsterisk({
    address: createLoopbackNet().next(),
    pjsip: '',
    extensions: `${dialplan}\n[hours-test]\n${text}\n[hours-wait]\nexten => s,1,Answer()\n same => n,Wait(600)\n`,
    modules: ['app_exec', 'func_db', 'func_dialplan', 'func_logic', 'func_md5'],
  });
  await asterisk.originate({
    channel: 'Local/s@hours-wait',
    callerId: '1',
    context: 'hours-test',
    extension: 's',
  });
  await asterisk.process.said(/hours end/, { withinMs: 120_000 });
  return asterisk.process.lines
    .flatMap((line) => /hours:(.*)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? [])
    .filter(Boolean);
}

const expected = (flow: DesiredCallFlow, { routeId, at }: Question): string => {
  const { state, rule: acting } = hoursAt(flow, routeId, at);
  return state === 'open' ? 'open' : String(acting?.id);
};

async function compare(flow: DesiredCallFlow, questions: readonly Question[]): Promise<void> {
  const answers = await ask(flow, questions);
  expect(answers.length).toBe(questions.length);
  const wrong = questions.flatMap((question, index) => {
    const wanted = expected(flow, question);
    const where = `route ${question.routeId} at ${new Date(question.at).toISOString()}`;
    return answers[index] === wanted ? [] : `${where}: ${answers[index]}, not ${wanted}`;
  });
  expect(wrong).toEqual([]);
}

describe.skipIf(!telephonyAvailable())('opening hours in the engine', () => {
  test('contract 26.3 to 26.9: the engine closes the line at exactly the moments that the contract gives', async () => {
    const offWorkRules = VECTORS.map((vector, at) => ({ ...vector.rule, id: at + 1, routeIds: [at + 1] }));
    const questions = VECTORS.flatMap(({ moments }, index) =>
      moments.map(([text]) => ({ routeId: index + 1, at: moment(text) })),
    );
    const flow = { ...PLAIN_CALL_FLOW, offWorkRules };
    await compare(flow, questions);
    const isActive = VECTORS.flatMap(({ moments }) => moments.map(([, active]) => active));
    expect(questions.map((question) => expected(flow, question) !== 'open')).toEqual(isActive);
    console.info(`${questions.length} moments of ${VECTORS.length} rules`);
  });

  test('the engine and the model agree for any rules, calendars and overrides', async () => {
    const dice = createDice(Number(process.env.FUZZ_SEED ?? 26));
    const flow = anyFlow(dice);
    const edges = anyEdges(flow);
    const questions = Array.from({ length: 6000 }, () => ({
      routeId: 1 + dice.number(12),
      at: dice.chance(0.5)
        ? dice.pick(edges) + dice.pick([-1000, 0, 1000, 59_000])
        : NOW + dice.number(400 * 86_400) * 1000,
    }));
    await compare(flow, questions);
    const kinds = new Set(questions.map((question) => expected(flow, question)));
    console.info(
      `${questions.length} questions to ${flow.offWorkRules.length} rules, ${kinds.size} different answers`,
    );
    expect(kinds.size).toBeGreaterThan(10);
  });
});

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'UTC',
];

function anyFlow(dice: Dice): DesiredCallFlow {
  const offWorkRules = Array.from({ length: 60 }, (_, at): DesiredOffWorkRule => {
    const routeIds = dice.chance(0.9)
      ? Array.from({ length: dice.number(3) }, () => 1 + dice.number(12))
      : undefined;
    const when = dice.chance(0.2) ? anyCalendar(dice) : anyTimeframe(dice, routeIds === undefined);
    const target = dice.chance(0.9) ? '600' : '';
    return rule({ id: at + 1, timezone: dice.pick(ZONES), when, routeIds, target });
  });
  const overrides = Array.from({ length: 8 }, (): HoursOverride => {
    const mode = dice.pick(['open', 'closed', 'auto'] as const);
    const until = NOW + dice.number(100 * 86_400) * 1000;
    const routeIds = dice.chance(0.8) ? [1 + dice.number(12), 1 + dice.number(12)] : [];
    return { mode, until, ruleId: dice.number(80), routeIds };
  });
  return { ...PLAIN_CALL_FLOW, offWorkRules, overrides, overrideRevision: 1_777_600_000_000 };
}

/** A rule for every route hides the rules after it, so it must rarely be active. */
function anyTimeframe(dice: Dice, isRare: boolean): OffWorkTime {
  const dates = isRare || dice.chance(0.5) ? ([dice.number(390), dice.number(4)] as const) : undefined;
  const date = (days: number) => new Date(NOW + days * 86_400_000).toISOString().slice(0, 10);
  const time = () =>
    [dice.number(24), dice.number(60)].map((part) => String(part).padStart(2, '0')).join(':');
  const hasWeekdays = dice.chance(0.5);
  const hasTimes = dice.chance(0.7);
  const timeFrom = hasTimes ? time() : '';
  const end = dice.pick([time(), time(), '23:59', '24:00', '00:00']);
  return {
    kind: 'timeframe',
    dateFrom: dates ? date(dates[0]) : '',
    dateTo: dates ? date(dates[0] + dates[1]) : '',
    weekdayFrom: hasWeekdays ? 1 + dice.number(7) : -1,
    weekdayTo: hasWeekdays ? 1 + dice.number(7) : -1,
    timeFrom,
    timeTo: !hasTimes ? '' : end === timeFrom ? '23:58' : end,
  };
}

/** Up to 60 ranges on one day, and some over several. */
function anyCalendar(dice: Dice): OffWorkTime {
  const ranges: [number, number][] = [];
  let at = NOW;
  for (let count = dice.pick([3, 40, 300]); count > 0; count--) {
    const step = dice.pick([10, 600, 5000, 20_000]) * 60_000;
    const from = at + 60_000 * (1 + dice.number(step / 60_000));
    at = from + 60_000 * (1 + dice.number(dice.pick([10, 600, 3000])));
    ranges.push([from, at]);
  }
  return { kind: 'calendar', ranges };
}

/** Moments at which something may change. */
function anyEdges({ offWorkRules, overrides }: DesiredCallFlow): number[] {
  return [
    ...overrides.map(({ until }) => until),
    ...offWorkRules.flatMap((one) => [...activeRanges(one, NOW, NOW + 60 * 86_400_000)].flat()),
  ];
}
