import { beforeAll, describe, expect, test } from 'vitest';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);
  const stats = (query: string) => held.asAdmin('GET', `/cdr:getStatsByProvider?${query}`);

  beforeAll(() =>
    insertLegs(
      held.stores,
      leg({
        linkedid: 'a.1',
        start: '2026-05-01 00:00:00.000',
        from_account: 'SIP-A',
        disposition: 'NO ANSWER',
      }),
      leg({
        linkedid: 'a.1',
        start: '2026-05-01 00:00:01.000',
        from_account: 'SIP-A',
        disposition: 'ANSWERED',
      }),
      leg({ linkedid: 'a.2', start: '2026-05-01 23:59:59.900', from_account: 'SIP-A', disposition: 'BUSY' }),
      leg({
        linkedid: 'b.1',
        start: '2026-05-02 10:00:00.000',
        to_account: 'SIP-A',
        disposition: 'CHANUNAVAIL',
      }),
      leg({
        linkedid: 'b.1',
        start: '2026-05-02 10:00:01.000',
        to_account: 'SIP-B',
        disposition: 'ANSWERED',
      }),
      // The hour skipped in spring, and the one repeated in autumn.
      leg({ linkedid: 'spring.1', start: '2026-03-29 01:59:59.000', from_account: 'SIP-C' }),
      leg({ linkedid: 'spring.2', start: '2026-03-29 03:00:00.000', from_account: 'SIP-C' }),
      leg({ linkedid: 'autumn.1', start: '2025-10-26 02:30:00.000', from_account: 'SIP-C' }),
      leg({ linkedid: 'autumn.2', start: '2025-10-26 02:30:00.000', from_account: 'SIP-C' }),
      leg({ linkedid: 'autumn.3', start: '2025-10-26 03:00:00.000', from_account: 'SIP-C' }),
    ),
  );

  test('a call counts once per provider and direction; CHANUNAVAIL is neither answered nor missed', async () => {
    const sums = { totalDuration: 10, totalBillsec: 7 };
    expect((await stats('dateFrom=2026-05-01&dateTo=2026-05-02')).body.data).toEqual([
      {
        provider: 'SIP-A',
        providerName: 'SIP-A',
        direction: 'incoming',
        totalCalls: 2,
        answeredCalls: 1,
        missedCalls: 1,
        totalDuration: 30,
        totalBillsec: 21,
      },
      {
        provider: 'SIP-A',
        providerName: 'SIP-A',
        direction: 'outgoing',
        totalCalls: 1,
        answeredCalls: 0,
        missedCalls: 0,
        ...sums,
      },
      {
        provider: 'SIP-B',
        providerName: 'SIP-B',
        direction: 'outgoing',
        totalCalls: 1,
        answeredCalls: 1,
        missedCalls: 0,
        ...sums,
      },
    ]);
    expect((await stats('dateFrom=2026-05-01&dateTo=2026-05-02&provider=SIP-B')).body.data).toHaveLength(1);
    expect((await stats('dateFrom=2026-05-01&dateTo=2026-05-02&provider=none')).body.data).toEqual([]);
    expect((await stats('dateFrom=2026-05-02&dateTo=2026-05-02')).body.data).toHaveLength(2);
  });

  test.each([
    ['', 400, 'required'],
    ['dateFrom=2026-05-01', 400, 'required'],
    ['dateFrom=x&dateTo=2026-05-01', 400, 'format'],
    ['dateFrom=2026-05-02&dateTo=2026-05-01', 422, 'before'],
    ['dateFrom=2025-01-01&dateTo=2026-05-01', 422, '365'],
  ])('"%s" is refused with %i', async (query, status, text) => {
    const answer = await stats(query);
    expect(answer.status).toBe(status);
    expect(answer.body.messages.error.join()).toContain(text);
  });

  const total = async (query: string) =>
    (await held.asAdmin('GET', `/cdr?${query}`)).body.data.pagination.total;

  test.each([
    ['dateFrom=2026-03-29T00:59:59Z&dateTo=2026-03-29T00:59:59Z', 1],
    ['dateFrom=2026-03-29T01:00:00Z&dateTo=2026-03-29T01:00:00Z', 1],
    ['dateFrom=2026-03-29T02:00:00&dateTo=2026-03-29T02:59:59', 0],
    ['dateFrom=2026-03-29T00:59:59Z&dateTo=2026-03-29T01:00:00Z', 2],
    ['dateFrom=2025-10-26T00:30:00Z&dateTo=2025-10-26T00:30:00Z', 2],
    ['dateFrom=2025-10-26T01:30:00Z&dateTo=2025-10-26T01:30:00Z', 2],
    ['dateFrom=2025-10-26T02:00:00Z&dateTo=2025-10-26T02:00:00Z', 1],
    ['dateFrom=2025-10-26&dateTo=2025-10-26', 3],
  ])('across a change of clocks, %s finds %i', async (query, count) => {
    expect(await total(query)).toBe(count);
    expect(await total(`${query}&grouped=false`)).toBe(count);
  });
});
