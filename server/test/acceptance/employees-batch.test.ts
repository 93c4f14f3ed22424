import { afterEach, describe, expect, test } from 'vitest';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 3.5: batchCreate on $name', ({ open }) => {
  const running = useApp(open);
  const { good, made, clear } = createEmployeeRig(running);
  afterEach(clear);
  const batch = (employees: unknown, more: object = {}) =>
    running.asAdmin('POST', '/employees:batchCreate', { employees, ...more });
  const count = async () => (await running.asAdmin('GET', '/employees')).body.data.recordsTotal;

  test('creates up to 20 in one step', async () => {
    const employees = Array.from({ length: 20 }, () => good());
    const { status, body } = await batch(employees);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ total: 20, created: 20, failed: 0 });
    for (const [index, result] of body.data.results.entries()) {
      expect(result).toEqual({
        index,
        number: employees[index]?.number,
        ok: true,
        id: expect.stringMatching(/^\d+$/),
        errors: [],
      });
      const { data } = (await running.asAdmin('GET', `/employees/${result.id}`)).body;
      expect(data.number).toBe(result.number);
    }
  });

  test.each([[[]], [Array(21).fill({})], ['x'], [{}], [undefined]])(
    'employees %j is 400',
    async (employees) => {
      const { status, body } = await batch(employees);
      expect(status).toBe(400);
      expect(body.messages.error).toEqual([expect.stringMatching(/^employees: /)]);
    },
  );

  test('validate stores nothing and lists what would fail', async () => {
    const taken = await made();
    const rows = [
      good(),
      good({ number: taken.number }),
      good({ number: '1' }),
      'x',
      good({ fwd_ringlength: 181 }),
    ];
    const { status, body } = await batch(rows, { mode: 'validate' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ total: 5, created: 0, failed: 4 });
    expect(body.data.results.map(({ ok, id }: { ok: boolean; id: string }) => [ok, id])).toEqual([
      [true, ''],
      [false, ''],
      [false, ''],
      [false, ''],
      [false, ''],
    ]);
    expect(body.data.results[1].errors).toEqual([
      expect.stringMatching(/^number: already taken by Anna Example <\d+>$/),
    ]);
    expect(body.data.results[4].errors).toEqual(['fwd_ringlength: must be 0..180 (got 181)']);
    expect(await count()).toBe(1);
  });

  test.each([
    ['a bad field', { number: 'x' }, 400, 'number: must be 2..8 digits'],
    ['a used number', { number: '555' }, 409, 'number: already taken'],
    ['a broken rule', { fwd_forwarding: '1', fwd_ringlength: 1 }, 422, 'fwd_ringlength: must be 3-180'],
  ])('%s stores nothing and gives its status and prefixed errors', async (_, fields, expected, text) => {
    await made({ number: '555' });
    const { status, body } = await batch([good(), good(fields), good({ user_email: 'nobody' })]);
    expect(status).toBe(expected);
    expect(body.messages.error[0]).toContain(`employees[1].${text}`);
    expect(body.messages.error[1]).toContain('employees[2].user_email: ');
    expect(await count()).toBe(1);
  });

  test('a number twice in a batch is a conflict', async () => {
    const { status, body } = await batch([good({ number: '777' }), good({ number: '777' })]);
    expect(status).toBe(409);
    expect(body.messages.error).toEqual(['employees[1].number: already taken by Anna Example <777>']);
  });

  test('skip_errors stores the good ones', async () => {
    const rows = [good({ number: 'x' }), good({ number: '777' }), good({ number: '777' })];
    const { status, body } = await batch(rows, { skip_errors: true });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ total: 3, created: 1, failed: 2 });
    expect(body.data.results[1]).toMatchObject({ ok: true, number: '777' });
    expect(await count()).toBe(1);
  });

  test('warnings name their row', async () => {
    const { body } = await batch([good(), good({ sip_secret: 'short', colour: 'red' })]);
    expect(body.messages.warning).toEqual([
      'employees[1].colour: unknown field, ignored',
      'employees[1].sip_secret: has fewer than 8 characters',
    ]);
  });
});
