import { describe, expect, test } from 'vitest';
import { longestTurn, workedMs } from '../timed-ping.ts';
import { useApp } from './use-app.ts';

const calendar = (...events: string[][]) =>
  events.map((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT', ''].join('\r\n')).join('');
const LUNCH = ['DTSTART;TZID=Europe/Berlin:20260504T120000', 'DURATION:PT1H'];

describe('contract 26.9: bounds of calendars', () => {
  const held = useApp();
  const { asAdmin } = held;
  const create = async (fields: object = {}): Promise<string> => {
    const rule = { description: 'Holidays', calType: 'ical', extension: '201', ...fields };
    return (await asAdmin('POST', '/off-work-times', rule)).body.data.id;
  };
  const send = (id: string, ics: string) => asAdmin('POST', `/off-work-times/${id}:importCalendar`, { ics });

  test('the calendars of all rules share one bound, and a copy counts too', async () => {
    const refused = async (path: string, ics?: string) => {
      const { status, body } = await asAdmin('POST', path, ics === undefined ? undefined : { ics });
      return [status, body.messages.error];
    };
    const ids: string[] = [];
    const many = (minutes: number) =>
      calendar(
        ...Array.from({ length: 20 }, (_, at) => [
          `DTSTART:20260504T${String(at).padStart(2, '0')}0000Z`,
          `DURATION:PT${minutes}M`,
          'RRULE:FREQ=DAILY',
        ]),
      );
    // About 8000 occurrences each.
    for (const minutes of [5, 6]) {
      ids.push(await create());
      expect((await send(ids.at(-1) ?? '', many(minutes))).status).toBe(200);
    }
    const tooMany = [
      409,
      [expect.stringMatching(/at most 20000 occurrences in 400 days: 1[56]\d{3} are in other rules$/)],
    ];
    ids.push(await create());
    expect(await refused(`/off-work-times/${ids[2]}:importCalendar`, many(7))).toEqual(tooMany);
    expect(await refused(`/off-work-times/${ids[0]}:copy`)).toEqual(tooMany);
    expect((await send(ids[0] ?? '', many(8))).status).toBe(200);
    expect((await send(ids[2] ?? '', calendar(LUNCH))).status).toBe(200);
    const copy = await asAdmin('POST', `/off-work-times/${ids[2]}:copy`);
    expect(copy.status).toBe(201);
    for (const id of [...ids, copy.body.data.id]) await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('events and dates far ahead share a bound too', async () => {
    const far = calendar(
      ...Array.from({ length: 4500 }, (_, at) => [
        `DTSTART:20${40 + (at % 50)}0504T120000Z`,
        'DURATION:PT1H',
      ]),
    );
    const ids: string[] = [];
    for (let count = 0; count < 5; count++)
      ids.push(await create({ disabled: count === 1, calType: count === 2 ? 'timeframe' : 'ical' }));
    const answers: number[] = [];
    for (const id of ids) answers.push((await send(id, far)).status);
    expect(answers).toEqual([200, 200, 200, 200, 409]);
    for (const id of ids) await asAdmin('DELETE', `/off-work-times/${id}`);
  });

  test('other requests are answered while a slow file is read', async () => {
    const id = await create();
    const series = ['DTSTART:19000102T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=YEARLY;BYDAY=MO;COUNT=10000'];
    const long = calendar(...Array.from({ length: 5000 }, () => series));
    const began = workedMs();
    let [isReading, answers] = [true, 0];
    const twice = async () => [(await send(id, long)).status, (await send(id, long)).status];
    const reading = twice().finally(() => {
      isReading = false;
    });
    const others = (async () => {
      for (; isReading; answers++) await held.app.call('GET', '/health');
    })();
    expect(await longestTurn(reading)).toBeLessThan((workedMs() - began) / 4);
    await others;
    expect(answers).toBeGreaterThan(2);
    await asAdmin('DELETE', `/off-work-times/${id}`);
  });
});
