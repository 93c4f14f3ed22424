import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DesiredOffWorkRule, HoursOverride, OffWorkTime } from '../desired-call-flow.ts';
import { moment, rule, VECTORS, weekly } from './off-work.suite.ts';
import { hoursAt, isActive } from './off-work.ts';
import { activeUntil, nextChange } from './off-work-changes.ts';

for (const { title, rule: tested, moments } of VECTORS)
  test(`rule ${title}`, () => {
    for (const [text, expected] of moments)
      expect(`${text} ${isActive(tested, moment(text))}`).toBe(`${text} ${expected}`);
  });

const A = rule({ id: 1, when: weekly(6, 7) });
const B = rule({ id: 2, when: weekly(1, 5, '18:00', '09:00') });
const I = rule({ id: 3, when: weekly(-1, -1, '00:00', '09:00') });
const hours = (rules: readonly DesiredOffWorkRule[], overrides: readonly HoursOverride[] = []) => ({
  offWorkRules: rules,
  overrides,
  sounds: [],
});
const override = (fields: Partial<HoursOverride>): HoursOverride => ({
  mode: 'closed',
  until: 0,
  ruleId: 0,
  routeIds: [],
  ...fields,
});
const SATURDAY = moment('2026-05-09 10:00');

test('rule A closes the line on Saturday, until B and I end on Monday at 09:00', () => {
  const all = hours([A, B, I]);
  expect(hoursAt(all, 1, SATURDAY)).toEqual({ state: 'closed', rule: A });
  expect(nextChange(all, 1, SATURDAY)).toBe(moment('2026-05-11 09:00'));
  expect(activeUntil(A, SATURDAY)).toBe(moment('2026-05-11 00:00'));
  expect(activeUntil(B, SATURDAY)).toBe(undefined);
  expect(nextChange(all, 1, moment('2026-05-11 09:00'))).toBe(moment('2026-05-11 18:00'));
});

test('rules that are restricted to route 5 leave the calls of route 7 alone', () => {
  const restricted = hours([A, B].map((one) => ({ ...one, routeIds: [5] })));
  expect(hoursAt(restricted, 7, SATURDAY)).toEqual({ state: 'open' });
  expect(nextChange(restricted, 7, SATURDAY)).toBe(undefined);
  expect(hoursAt(restricted, 5, SATURDAY).rule?.id).toBe(1);
});

test('a rule whose target and sound are gone is passed over', () => {
  const gone = { ...A, target: '', soundId: '4' };
  expect(hoursAt(hours([gone]), 1, SATURDAY).state).toBe('open');
  const sound = { id: '4', name: 'Closed', category: 'custom', file: '/s/4', seconds: 8 } as const;
  expect(hoursAt({ ...hours([gone]), sounds: [sound] }, 1, SATURDAY).state).toBe('closed');
});

test('a state that does not change within 370 days has no end', () => {
  const always = rule({ when: weekly(1, 7) });
  expect(nextChange(hours([always]), 1, SATURDAY)).toBe(undefined);
  expect(activeUntil(always, SATURDAY)).toBe(undefined);
  const far = rule({
    when: { ...weekly(-1, -1), dateFrom: '2028-01-01', dateTo: '2028-01-02' } as OffWorkTime,
  });
  expect(nextChange(hours([far]), 1, SATURDAY)).toBe(undefined);
});

