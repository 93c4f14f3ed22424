import { afterEach, describe, expect, test } from 'vitest';
import { SECRET_MASK } from '../../src/http/fields.ts';
import { createOutsider } from '../outsider.ts';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 17.12: changes of employees can be followed on $name', ({ open }) => {
  const running = useApp(open);
  const { good, made, read, patch, put, clear } = createEmployeeRig(running);
  afterEach(clear);
  const list = async (query: string) => (await running.asAdmin('GET', `/employees?${query}`)).body;
  const numbers = async (query: string): Promise<string[]> =>
    (await list(query)).data.data.map(({ number }: { number: string }) => number).sort();
  const later = (seconds: number) => running.app.advance(seconds * 1000);

  test('updatedSince lists employees changed since then, and writes never change created_at', async () => {
    const first = await made();
    await later(60);
    const second = await made();
    expect(Date.parse(second.created_at) - Date.parse(first.created_at)).toBe(60_000);
    expect(await numbers(`updatedSince=${encodeURIComponent(first.updated_at)}`)).toEqual([
      first.number,
      second.number,
    ]);
    // An unencoded plus, another time zone, and the exchange's wall clock time.
    const zulu = new Date(second.updated_at).toISOString();
    for (const since of [second.updated_at, zulu, second.updated_at.slice(0, 19)])
      expect(await numbers(`updatedSince=${since}`)).toEqual([second.number]);
    await later(60);
    expect((await patch(first.id, { user_username: 'Other' })).body.data.created_at).toBe(first.created_at);
    const changed = await read(first.id);
    expect(Date.parse(changed.updated_at) - Date.parse(first.created_at)).toBe(120_000);
    expect(await numbers(`updatedSince=${changed.updated_at}`)).toEqual([first.number]);
    await later(60);
    const sent = { ...changed, created_at: '2000-01-01', updated_at: '' };
    const { body } = await put(first.id, sent);
    expect(body.messages.warning).toEqual([]);
    expect(body.data.created_at).toBe(first.created_at);
    expect(await numbers(`updatedSince=${body.data.updated_at}&search=nobody`)).toEqual([]);
    expect((await running.asAdmin('GET', '/employees?updatedSince=yesterday')).status).toBe(400);
    const { recordsTotal, recordsFiltered } = (await list(`updatedSince=${body.data.updated_at}`)).data;
    expect([recordsTotal, recordsFiltered]).toEqual([2, 1]);
  });

  test('a clock that was set back hides no change', async () => {
    const before = await made();
    await createOutsider(running.stores).sql('update employee_changes set changed_at = changed_at + 3600000');
    const ahead = await made();
    expect(Date.parse(ahead.updated_at) - Date.parse(before.updated_at)).toBe(3_600_000);
    const after = await made();
    expect(await numbers(`updatedSince=${ahead.updated_at}`)).toEqual([ahead.number, after.number]);
  });

  test('fields=full shows everything but the secret to any reader', async () => {
    const one = await made({ mobile_number: '+4930123', sip_manualattributes: 'a=b' });
    const key = await running.keyFor({ '/api/v3/employees': 'read' });
    const { body } = await running.call('GET', '/employees?fields=full', { key });
    const { sip_secret: _, ...shown } = one;
    expect(body.data.data).toEqual([{ ...shown, mobile: '+4930123', avatar: '', disabled: false }]);
    expect((await running.asAdmin('GET', '/employees?fields=all')).status).toBe(400);
    expect(await numbers('fields=full&search=nobody')).toEqual([]);
  });

  test('deleted employees can be followed, even if one step deleted several', async () => {
    const people = [await made(), await made(), await made(), await made()];
    const since = async (cursor: number, limit = 2) =>
      (await list(`deletedSince=${cursor}&limit=${limit}`)).data.deleted;
    let { cursor } = await since(0, 1000);
    expect(await since(cursor)).toEqual({ ids: [], cursor, hasMore: false });
    await running.asAdmin('DELETE', `/employees/${people[0].id}`);
    const ids = people.slice(1).map(({ id }) => id);
    await running.asAdmin('POST', '/employees:batchDelete', { ids });
    const told: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await since(cursor);
      told.push(...page.ids);
      ({ cursor, hasMore } = page);
    }
    expect(told).toEqual(people.map(({ id }) => id));
    expect((await running.asAdmin('GET', '/employees?deletedSince=-1')).status).toBe(400);
  });

  test('a request for forgotten deletions gets a warning', async () => {
    await createOutsider(running.stores).sql('update employee_changes set forgotten = 2');
    expect((await list('deletedSince=1')).messages.warning).toHaveLength(1);
    for (const cursor of [0, 2]) expect((await list(`deletedSince=${cursor}`)).messages.warning).toEqual([]);
  });

  describe('batchUpdate', () => {
    const update = (employees: unknown, more: object = {}) =>
      running.asAdmin('POST', '/employees:batchUpdate', { employees, ...more });

    test('changes only what is sent, for up to 100', async () => {
      const people = await Promise.all(
        Array.from({ length: 3 }, () => made({ user_email: 'a@example.org' })),
      );
      const sent = people.map(({ id }, i) => ({ id: i === 0 ? Number(id) : id, user_username: `New ${i}` }));
      const { status, body } = await update(sent);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ total: 3, updated: 3, failed: 0 });
      expect(body.data.results[1]).toEqual({
        index: 1,
        number: people[1].number,
        ok: true,
        id: people[1].id,
        errors: [],
      });
      expect(await read(people[2].id)).toMatchObject({
        user_username: 'New 2',
        user_email: 'a@example.org',
        sip_secret: 'correct-horse',
      });
      for (const employees of [[], Array(101).fill({}), 'x'])
        expect((await update(employees)).body.messages.error).toEqual([
          expect.stringMatching(/^employees: /),
        ]);
    });

    test('employees may take over numbers from each other, in the order of the list', async () => {
      const [one, two] = [await made(), await made()];
      const free = good().number;
      const swap = [
        { id: one.id, number: free },
        { id: two.id, number: one.number },
        { id: one.id, number: two.number },
      ];
      expect((await update(swap)).body.data).toMatchObject({ updated: 3, failed: 0 });
      expect([(await read(one.id)).number, (await read(two.id)).number]).toEqual([two.number, one.number]);
      expect((await update([{ id: one.id, number: one.number }])).status).toBe(409);
    });

    test('a bad row stores nothing, unless errors are skipped', async () => {
      const [one, two] = [await made(), await made()];
      const rows = [
        { id: one.id, user_username: 'Good' },
        { id: two.id, number: one.number },
        { id: '999999', user_username: 'Nobody' },
        { id: two.id, sip_transport: 'pigeon' },
        { user_username: 'No id' },
        { id: two.id, fwd_forwarding: two.number },
      ];
      const refused = await update(rows);
      expect(refused.status).toBe(409);
      expect(refused.body.messages.error).toHaveLength(5);
      expect(refused.body.messages.error[1]).toBe('employees[2].id: employee 999999 not found');
      expect((await update(rows.slice(2, 3))).status).toBe(404);
      expect((await update(rows.slice(3, 4))).status).toBe(400);
      expect((await update(rows.slice(5))).status).toBe(422);
      expect(await read(one.id)).toEqual(one);
      const { body } = await update(rows, { skip_errors: true });
      expect(body.data).toMatchObject({ total: 6, updated: 1, failed: 5 });
      expect((await read(one.id)).user_username).toBe('Good');
    });
  });

  describe('batchDelete', () => {
    const remove = (ids: unknown, more: object = {}) =>
      running.asAdmin('POST', '/employees:batchDelete', { ids, ...more });

    test('deletes all or nothing, unless errors are skipped, and names who forwards to a deleted number', async () => {
      const [one, two] = [await made(), await made()];
      const three = await made({ fwd_forwarding: one.number });
      const refused = await remove([one.id, '999999', one.id]);
      expect([refused.status, refused.body.messages.error]).toEqual([
        404,
        ['ids[1].id: employee 999999 not found', `ids[2].id: employee ${one.id} not found`],
      ]);
      const { body } = await remove([one.id, '999999', Number(two.id), 'x'], { skip_errors: true });
      expect(body.data).toMatchObject({ total: 4, deleted: 2, failed: 2 });
      expect(body.messages.warning).toEqual([expect.stringContaining(three.number)]);
      expect(await numbers('')).toEqual([three.number]);
      expect((await remove(Array(101).fill('1'))).status).toBe(400);
    });
  });

  describe('batchCreate with mode upsert', () => {
    const upsert = (employees: unknown, more: object = {}) =>
      running.asAdmin('POST', '/employees:batchCreate', { employees, mode: 'upsert', ...more });

    test('changes the employee with the number and creates missing employees, up to 100', async () => {
      const known = await made({ user_email: 'a@example.org' });
      const fresh = Array.from({ length: 98 }, () => good());
      const { status, body } = await upsert([{ number: known.number, user_username: 'Changed' }, ...fresh]);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ total: 99, created: 98, updated: 1, failed: 0 });
      expect(body.data.results[0]).toMatchObject({ id: known.id, ok: true });
      expect(await read(known.id)).toMatchObject({ user_username: 'Changed', user_email: 'a@example.org' });
      expect((await read(body.data.results[98].id)).number).toBe(fresh[97]?.number);
      expect((await upsert(Array.from({ length: 101 }, () => good()))).status).toBe(400);
    });

    test('requires for a new employee all that a create needs, and each number only once', async () => {
      const known = await made();
      const double = good();
      const rows = [
        { number: known.number },
        { number: good().number },
        double,
        double,
        { user_username: 'x' },
      ];
      expect((await upsert(rows)).status).toBe(400);
      const { body } = await upsert(rows, { skip_errors: true });
      expect(body.data.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([
        true,
        false,
        true,
        false,
        false,
      ]);
      expect(body.data.results[3].errors).toEqual(['number: already taken']);
      expect(body.data).toMatchObject({ created: 1, updated: 1, failed: 3 });
    });
  });

  test('GET :export needs only the level read, but shows secrets only with write', async () => {
    const one = await made({ number: '31001' });
    await made({ number: '31002' });
    const key = await running.keyFor({ '/api/v3/employees': 'read' });
    const read = await running.call('GET', '/employees:export?format=full&number_to=31001', { key });
    expect(read.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(read.text.split('\r\n')).toHaveLength(3);
    expect(read.text).toContain(SECRET_MASK);
    expect(read.text).not.toContain(one.sip_secret);
    expect((await running.asAdmin('GET', '/employees:export?format=full')).text).toContain(one.sip_secret);
    expect((await running.call('POST', '/employees:export', { key, body: {} })).status).toBe(403);
    expect((await running.call('GET', '/employees:export?format=xml', { key })).status).toBe(400);
    const other = await running.keyFor({ '/api/v3/cdr': 'write' });
    expect((await running.call('GET', '/employees:export', { key: other })).status).toBe(403);
  });

  test.each([
    ['\ufeffsep=;\r\n', ';'],
    ['SEP=,\n', ','],
    ['sep=\t\r', '\t'],
  ])('a file that begins with %j is read', async (line, delimiter) => {
    const row = (...cells: string[]) => `${cells.join(delimiter)}\r\n`;
    const csv = line + row('number', 'user_username') + row('32001', 'A') + row('1', 'B');
    const { body } = await running.asAdmin('POST', '/employees:import', { csv });
    expect(body.data).toMatchObject({ total: 2, toCreate: 1, toFail: 1 });
    expect(body.data.rows[1].line).toBe(4);
  });
});
