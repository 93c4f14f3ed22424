import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 20.2: no mobile is a colleague’s number, on $name', ({ open }) => {
  const { asAdmin } = useApp(open);
  const person = (number: string, mobile_number = '') => ({
    number,
    mobile_number,
    user_username: `Person ${number}`,
    sip_secret: 'long enough',
  });
  const batch = (employees: object[], more: object = {}) =>
    asAdmin('POST', '/employees:batchCreate', { employees, ...more });
  const made = async (number: string, mobile = ''): Promise<string> =>
    (await asAdmin('POST', '/employees', person(number, mobile))).body.data.id;

  const ROWS: [string, object[], string][] = [
    [
      'the mobile comes first',
      [person('401', '402'), person('402')],
      'number: already taken by Person 401 <402>',
    ],
    [
      'the number comes first',
      [person('402'), person('401', '+402')],
      'mobile_number: already taken by Person 402 <402>',
    ],
  ];
  const MODES = ['create', 'upsert'];
  test.each(MODES.flatMap((mode) => ROWS.map((row) => [mode, ...row] as const)))(
    'rows of a batch with mode %s are checked against earlier rows: %s',
    async (mode, _, rows, reason) => {
      const { status, body } = await batch(rows, { mode });
      expect([status, body.messages.error]).toEqual([409, [`employees[1].${reason}`]]);
      const validated = await batch(rows, { mode: 'validate' });
      expect(validated.body.data.results[1].errors).toEqual([reason]);
    },
  );

  test.each(ROWS)('rows of a file are checked against earlier rows: %s', async (_, rows, reason) => {
    const lines = (rows as ReturnType<typeof person>[]).map(
      (row) => `${row.number},Anna,${row.mobile_number}`,
    );
    const csv = `number,user_username,mobile_number\n${lines.join('\n')}\n`;
    const seen = await asAdmin('POST', '/employees:import', { csv });
    const errors = [reason.replace(/Person \d+/, 'Anna')];
    expect(seen.body.data.rows[1]).toMatchObject({ status: 'error', errors });
    const { upload_id } = seen.body.data;
    const done = await asAdmin('POST', '/employees:confirmImport', { upload_id });
    expect(done.body.data).toMatchObject({ imported: 1, failed: [{ errors }] });
    await clear();
  });

  test('a row cannot take as mobile the number that an earlier row took, nor the other way round', async () => {
    const [one, other] = [await made('411'), await made('412')];
    const change = (...employees: object[]) => asAdmin('POST', '/employees:batchUpdate', { employees });
    const mobileFirst = await change({ id: one, mobile_number: '413' }, { id: other, number: '413' });
    expect([mobileFirst.status, mobileFirst.body.messages.error]).toEqual([
      409,
      ['employees[1].number: already taken by Person 411 <413>'],
    ]);
    const numberFirst = await change({ id: other, number: '413' }, { id: one, mobile_number: '+413' });
    expect([numberFirst.status, numberFirst.body.messages.error]).toEqual([
      409,
      ['employees[1].mobile_number: already taken by Person 412 <413>'],
    ]);
    await clear();
  });

  test('a row may take as number the mobile that an earlier row gave up, unless a colleague has it too', async () => {
    const [one, other] = [await made('421', '431'), await made('422', '+431')];
    const [third, fourth] = [await made('423'), await made('424')];
    const change = (...employees: object[]) => asAdmin('POST', '/employees:batchUpdate', { employees });
    const gaveUp = { id: one, mobile_number: '' };
    const refused = await change(gaveUp, { id: third, number: '431' });
    expect([refused.status, refused.body.messages.error]).toEqual([
      409,
      ['employees[1].number: already taken by Person 422 <+431>'],
    ]);
    const all = await change(gaveUp, { id: other, mobile_number: '+49170' }, { id: fourth, number: '431' });
    expect(all.status, all.text).toBe(200);
    await clear();
  });

  test('an employee cannot take the own mobile as number while a colleague has it too', async () => {
    const [one] = [await made('425', '435'), await made('426', '435')];
    const { status, body } = await asAdmin('PATCH', `/employees/${one}`, {
      number: '435',
      mobile_number: '',
    });
    expect([status, body.messages.error]).toEqual([409, ['number: already taken by Person 426 <435>']]);
    await clear();
  });

  async function clear(): Promise<void> {
    const { data } = (await asAdmin('GET', '/employees')).body.data;
    const ids = data.map(({ id }: { id: string }) => id);
    expect((await asAdmin('POST', '/employees:batchDelete', { ids })).status).toBe(200);
  }
});
