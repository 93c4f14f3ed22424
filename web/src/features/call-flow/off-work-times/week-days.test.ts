import { expect, test, vi } from 'vitest';
import { wallOf } from './wall-clock.ts';

const ZONE = 'Europe/Berlin';
const MINUTE_MS = 60_000;
/** Whether the exchange is closed, by minute of its wall clock. */
let isClosed = (_minute: number): boolean => false;

/** Like the service's answers: moments with Z are exact, the end is a wall-clock time. */
async function getState({ at }: { at: string }) {
  const stateAt = (moment: number) => isClosed((wallOf(moment, ZONE) / MINUTE_MS) % 1440);
  const asked = Date.parse(at);
  let until = asked + MINUTE_MS;
  while (stateAt(until) === stateAt(asked)) until += MINUTE_MS;
  return {
    data: {
      state: stateAt(asked) ? 'closed' : 'open',
      until: new Date(wallOf(until, ZONE)).toISOString().slice(0, 19).replace('T', ' '),
      ruleName: 'Rule',
    },
  };
}
vi.mock('../../../api/api.ts', () => ({ api: { offWorkTimes: { getState } } }));
const { readDay } = await import('./week.ts');

const NIGHT: [number, number][] = [
  [0, 540],
  [1080, 1440],
];

test.each<[string, string, [number, number][], [number, number][]]>([
  ['a usual day', '2026-05-04', NIGHT, NIGHT],
  ['spring leaves an hour out', '2026-03-29', NIGHT, NIGHT],
  ['autumn repeats an hour', '2026-10-25', NIGHT, NIGHT],
  [
    'a time is repeated',
    '2026-10-25',
    [
      [150, 165],
      [1080, 1440],
    ],
    [
      [150, 165],
      [1080, 1440],
    ],
  ],
  ['a time is begun twice', '2026-10-25', [[165, 195]], [[165, 195]]],
  [
    'a time is left out',
    '2026-03-29',
    [
      [150, 165],
      [1080, 1440],
    ],
    [[1080, 1440]],
  ],
])('a day is shown in wall-clock time: %s', async (_, date, closed, shown) => {
  isClosed = (minute) => closed.some(([from, to]) => minute >= from && minute < to);
  const day = await readDay(date, '1', ZONE);
  expect(day.closed.map(({ from, to }) => [from, to])).toEqual(shown);
});