test.each<[string, HoursOverride[], number, string, number | undefined]>([
  ['open ignores all rules', [override({ mode: 'open' })], 1, 'open', undefined],
  ['closed acts as the first rule that covers the route', [override({})], 1, 'closed 1', undefined],
  ['closed acts as the rule it names', [override({ ruleId: 3 })], 1, 'closed 3', undefined],
  [
    'closed as a rule that is gone acts as the first one',
    [override({ ruleId: 9 })],
    1,
    'closed 1',
    undefined,
  ],
  ['ends by itself', [override({ mode: 'open', until: SATURDAY + 1000 })], 1, 'open', SATURDAY + 1000],
  ['is over', [override({ mode: 'open', until: SATURDAY })], 1, 'closed 1', moment('2026-05-11 09:00')],
  ['is for the routes it names', [override({ mode: 'open', routeIds: [5] })], 5, 'open', undefined],
  [
    'is for no others',
    [override({ mode: 'open', routeIds: [5] })],
    6,
    'closed 1',
    moment('2026-05-11 09:00'),
  ],
  ['the later one wins', [override({ ruleId: 2 }), override({ mode: 'open' })], 1, 'open', undefined],
  [
    'a route is left to the rules though all others are not',
    [override({ mode: 'open' }), override({ mode: 'auto', routeIds: [5] })],
    5,
    'closed 1',
    moment('2026-05-11 09:00'),
  ],
])('an override: %s', (_, overrides, routeId, expected, until) => {
  const all = hours([A, B, I], overrides);
  const { state, rule: acting } = hoursAt(all, routeId, SATURDAY);
  expect([state, acting?.id].filter((part) => part !== undefined).join(' ')).toBe(expected);
  expect(nextChange(all, routeId, SATURDAY)).toBe(until);
});

