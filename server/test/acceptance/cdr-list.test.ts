import { beforeAll, describe, expect, test } from 'vitest';
import { insertLegs, leg } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);
  const ids = async (query: string) => {
    const answer = await held.asAdmin('GET', `/cdr?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.records.map((call: { linkedid: string }) => call.linkedid).sort();
  };

  beforeAll(async () => {
    const { stores } = held;
    await insertLegs(
      stores,
      leg({
        linkedid: 'in.1',
        start: '2026-03-01 10:00:00.000',
        src_num: '4930111',
        dst_num: '201',
        did: '4930999',
        disposition: 'NO ANSWER',
        from_account: 'SIP-1',
        dst_name: 'Ann',
      }),
      leg({
        linkedid: 'in.1',
        start: '2026-03-01 10:00:05.000',
        src_num: '4930111',
        dst_num: '202',
        disposition: 'ANSWERED',
        duration: 60,
        billsec: 50,
        from_account: 'SIP-1',
      }),
      leg({
        linkedid: 'out.1',
        start: '2026-03-01 23:59:59.500',
        src_num: '201',
        dst_num: '49_40%7',
        disposition: 'NOANSWER',
        to_account: 'SIP-1',
      }),
      leg({
        linkedid: 'out.2',
        start: '2026-03-02 00:00:00.000',
        src_num: '202',
        dst_num: '4940777',
        disposition: 'NO ANSWER',
        to_account: 'SIP-2',
      }),
      leg({
        linkedid: 'out.3',
        start: '2026-04-02T08:00:00',
        src_num: '203',
        dst_num: '112',
        disposition: 'CHANUNAVAIL',
        to_account: 'SIP-2',
      }),
      leg({
        linkedid: 'new.1',
        start: '2026-05-04 09:00:00.000',
        src_num: '204',
        dst_num: '205',
        disposition: 'busy',
      }),
    );
  });

  test('a call has the fields of its earliest leg, its DID as destination, and all legs', async () => {
    const answer = await held.asAdmin('GET', '/cdr?linkedid=in.1');
    expect(answer.body.data.pagination).toEqual({
      total: 1,
      limit: 50,
      offset: 0,
      hasMore: false,
      lastId: 2,
    });
    const [call] = answer.body.data.records;
    expect(call).toMatchObject({
      linkedid: 'in.1',
      start: '2026-03-01 10:00:00.000',
      src_num: '4930111',
      dst_num: '4930999',
      dst_name: 'Ann',
      did: '4930999',
      disposition: 'ANSWERED',
      totalDuration: 70,
      totalBillsec: 57,
    });
    expect(call.records.map((l: { id: number }) => l.id)).toEqual([1, 2]);
    expect(call.records[0]).toMatchObject({
      is_app: '0',
      work_completed: '1',
      transfer: '0',
      recordingfile: '',
      playback_url: '',
    });
  });

  test('without parameters the last 30 days are shown, and the answer says so', async () => {
    const answer = await held.asAdmin('GET', '/cdr');
    expect(answer.body.data.records.map((call: { linkedid: string }) => call.linkedid)).toEqual(['new.1']);
    expect(answer.body.meta).toMatchObject({
      timezone: 'Europe/Berlin',
      window: { from: '2026-04-04 10:11:12.000', to: null, default: true },
    });
  });

  test.each([
    ['dateFrom=2026-03-01T00:00:00', 5],
    ['dateFrom=2026-03-01 00:00:00', 5],
    ['dateFrom=2026-03-01', 5],
    ['dateFrom=2026-02-28T23:00:00Z', 5],
    ['dateFrom=2026-03-01T10:00:00%2B01:00&dateTo=2026-03-01T10:00:00+01:00', 1],
    ['dateFrom=2026-03-01T10:00:01', 4],
    ['dateFrom=2026-03-01&dateTo=2026-03-01', 2],
    ['dateFrom=2026-03-01&dateTo=2026-03-01T23:59:59', 2],
    ['dateFrom=2026-03-01&dateTo=2026-03-01T23:59:59.499', 1],
    ['dateFrom=2026-03-01&dateTo=2026-03-02T00:00:00', 3],
    ['dateTo=2026-03-02', 3],
    ['dateFrom=2026-04-02T08:00:00&dateTo=2026-04-02T08:00:00', 1],
    ['dateFrom=2026-03-02&dateTo=2026-03-01', 0],
    ['dateFrom=2026-01-01&dateTo=2027-01-01', 5],
    ['idFrom=0', 5],
    ['idFrom=1', 5],
    ['idFrom=2', 4],
    ['idFrom=999999', 0],
  ])('%s finds %i calls', async (query, count) => {
    expect(await ids(query)).toHaveLength(count);
    const { pagination } = (await held.asAdmin('GET', `/cdr?${query}`)).body.data;
    expect(pagination.total).toBe(count);
  });

  test.each([
    ['src_num=30', ['in.1']],
    ['src_num=201', ['out.1']],
    ['dst_num=201', ['in.1']],
    ['dst_num=4930999', ['in.1']],
    ['did=0999', ['in.1']],
    ['dst_num=40%257', ['out.1']],
    ['dst_num=_', ['out.1']],
    ['dst_num=4_4', []],
    ['src_num=49301&dst_num=202', ['in.1']],
    ['src_num=49301&dst_num=202&did=0999', []],
    ['search=494', ['out.2']],
    ['search=20', ['in.1', 'new.1', 'out.1', 'out.2', 'out.3']],
    ['search=nobody', []],
    ['src_num=20&dateFrom=2026-04-01&disposition=BUSY', ['new.1']],
    ['src_num=20&sort=start&order=asc', ['new.1', 'out.1', 'out.2', 'out.3']],
    ['src_num=20&sort=disposition', ['new.1', 'out.1', 'out.2', 'out.3']],
    ['linkedid=out.2', ['out.2']],
    ['linkedid=out', []],
    ['idFrom=0&disposition=NO ANSWER', ['out.1', 'out.2']],
    ['idFrom=0&disposition=noanswer', ['out.1', 'out.2']],
    ['idFrom=0&disposition=answered', ['in.1']],
    ['idFrom=0&disposition=Busy', ['new.1']],
    ['idFrom=0&disposition=CHANUNAVAIL', ['out.3']],
    ['idFrom=0&disposition=XYZ', []],
  ])('%s finds %o', async (query, wanted) => {
    expect(await ids(query)).toEqual(wanted);
  });

  test.each([
    'id',
    'start',
    'linkedid',
    'src_num',
    'dst_num',
    'did',
    'disposition',
    'duration',
    'billsec',
    'nothing',
  ])('pages sorted by %s do not overlap, and descending is the reverse of ascending', async (sort) => {
    for (const grouped of ['true', 'false']) {
      const total = grouped === 'true' ? 5 : 6;
      const all = async (order: string) => {
        const found: string[] = [];
        for (let offset = 0; offset < total + 2; offset += 2) {
          const { body } = await held.asAdmin(
            'GET',
            `/cdr?idFrom=0&sort=${sort}&order=${order}&limit=2&offset=${offset}&grouped=${grouped}`,
          );
          expect(body.data.pagination).toMatchObject({ total, limit: 2, hasMore: offset + 2 < total });
          found.push(
            ...body.data.records.map((r: { id?: number; linkedid: string }) => String(r.id ?? r.linkedid)),
          );
        }
        return found;
      };
      const up = await all('ASC');
      expect(new Set(up).size).toBe(total);
      expect((await all('DESC')).reverse()).toEqual(up);
    }
  });

  test('in a flat list the total counts legs, which have no records of their own', async () => {
    const { body } = await held.asAdmin('GET', '/cdr?grouped=false&linkedid=in.1&disposition=NO ANSWER');
    expect(body.data.pagination).toMatchObject({ total: 1, lastId: 1 });
    expect(body.data.records[0]).toMatchObject({ id: 1, UNIQUEID: expect.any(String) });
    expect(body.data.records[0]).not.toHaveProperty('records');
    const numbered = await held.asAdmin('GET', '/cdr?grouped=FALSE&dst_num=202');
    expect(numbered.body.data.records.map((l: { id: number }) => l.id)).toEqual([2]);
  });

  test.each([
    ['0', 1],
    ['-5', 1],
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['999999', 100],
    ['abc', 50],
    ['5.5', 50],
    ['', 50],
  ])('limit %s is used as %i', async (limit, used) => {
    const answer = await held.asAdmin('GET', `/cdr?limit=${limit}`);
    expect([answer.status, answer.body.data.pagination.limit]).toEqual([200, used]);
  });

  test('an offset past the end is empty', async () => {
    const { body } = await held.asAdmin('GET', '/cdr?idFrom=0&offset=1000000');
    expect(body.data).toEqual({
      records: [],
      pagination: { total: 5, limit: 50, offset: 1_000_000, hasMore: false, lastId: 0 },
    });
    const numbered = await held.asAdmin('GET', '/cdr?src_num=20&offset=1000000');
    expect(numbered.body.data.pagination.total).toBe(4);
  });

  test.each([
    ['offset=-1', 400, 'offset'],
    ['offset=abc', 400, 'offset'],
    ['dateFrom=01.03.2026', 400, 'dateFrom'],
    ['dateTo=2026-02-30', 400, 'dateTo'],
    ['idFrom=x', 400, 'idFrom'],
    ['src_num=%00', 400, 'src_num'],
    [`search=${'9'.repeat(256)}`, 400, 'search'],
    ['dateFrom=2025-03-01&dateTo=2026-03-02', 422, '365'],
    ['dateFrom=2025-03-01T00:00:00&dateTo=2026-03-01T00:00:01', 422, '365'],
  ])('%s is refused with %i', async (query, status, text) => {
    const answer = await held.asAdmin('GET', `/cdr?${query}`);
    expect(answer.status).toBe(status);
    expect(answer.body.messages.error.join()).toContain(text);
  });

  test('365 days are allowed, with dates and with times', async () => {
    await ids('dateFrom=2025-03-01&dateTo=2026-03-01');
    await ids('dateFrom=2025-03-01T00:00:00&dateTo=2026-03-01T00:00:00');
  });
});
