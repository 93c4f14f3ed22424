import { beforeAll, describe, expect, test } from 'vitest';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);
  const list = async (query: string) =>
    (await held.asAdmin('GET', `/cdr?dateFrom=2026-05-01&dateTo=2026-05-31&sort=start&order=ASC&${query}`))
      .body.data;
  const linkedids = async (query: string) =>
    (await list(query)).records.map(({ linkedid }: { linkedid: string }) => linkedid);

  beforeAll(() =>
    insertLegs(
      held.stores,
      leg({ linkedid: 'in.1', start: '2026-05-01 10:00:00.000', from_account: 'SIP-A', billsec: 59 }),
      // A minute of talk in two legs, the second over another provider.
      leg({ linkedid: 'both.1', start: '2026-05-02 10:00:00.000', from_account: 'SIP-A', billsec: 20 }),
      leg({ linkedid: 'both.1', start: '2026-05-02 10:01:00.000', to_account: 'SIP-B', billsec: 40 }),
      leg({ linkedid: 'own.1', start: '2026-05-03 10:00:00.000', billsec: 60, src_num: '301' }),
    ),
  );

  test.each([
    ['provider=SIP-A', ['in.1', 'both.1']],
    ['provider=SIP-B', ['both.1']],
    ['provider=SIP', []],
    ['billsecFrom=60', ['both.1', 'own.1']],
    ['billsecFrom=61', []],
    ['billsecFrom=0', ['in.1', 'both.1', 'own.1']],
    ['billsecFrom=60&provider=SIP-A', ['both.1']],
    ['billsecFrom=60&src_num=301', ['own.1']],
    ['provider=SIP-A&src_num=301', []],
    ['provider=SIP-B&search=201&disposition=answered', ['both.1']],
  ])('contract 5.2: %s finds %j', async (query, found) => {
    expect(await linkedids(query)).toEqual(found);
    expect((await list(query)).pagination.total).toBe(found.length);
  });

  test('in a flat list each leg must match itself', async () => {
    expect(await linkedids('grouped=false&provider=SIP-A')).toEqual(['in.1', 'both.1']);
    expect(await linkedids('grouped=false&billsecFrom=60')).toEqual(['own.1']);
    expect((await list('grouped=false&billsecFrom=40&provider=SIP-B')).pagination.total).toBe(1);
  });

  test('an export has the same filters', async () => {
    const exported = async (query: string) => {
      const { text } = await held.asAdmin('GET', `/cdr:export?format=ndjson&dateFrom=2026-05-01&${query}`);
      return text
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line).linkedid);
    };
    expect(await exported('provider=SIP-A')).toEqual(['in.1', 'both.1']);
    expect(await exported('billsecFrom=60')).toEqual(['both.1', 'own.1']);
    const csv = await held.asAdmin('GET', '/cdr:export?dateFrom=2026-05-01&provider=SIP-B');
    expect(csv.text.trim().split('\r\n')).toHaveLength(3);
  });

  test.each(['-1', 'x', '1.5'])('billsecFrom=%s is refused', async (value) => {
    expect((await held.asAdmin('GET', `/cdr?billsecFrom=${value}`)).status).toBe(400);
  });
});