test('a line that many short rules close one after the other opens where the last of them ends', () => {
  const quarters = Array.from({ length: 96 }, (_, at) => {
    const clock = (minute: number) =>
      minute === 1440
        ? '24:00'
        : `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const when = { ...weekly(-1, -1, clock(at * 15), clock(at * 15 + 15)) } as OffWorkTime;
    return rule({
      id: at + 1,
      when: { ...when, dateFrom: '2026-05-01', dateTo: '2027-03-31' } as OffWorkTime,
    });
  });
  expect(nextChange(hours(quarters.toReversed()), 1, SATURDAY)).toBe(moment('2027-04-01 00:00'));
  expect(nextChange(hours(quarters), 1, moment('2026-04-30 10:00'))).toBe(moment('2026-05-01 00:00'));
});

test('a line that several rules close opens in the first minute that none of them closes', () => {
  const clock = fc.integer({ min: 0, max: 23 }).map((hour) => `${String(hour).padStart(2, '0')}:00`);
  const timezone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata');
  const part = fc
    .tuple(clock, clock, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }), timezone)
    .filter(([from, to]) => from !== to)
    .map(([from, to, first, last, zone]) => rule({ timezone: zone, when: weekly(first, last, from, to) }));
  const HALF_HOUR = 1_800_000;
  fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 8 }), fc.nat(335), (rules, offset) => {
      // Across the night of the clock change.
      const first = Date.parse('2026-03-25T00:00:00Z') + offset * HALF_HOUR;
      const isClosed = (at: number) => rules.some((one) => isActive(one, at));
      let at = first;
      while (at < first + 9 * 86_400_000 && isClosed(at) === isClosed(first)) at += HALF_HOUR;
      const found = nextChange(hours(rules), 1, first);
      if (at < first + 9 * 86_400_000) expect(found).toBe(at);
      else expect(found ?? Infinity).toBeGreaterThanOrEqual(at);
    }),
    { numRuns: 60 },
  );
});

test('an override closes nothing if there is no rule at all', () => {
  expect(hoursAt(hours([], [override({})]), 1, SATURDAY).state).toBe('open');
});

// A slow reference without windows: each minute's wall clock is written out, and yesterday is another text.
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'UTC',
];
const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);
const WEEKDAYS = [7, 1, 2, 3, 4, 5, 6];

function isActiveSlowly({ when, timezone }: DesiredOffWorkRule, at: number): boolean {
  if (when.kind === 'calendar') return when.ranges.some(([from, to]) => at >= from && at < to);
  const [today = '', time = ''] = formats.get(timezone)?.format(at).split(' ') ?? [];
  const noon = new Date(`${today}T12:00:00Z`);
  noon.setUTCDate(noon.getUTCDate() - 1);
  const yesterday = noon.toISOString().slice(0, 10);
  const qualifies = (date: string) => {
    if (when.dateFrom !== '' && (date < when.dateFrom || date > when.dateTo)) return false;
    if (when.weekdayFrom === -1) return true;
    const weekday = WEEKDAYS[new Date(`${date}T12:00:00Z`).getUTCDay()];
    for (let each = when.weekdayFrom; ; each = each === 7 ? 1 : each + 1) {
      if (each === weekday) return true;
      if (each === when.weekdayTo) return false;
    }
  };
  const [from, to] = when.timeFrom === '' ? ['00:00', '24:00'] : [when.timeFrom, when.timeTo];
  const end = to === '23:59' ? '24:00' : to;
  if (from < end) return qualifies(today) && time >= from && time < end;
  const isOneDay =
    (when.dateFrom !== '' && when.dateFrom === when.dateTo) ||
    (when.weekdayFrom !== -1 && when.weekdayFrom === when.weekdayTo);
  if (time >= from && qualifies(today)) return true;
  return time < end && (qualifies(yesterday) || (!isOneDay && qualifies(today)));
}

const clock = fc.integer({ min: 0, max: 1439 }).map((minute) => {
  const text = (part: number) => String(part).padStart(2, '0');
  return `${text(Math.floor(minute / 60))}:${text(minute % 60)}`;
});
const dates = fc
  .tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 5 }))
  .map(([from, days]) => ({ from, days }));

/** Around both clock changes of most zones. */
const START = fc
  .constantFrom(
    '2026-03-27',
    '2026-10-23',
    '2026-04-03',
    '2026-03-06',
    '2026-10-30',
    '2026-12-29',
    '2028-02-27',
  )
  .map((date) => Date.parse(`${date}T00:00:00Z`));

const anyRule = fc
  .record({
    start: START,
    timezone: fc.constantFrom(...ZONES),
    dates: fc.option(dates, { nil: undefined }),
    weekdays: fc.option(fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 })), {
      nil: undefined,
    }),
    times: fc.option(
      fc.tuple(clock, fc.oneof(clock, fc.constantFrom('23:59', '24:00'))).filter(([from, to]) => from !== to),
      { nil: undefined },
    ),
  })
  .map(({ start, timezone, dates: range, weekdays, times }) => {
    const date = (days: number) => new Date(start + days * 86_400_000).toISOString().slice(0, 10);
    const when: OffWorkTime = {
      kind: 'timeframe',
      dateFrom: range ? date(range.from) : '',
      dateTo: range ? date(range.from + range.days) : '',
      weekdayFrom: weekdays?.[0] ?? -1,
      weekdayTo: weekdays?.[1] ?? -1,
      timeFrom: times?.[0] ?? '',
      timeTo: times?.[1] ?? '',
    };
    return { start, rule: rule({ timezone, when }) };
  });

test('in every minute of three days, the state and its next change agree with a slow evaluation of the rules', () => {
  let minutes = 0;
  fc.assert(
    fc.property(anyRule, fc.integer({ min: 0, max: 86_399 }), ({ start, rule: tested }, offset) => {
      const first = start - 86_400_000 + offset * 1000;
      const active: boolean[] = [];
      for (let at = Math.floor(first / 60_000) * 60_000; at < first + 3 * 86_400_000; at += 60_000) {
        active.push(isActiveSlowly(tested, at));
        if (active.at(-1) !== isActive(tested, at + 31_000)) throw new Error(new Date(at).toISOString());
        minutes++;
      }
      const changes = active.findIndex((value) => value !== active[0]);
      const expected = changes < 0 ? undefined : Math.floor(first / 60_000) * 60_000 + changes * 60_000;
      const found = nextChange(hours([tested]), 1, first);
      const isNear =
        found !== undefined && found < Math.floor(first / 60_000) * 60_000 + active.length * 60_000;
      expect(isNear ? found : undefined).toBe(expected);
      if (active[0] && expected !== undefined) expect(activeUntil(tested, first)).toBe(expected);
    }),
    { numRuns: 40 },
  );
  console.info(`${minutes} minutes compared`);
});
