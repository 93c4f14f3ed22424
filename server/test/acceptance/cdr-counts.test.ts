import { beforeAll, describe, expect, test } from 'vitest';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const NONE = { answered: 0, noAnswer: 0, busy: 0, failed: 0, chanunavail: 0 };

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);
  const stats = (query: string) => held.asAdmin('GET', `/cdr:getStats?${query}`);

  beforeAll(() =>
    insertLegs(
      held.stores,
      leg({ linkedid: 'a.1', start: '2026-05-01 00:00:00.000', disposition: 'NO ANSWER' }),
      leg({ linkedid: 'a.1', start: '2026-05-01 00:00:01.000', disposition: 'ANSWERED' }),
      leg({ start: '2026-05-01 23:59:59.900', disposition: 'BUSY' }),
      leg({ start: '2026-05-03 10:00:00.000', disposition: 'NO ANSWER' }),
      leg({ start: '2026-05-03 10:30:00.000', disposition: 'NOANSWER' }),
      leg({ start: '2026-05-03 10:59:59.999', disposition: 'failed' }),
      leg({ start: '2026-05-03 11:00:00.000', disposition: 'CHANUNAVAIL' }),
      // Not one of the exchange's own dispositions.
      leg({ start: '2026-05-03 11:00:00.000', disposition: 'CANCELLED' }),
      leg({ start: '2026-05-04 00:00:00.000' }),
    ),
  );

  test('contract 5.7: every day of the window is listed, and each call counts once by its outcome', async () => {
    const { body } = await stats('dateFrom=2026-05-01&dateTo=2026-05-03');
    expect(body.data).toEqual([
      { ...NONE, at: '2026-05-01 00:00:00.000', answered: 1, busy: 1 },
      { ...NONE, at: '2026-05-02 00:00:00.000' },
      { ...NONE, at: '2026-05-03 00:00:00.000', noAnswer: 2, failed: 1, chanunavail: 1 },
    ]);
    expect(body.meta.timezone).toBe('Europe/Berlin');
  });

  test('counts by hour include only what lies in the window, also in the first and last hour', async () => {
    // 08:15 UTC is 10:15 in Berlin.
    const { body } = await stats('by=hour&dateFrom=2026-05-03T08:15:00Z&dateTo=2026-05-03T11:00:00');
    expect(body.data).toEqual([
      { ...NONE, at: '2026-05-03 10:00:00.000', noAnswer: 1, failed: 1 },
      { ...NONE, at: '2026-05-03 11:00:00.000', chanunavail: 1 },
    ]);
  });

  test('a window may be a year by day or a month by hour', async () => {
    const days = (await stats('dateFrom=2025-06-01&dateTo=2026-05-31')).body.data;
    expect(days).toHaveLength(365);
    expect(days.map((day: typeof NONE) => day.answered).filter(Boolean)).toEqual([1, 1]);
    expect((await stats('by=hour&dateFrom=2026-05-01&dateTo=2026-05-31')).body.data).toHaveLength(31 * 24);
  });

  test.each([
    ['', 400, 'required'],
    ['dateFrom=2026-05-01', 400, 'required'],
    ['dateFrom=x&dateTo=2026-05-01', 400, 'format'],
    ['dateFrom=2026-05-01&dateTo=2026-05-02&by=week', 400, 'by'],
    ['dateFrom=2026-05-02&dateTo=2026-05-01', 422, 'before'],
    ['dateFrom=2025-01-01&dateTo=2026-05-01', 422, '365'],
    ['by=hour&dateFrom=2026-05-01&dateTo=2026-06-01', 422, '31'],
  ])('"%s" is refused with %i', async (query, status, text) => {
    const answer = await stats(query);
    expect(answer.status).toBe(status);
    expect(answer.body.messages.error.join()).toContain(text);
  });
});
