import { beforeAll, describe, expect, test } from 'vitest';
import { insertLegs, type LegValues, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const PROVIDER = 'SIP-A';
const DID = '4930111';
const at = (day: number, second: number) => `2026-05-0${day} 10:00:${String(second).padStart(2, '0')}.000`;

/** A leg of a call from outside, between two seconds of a minute. */
function met(linkedid: string, day: number, [from, to]: [number, number], fields: LegValues): LegValues {
  const times = { start: at(day, from), endtime: at(day, to), duration: to - from };
  const call = { linkedid, src_num: '+4917012345', did: DID, from_account: PROVIDER };
  return leg({ ...call, ...times, billsec: 0, disposition: 'NO ANSWER', is_app: '0', ...fields });
}
const application = (appname: string, dst_num: string) => ({ is_app: '1', appname, dst_num });
const member = (dst_num: string) => ({ appname: 'queue', dst_num });

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);
  const find = async (query: string) =>
    (await held.asAdmin('GET', `/cdr?dateFrom=2026-05-01&dateTo=2026-05-31&sort=start&order=ASC&${query}`))
      .body.data;
  const linkedids = async (query: string) =>
    (await find(query)).records.map(({ linkedid }: { linkedid: string }) => linkedid);

  beforeAll(() =>
    insertLegs(
      held.stores,
      // V3: a menu, then a queue of two members, the second of whom answers.
      met('menu.1', 1, [0, 4], { ...application('ivr', '700'), dtmf_digits: '1', dialstatus: 'CONTINUE' }),
      met('menu.1', 1, [4, 10], {
        ...application('queue', '600'),
        disposition: 'ANSWERED',
        answer: at(1, 10),
      }),
      met('menu.1', 1, [4, 6], { ...member('201'), disposition: 'BUSY' }),
      met('menu.1', 1, [4, 40], {
        ...member('202'),
        disposition: 'ANSWERED',
        answer: at(1, 10),
        billsec: 30,
      }),
      // V8: nobody in the queue answers.
      met('queue.1', 2, [0, 40], { ...application('queue', '600'), dialstatus: 'ABANDON' }),
      met('queue.1', 2, [0, 40], member('201')),
      met('queue.1', 2, [0, 40], member('202')),
      met('closed.1', 3, [0, 8], { ...application('offwork', ''), dst_name: 'Weekend' }),
      met('said.1', 4, [0, 3], application('announce', '')),
      met('said.1', 4, [3, 9], { dst_num: '600', disposition: 'BUSY' }),
      met('plain.1', 5, [0, 5], { dst_num: '201' }),
      met('plain.1', 5, [3, 9], { dst_num: '600', disposition: 'ANSWERED', answer: at(5, 4), billsec: 5 }),
    ),
  );

  test.each([
    ['menu.1', { disposition: 'ANSWERED', totalDuration: 40, totalBillsec: 30 }],
    ['queue.1', { disposition: 'NO ANSWER', totalDuration: 40, totalBillsec: 0 }],
    ['closed.1', { disposition: 'NO ANSWER', totalDuration: 8, dst_num: DID }],
    ['said.1', { disposition: 'NO ANSWER', totalDuration: 9 }],
    ['plain.1', { disposition: 'ANSWERED', totalDuration: 11, totalBillsec: 5 }],
  ])(
    'contract 29.2: a call with an application lasts from start to end, other calls add up their legs: %s',
    async (id, call) => {
      expect((await held.asAdmin('GET', `/cdr/${id}`)).body.data).toMatchObject(call);
    },
  );

  test('contract 29.2: statistics count likewise, and a call that only an application answered is missed', async () => {
    const { body } = await held.asAdmin(
      'GET',
      '/cdr:getStatsByProvider?dateFrom=2026-05-01&dateTo=2026-05-04',
    );
    const sums = { totalCalls: 4, answeredCalls: 1, missedCalls: 3, totalDuration: 97, totalBillsec: 30 };
    expect(body.data).toMatchObject([{ provider: PROVIDER, direction: 'incoming', ...sums }]);
  });

  test.each([
    ['app=ivr', ['menu.1']],
    ['app=queue', ['menu.1', 'queue.1']],
    ['app=announce', ['said.1']],
    ['app=offwork', ['closed.1']],
    ['queue=600', ['menu.1', 'queue.1']],
    ['queue=60', []],
    ['queue=700', []],
    ['queue=201', []],
    ['queue=', ['menu.1', 'queue.1', 'closed.1', 'said.1', 'plain.1']],
    ['app=ivr&queue=600', ['menu.1']],
    ['queue=600&disposition=answered', ['menu.1']],
    ['app=queue&dst_num=202&billsecFrom=1', ['menu.1']],
    ['dst_num=700', ['menu.1']],
    ['dst_num=600', ['menu.1', 'queue.1', 'said.1', 'plain.1']],
    ['app=announce&dst_num=600', ['said.1']],
  ])('contract 29.2: %s finds %j', async (query, found) => {
    expect(await linkedids(query)).toEqual(found);
    expect((await find(query)).pagination.total).toBe(found.length);
  });

  test('in a flat list each leg must match itself: legs of members do not match the queue', async () => {
    const legs = async (query: string) =>
      (await find(`grouped=false&${query}`)).records.map(({ dst_num }: { dst_num: string }) => dst_num);
    expect(await legs('app=queue')).toEqual(['600', '600']);
    expect(await legs('queue=600')).toEqual(['600', '600']);
    expect(await legs('app=ivr')).toEqual(['700']);
    expect(await legs('app=ivr&queue=600')).toEqual([]);
  });

  test('an export has the same filters', async () => {
    const exported = async (query: string) => {
      const { text } = await held.asAdmin('GET', `/cdr:export?dateFrom=2026-05-01&${query}`);
      return text.trim().split(/\r?\n/);
    };
    const calls = (await exported('format=ndjson&queue=600')).map((line: string) => JSON.parse(line));
    expect(calls).toMatchObject([
      { linkedid: 'menu.1', totalDuration: 40 },
      { linkedid: 'queue.1', totalDuration: 40 },
    ]);
    expect(await exported('app=ivr')).toHaveLength(5);
    expect(await exported('app=ivr&grouped=false')).toHaveLength(2);
  });

  test.each(['person', 'IVR', 'ivr,queue', '1'])('app=%s is refused', async (value) => {
    const { status, body } = await held.asAdmin('GET', `/cdr?app=${value}`);
    expect(status).toBe(400);
    expect(body.messages.error[0]).toContain('app');
  });
});
