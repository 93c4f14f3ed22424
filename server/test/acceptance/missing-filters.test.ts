import { describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)(
  'contract 17.8: a network filter that does not exist is 400, on $name',
  ({ open }) => {
    const running = useApp(open);
    const { good, made, create, read, patch, put } = createEmployeeRig(running);
    const count = async () => (await running.asAdmin('GET', '/employees')).body.data.recordsTotal;
    const newFilter = async (): Promise<string> =>
      (await running.asAdmin('POST', '/firewall', { network: '10.0.0.0', subnet: 8 })).body.data.id;
    /** Its users stay bound to the deleted filter. */
    const removeBehindOurBack = (id: string) =>
      createOutsider(running.stores).sql(`delete from "m_NetworkFilters" where id = ${id}`);
    const trunk = (fields: object) => ({ description: 'Trunk', host: 'sip.example.org', ...fields });

    test('on employees, the field is named and nothing is stored', async () => {
      const before = await count();
      const refused = await create({ sip_networkfilterid: '4711' });
      expect(refused.status).toBe(400);
      expect(refused.body.messages.error).toEqual(['sip_networkfilterid: network filter 4711 not found']);
      expect(await count()).toBe(before);
      const record = await made();
      for (const answer of [
        await patch(record.id, { sip_networkfilterid: 4711 }),
        await put(record.id, { ...record, sip_networkfilterid: '4711' }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body.messages.error).toEqual([expect.stringMatching('^sip_networkfilterid: ')]);
      }
      expect(await read(record.id)).toEqual(record);
    });

    test('on providers, the field is named and nothing is stored', async () => {
      const path = '/sip-providers';
      const { data: record } = (await running.asAdmin('POST', path, trunk({}))).body;
      for (const [method, at, body] of [
        ['POST', path, trunk({ networkfilterid: 4711 })],
        ['PUT', `${path}/${record.id}`, trunk({ networkfilterid: '4711' })],
        ['PATCH', `${path}/${record.id}`, { networkfilterid: '04711' }],
      ] as const) {
        const { status, body: answer } = await running.asAdmin(method, at, body);
        expect(status).toBe(400);
        expect(answer.messages.error).toEqual(['networkfilterid: network filter 4711 not found']);
      }
      expect((await running.asAdmin('GET', path)).body.data).toHaveLength(1);
      expect((await running.asAdmin('GET', `${path}/${record.id}`)).body.data).toEqual(record);
    });

    test('a filter deleted directly in the database blocks only changes that send it', async () => {
      const filter = await newFilter();
      const employee = await made({ sip_networkfilterid: filter });
      const provider = (await running.asAdmin('POST', '/sip-providers', trunk({ networkfilterid: filter })))
        .body.data;
      await removeBehindOurBack(filter);
      const renamed = await patch(employee.id, { user_username: 'Renamed' });
      expect(renamed).toMatchObject({ status: 200, body: { data: { sip_networkfilterid: filter } } });
      const noted = await running.asAdmin('PATCH', `/sip-providers/${provider.id}`, { note: 'x' });
      expect(noted).toMatchObject({ status: 200, body: { data: { networkfilterid: filter } } });
      const warning = `networkfilterid: network filter ${filter} not found`;
      expect(noted.body.messages.warning).toEqual([warning]);
      // Sending it is refused, even unchanged.
      expect((await put(employee.id, await read(employee.id))).status).toBe(400);
      expect((await put(employee.id, { ...employee, sip_networkfilterid: 'none' })).status).toBe(200);
    });

    test('in a batch it is an error of its row', async () => {
      const before = await count();
      const employees = [good(), good({ sip_networkfilterid: 4711 }), good({ sip_networkfilterid: '4712' })];
      const batch = (more: object) =>
        running.asAdmin('POST', '/employees:batchCreate', { employees, ...more });
      const refused = await batch({});
      expect(refused.status).toBe(400);
      expect(refused.body.messages.error).toEqual([
        'employees[1].sip_networkfilterid: network filter 4711 not found',
        'employees[2].sip_networkfilterid: network filter 4712 not found',
      ]);
      expect(await count()).toBe(before);
      expect((await batch({ mode: 'validate' })).body.data).toMatchObject({ created: 0, failed: 2 });
      expect((await batch({ skip_errors: true })).body.data).toMatchObject({ created: 1, failed: 2 });
    });

    test('in a file it is an error of its row, even if the filter goes before the import is confirmed', async () => {
      const filter = await newFilter();
      const [one, two, known] = [good(), good(), await made()];
      const csv = [
        'number,user_username,sip_networkfilterid',
        `${one.number},One,4711`,
        `${two.number},Two,${filter}`,
        `${known.number},Known,4711`,
      ].join('\n');
      const preview = async (strategy: string) =>
        (await running.asAdmin('POST', '/employees:import', { csv, strategy })).body.data;
      const wrong = (id: string) => [`sip_networkfilterid: network filter ${id} not found`];
      expect((await preview('skip_duplicates')).rows).toMatchObject([
        { status: 'error', errors: wrong('4711') },
        { status: 'new' },
        { status: 'duplicate' },
      ]);
      const { upload_id, rows } = await preview('update_existing');
      expect(rows[2]).toMatchObject({ status: 'error', errors: wrong('4711') });
      await removeBehindOurBack(filter);
      const confirmed = await running.asAdmin('POST', '/employees:confirmImport', { upload_id });
      expect(confirmed.body.data).toEqual({
        total: 3,
        imported: 0,
        updated: 0,
        skipped: 0,
        failed: [
          { line: 2, errors: wrong('4711') },
          { line: 3, errors: wrong(filter) },
          { line: 4, errors: wrong('4711') },
        ],
      });
      expect(await read(known.id)).toEqual(known);
    });

    test('the id of a deleted filter is never reused', async () => {
      const ids: number[] = [];
      for (let i = 0; i < 3; i++) {
        const id = await newFilter();
        ids.push(Number(id));
        expect((await running.asAdmin('DELETE', `/firewall/${id}`)).status).toBe(200);
      }
      const [row] = await createOutsider(running.stores).sql(
        `insert into "m_NetworkFilters" (permit) values ('') returning id`,
      );
      ids.push(Number(row?.id));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    });
  },
);
