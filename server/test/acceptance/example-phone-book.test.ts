import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { incomingLeg, useExample } from './example-rig.ts';
import { availablePairs } from './use-app.ts';

describe.each(availablePairs)('the phone book, on $name', ({ open }) => {
  // A busy machine may need longer than the default wait for a caller's name.
  const { held, engine, call } = useExample('phone-book', 'PhoneBook', open, undefined, { nameMs: 20_000 });

  test('contacts are created, read, changed, replaced and deleted', async () => {
    const created = await call('POST', '/contacts', { body: { name: 'Ada', number: '030 / 111 22 33' } });
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject({
      success: true,
      result: true,
      data: { name: 'Ada', number: '+49301112233', company: '', note: '' },
    });
    const at = `/contacts/${created.body.data.id}`;
    expect((await call('PATCH', at, { body: { company: 'Engines' } })).body.data).toMatchObject({
      name: 'Ada',
      company: 'Engines',
    });
    const put = await call('PUT', at, { body: { name: 'Ada L', number: '+49 30 111 22 33' } });
    expect(put.body.data).toMatchObject({ name: 'Ada L', number: '+49301112233', company: null });
    expect((await call('PUT', at, { body: { name: 'Ada' } })).status).toBe(422);
    expect((await call('POST', '/contacts', { body: { name: 'Eve', number: '0049301112233' } })).status).toBe(
      409,
    );
    expect((await call('POST', '/contacts', { body: { name: 'Eve', number: 'soon' } })).status).toBe(422);
    expect((await call('DELETE', at)).status).toBe(200);
    expect((await call('GET', at)).status).toBe(404);
  });

  test('a file is imported as CSV or inside JSON, searched page by page, and exported', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `Person ${i},030 2000${i + 100},Acme`);
    const csv = ['name,number,company', ...rows, 'Nobody,none,'].join('\n');
    const imported = await call('POST', '/contacts:import', {
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
    expect(imported.status, imported.text).toBe(200);
    expect(imported.body.data).toMatchObject({ created: 30, updated: 0, errors: [{ line: 32 }] });
    const again = await call('POST', '/contacts:import', { body: { csv } });
    expect(again.body.data).toMatchObject({ created: 0, updated: 30 });

    const page = await call('GET', '/contacts?search=acme&limit=10&offset=25');
    expect(page.body.data).toHaveLength(5);
    expect(page.body.pagination).toEqual({ total: 30, limit: 10, offset: 25, hasMore: false });
    const exported = await call('GET', '/contacts:export');
    expect(exported.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(exported.headers.get('content-disposition')).toContain('phone-book.csv');
    expect(exported.text).toContain('Person 7,+49302000107,Acme,');
  });

  test('an outside caller is shown by name on the screen, among the active calls and in the record', async () => {
    await call('POST', '/contacts', { body: { name: 'Grace', number: '040 999 8888', company: 'Cobol' } });
    const found = await call('GET', '/contacts:lookup?number=0049409998888');
    expect(found.body.data.name).toBe('Grace');
    expect((await call('GET', '/contacts:lookup?number=0800111')).status).toBe(404);
    expect((await call('GET', '/contacts:lookup')).status).toBe(422);

    const startedAt = held.app.now();
    engine.startLeg(incomingLeg('in-1', '+49409998888', startedAt));
    await eventually(async () =>
      expect((await call('GET', '/incoming')).body.data[0]).toMatchObject({
        linkedid: 'in-1',
        name: 'Grace, Cobol',
        state: 'ringing',
      }),
    );
    await eventually(async () =>
      expect((await held.asAdmin('GET', '/pbx-status:getActiveCalls')).body.data[0]).toMatchObject({
        src_num: '+49409998888',
        src_name: 'Grace, Cobol',
      }),
    );
    engine.endLeg('in-1', { endedAt: startedAt + 20_000 });
    engine.endCall('in-1');
    await eventually(async () =>
      expect((await call('GET', '/incoming')).body.data[0]).toMatchObject({ state: 'missed' }),
    );
    await eventually(async () =>
      expect((await held.asAdmin('GET', '/cdr?linkedid=in-1')).body.data.records[0]).toMatchObject({
        src_name: 'Grace, Cobol',
      }),
    );
  });

  test('a key needs the right to the resource itself', async () => {
    const path = '/api/v3/module-phone-book/contacts';
    const key = await held.keyFor({ [path]: 'read' });
    expect((await held.call('GET', '/module-phone-book/contacts', { key })).status).toBe(200);
    const body = { name: 'X', number: '1' };
    expect((await held.call('POST', '/module-phone-book/contacts', { key, body })).status).toBe(403);
    expect((await held.call('GET', '/module-phone-book/incoming', { key })).status).toBe(403);
    expect((await held.call('GET', '/module-phone-book/contacts')).status).toBe(401);
  });

  test('contacts survive a restart and disabling the module', async () => {
    await call('POST', '/contacts', { body: { name: 'Keep', number: '0301234567' } });
    await held.asAdmin('POST', '/modules/PhoneBook:disable');
    expect((await call('GET', '/contacts')).status).toBe(404);
    await held.asAdmin('POST', '/modules/PhoneBook:enable');
    await held.app.restart();
    // The service does not wait long for a starting module.
    await eventually(async () =>
      expect((await call('GET', '/contacts?search=Keep')).body.data).toHaveLength(1),
    );
  });
});
