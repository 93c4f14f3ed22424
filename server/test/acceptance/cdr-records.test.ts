import { beforeAll, describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { insertLegs, leg, writeRecording } from './cdr-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('on $name', ({ open }) => {
  const held = useApp(open);
  const get = (path: string) => held.asAdmin('GET', path);
  const sql = (...statements: string[]) => createOutsider(held.stores).sql(...statements);

  test('an empty history has no dates', async () => {
    expect((await get('/cdr:getMetadata')).body.data).toEqual({
      earliestDate: null,
      latestDate: null,
      hasRecords: false,
      sampleSize: 0,
    });
    expect((await get('/cdr')).body.data.records).toEqual([]);
  });

  describe('single records', () => {
    beforeAll(() =>
      insertLegs(
        held.stores,
        leg({ linkedid: 'one.1', start: '2026-05-01 10:00:00', recordingfile: 'one.wav' }),
        leg({ linkedid: 'one.1', start: '2026-05-01 10:00:09.5' }),
        leg({ linkedid: 'two.1', start: '2026-05-02T11:00:00.1239' }),
      ),
    );

    test('an id of digits names a leg, any other id names a call', async () => {
      expect((await get('/cdr/1')).body.data).toMatchObject({
        id: 1,
        linkedid: 'one.1',
        start: '2026-05-01 10:00:00.000',
      });
      const call = (await get('/cdr/one.1')).body.data;
      expect(call.records.map((record: { id: number }) => record.id)).toEqual([1, 2]);
      expect((await get('/cdr/3')).body.data.start).toBe('2026-05-02 11:00:00.123');
    });

    test.each(['99', '99999999999999999999', 'nothing.1', 'x%27%20or%201=1'])(
      '%s is not found',
      async (id) => {
        const answer = await get(`/cdr/${id}`);
        expect(answer.status).toBe(404);
        expect(answer.body.messages.error[0]).toContain('not found');
        expect((await held.asAdmin('DELETE', `/cdr/${id}`)).status).toBe(404);
      },
    );

    test('metadata gives the earliest and the latest date of the newest records', async () => {
      expect((await get('/cdr:getMetadata')).body.data).toEqual({
        earliestDate: '2026-05-01 10:00:00.000',
        latestDate: '2026-05-02 11:00:00.123',
        hasRecords: true,
        sampleSize: 3,
      });
      for (const limit of ['0', '-1', '1'])
        expect((await get(`/cdr:getMetadata?limit=${limit}`)).body.data.sampleSize).toBe(1);
      for (const limit of ['5000', 'abc'])
        expect((await get(`/cdr:getMetadata?limit=${limit}`)).body.data.sampleSize).toBe(3);
    });

    test('the collection is read-only', async () => {
      for (const verb of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect((await held.asAdmin(verb, '/cdr', verb === 'DELETE' ? undefined : {})).status).toBe(405);
      }
    });

    test('reading needs the level read, deleting needs write', async () => {
      const reader = await held.keyFor({ '/api/v3/cdr': 'read' });
      const other = await held.keyFor({ '/api/v3/firewall': 'write' });
      expect((await held.call('GET', '/cdr', { key: reader })).status).toBe(200);
      expect((await held.call('GET', '/cdr:export', { key: reader })).status).toBe(200);
      expect((await held.call('DELETE', '/cdr/1', { key: reader })).status).toBe(403);
      for (const path of ['/cdr', '/cdr/1', '/cdr:export', '/cdr:getMetadata', '/cdr:getStatsByProvider'])
        expect((await held.call('GET', path, { key: other })).status).toBe(403);
    });

    test('deleting a leg keeps the rest of the call; deleting a linkedid deletes all legs', async () => {
      await writeRecording(held.stores, 'one.wav');
      const leg1 = await held.asAdmin('DELETE', '/cdr/1');
      expect(leg1.body.data).toEqual({
        id: '1',
        linkedid: 'one.1',
        recordingDeleted: false,
        linkedRecordsDeleted: 0,
      });
      const left = (await get('/cdr/one.1')).body.data;
      expect([left.start, left.totalDuration]).toEqual(['2026-05-01 10:00:09.500', 10]);
      await insertLegs(held.stores, leg({ linkedid: 'one.1', recordingfile: 'one.wav' }));
      const call = await held.asAdmin('DELETE', '/cdr/one.1?deleteRecording=1');
      expect(call.body.data).toEqual({
        id: 'one.1',
        linkedid: 'one.1',
        recordingDeleted: true,
        linkedRecordsDeleted: 1,
      });
      expect((await get('/cdr/one.1')).status).toBe(404);
      expect((await get('/cdr?linkedid=one.1')).body.data.pagination.total).toBe(0);
    });

    test.each([
      ['', { deleteRecording: true }, true],
      ['', { deleteRecording: '1' }, true],
      ['?deleteRecording=1', {}, true],
      ['?deleteRecording=1', { deleteRecording: null }, true],
      ['?deleteRecording=1', { deleteRecording: false }, false],
      ['?deleteRecording=0', { deleteRecording: true }, true],
      ['', {}, false],
    ])('the body decides about the recording, else the query: %j %j', async (query, body, goes) => {
      await writeRecording(held.stores, 'said.wav');
      await insertLegs(held.stores, leg({ linkedid: 'said.1', recordingfile: 'said.wav' }));
      const { data } = (await held.asAdmin('DELETE', `/cdr/said.1${query}`, body)).body;
      expect(data).toEqual({
        id: 'said.1',
        linkedid: 'said.1',
        recordingDeleted: goes,
        linkedRecordsDeleted: 0,
      });
    });

    test('an invalid body deletes nothing, and the answer repeats the id as it was sent', async () => {
      const id = (await get('/cdr/two.1')).body.data.records[0].id;
      expect((await held.asAdmin('DELETE', `/cdr/${id}`, { deleteRecording: 'yes' })).status).toBe(400);
      expect((await held.asAdmin('DELETE', '/cdr/none.1', { deleteRecording: 'yes' })).status).toBe(404);
      expect((await held.asAdmin('DELETE', `/cdr/00${id}`)).body.data).toMatchObject({ id: `00${id}` });
      expect((await get(`/cdr/${id}`)).status).toBe(404);
    });
  });

  describe('another tool', () => {
    const found = async (query: string) =>
      (await get(`/cdr?${query}`)).body.data.records.map((call: { linkedid: string }) => call.linkedid);

    test('inserts, changes and deletes records, which is seen at once, however it writes', async () => {
      await insertLegs(held.stores, leg({ linkedid: 'tool.1', src_num: '7001', dst_num: '8001' }));
      expect(await found('src_num=7001')).toEqual(['tool.1']);
      await sql(`update cdr_general set src_num = '7002', disposition = 'BUSY' where linkedid = 'tool.1'`);
      expect(await found('src_num=7001')).toEqual([]);
      expect(await found('src_num=7002&disposition=busy')).toEqual(['tool.1']);
      await sql(`update cdr_general set linkedid = 'tool.2' where linkedid = 'tool.1'`);
      expect(await found('src_num=7002')).toEqual(['tool.2']);
      expect((await get('/cdr/tool.1')).status).toBe(404);
      await sql(`update cdr_general set start = '2026-01-01 00:00:00' where linkedid = 'tool.2'`);
      expect(await found('src_num=7002&dateTo=2026-01-01')).toEqual(['tool.2']);
      await sql(`delete from cdr_general where linkedid = 'tool.2'`);
      expect(await found('src_num=7002')).toEqual([]);
      expect(await found('idFrom=0&sort=id&dateTo=2026-01-01')).toEqual([]);
    });

    test('may omit values or write invalid times without harm', async () => {
      await sql(`insert into cdr_general (linkedid) values ('bare.1')`);
      await sql(
        `insert into cdr_general (linkedid, start, duration, src_num) values ('odd.1', 'now', null, null)`,
      );
      await sql(`insert into cdr_general (start, linkedid) values ('2026-02-31 99:00:00', null)`);
      expect((await get('/cdr/bare.1')).body.data).toMatchObject({
        start: '',
        src_num: '',
        totalDuration: 0,
      });
      expect((await get('/cdr/odd.1')).body.data).toMatchObject({ start: 'now', src_num: '' });
      expect((await get('/cdr?grouped=false&idFrom=0&sort=id&limit=1')).body.data.records[0]).toMatchObject({
        linkedid: '',
      });
      await sql(`delete from cdr_general where linkedid is null or linkedid in ('bare.1', 'odd.1')`);
    });

    test('may choose an id, which is not given out again', async () => {
      await sql(`insert into cdr_general (id, linkedid) values (5000, 'far.1')`);
      await insertLegs(held.stores, leg({ linkedid: 'far.2' }));
      expect((await get('/cdr/far.2')).body.data.records[0].id).toBe(5001);
    });

    test('may insert legs one by one: they form one call, positioned by its newest leg', async () => {
      for (const start of ['10:00:05', '10:00:00', '10:00:09'])
        await insertLegs(
          held.stores,
          leg({ linkedid: 'late.1', start: `2026-05-03 ${start}`, src_num: `66${start.slice(-2)}` }),
        );
      const { body } = await get('/cdr?linkedid=late.1');
      expect(body.data.records[0]).toMatchObject({
        start: '2026-05-03 10:00:00.000',
        src_num: '6600',
        totalDuration: 30,
      });
      expect(body.data.pagination.lastId).toBe(body.data.records[0].records[2].id);
      for (const number of ['6600', '6605', '6609'])
        expect(await found(`src_num=${number}`)).toEqual(['late.1']);
    });

    test('may delete the last leg, which deletes all data of the call', async () => {
      await sql(`delete from cdr_general`);
      for (const table of ['calls', 'call_numbers', 'call_providers'])
        expect(await sql(`select count(*) as n from ${table} having count(*) > 0`)).toEqual([]);
      expect((await get('/cdr?idFrom=0')).body.data.pagination.total).toBe(0);
    });
  });
});
