import { describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const W6 = 'must be a number of 1..20 digits, or one of hangup, busy, did2user, voicemail';
const FORWARDS = ['fwd_forwarding', 'fwd_forwardingonbusy', 'fwd_forwardingonunavailable'];
const RESERVED = ['112', '911', '280'];

describe.each(availablePairs)('contract 21: forwards of employees are targets, on $name', ({ open }) => {
  const running = useApp(open, { PBXCORE_FEATURE_CODES: 'night=280' });
  const { asAdmin } = running;
  const { create, good, made, nextNumber, patch, put, read } = createEmployeeRig(running);

  const cases = FORWARDS.flatMap((field) => RESERVED.map((number): [string, string] => [field, number]));

  test.each(cases)('21.1: %s takes no emergency number or feature code, %s', async (field, number) => {
    const refused = { status: 400, body: { messages: { error: [`${field}: ${W6}`] } } };
    const fields = { [field]: number };
    expect(await create(fields)).toMatchObject(refused);
    const { id, number: own } = await made();
    expect(await patch(id, fields)).toMatchObject(refused);
    expect(await put(id, { number: own, user_username: 'Anna', ...fields })).toMatchObject(refused);
    for (const mode of ['create', 'upsert', 'validate']) {
      const sent = { mode, skip_errors: true, employees: [good(fields), { ...good(fields), number: own }] };
      const { body } = await asAdmin('POST', '/employees:batchCreate', sent);
      expect(body.data.results.map(({ errors }: { errors: string[] }) => errors)).toEqual([
        [`${field}: ${W6}`],
        expect.arrayContaining([mode === 'upsert' ? `${field}: ${W6}` : expect.any(String)]),
      ]);
    }
    const { status, body } = await asAdmin('POST', '/employees:batchUpdate', {
      employees: [{ id, ...fields }],
    });
    expect([status, body.messages.error]).toEqual([400, [`employees[0].${field}: ${W6}`]]);
    expect((await read(id))[field]).toBe('');
  });

  test('21.1: a file cannot import such a number', async () => {
    const { number } = await made();
    const rows = [`${number},Anna,112`, `${nextNumber()},Boris,280`];
    const csv = `number,user_username,fwd_forwardingonbusy\n${rows.join('\n')}\n`;
    const errors = [[`fwd_forwardingonbusy: ${W6}`], [`fwd_forwardingonbusy: ${W6}`]];
    const seen = await asAdmin('POST', '/employees:import', { csv, strategy: 'update_existing' });
    expect(seen.body.data.rows.map((row: { errors: string[] }) => row.errors)).toEqual(errors);
    const { upload_id } = seen.body.data;
    const done = await asAdmin('POST', '/employees:confirmImport', { upload_id });
    expect(done.body.data).toMatchObject({ imported: 0, updated: 0, failed: [{}, {}] });
  });

  test('a stored forward to such a number stays while other fields are changed', async () => {
    const { id, number } = await made();
    await createOutsider(running.stores).sql(
      `update employees set fwd_forwardingonbusy = '112' where number = '${number}'`,
    );
    expect((await patch(id, { user_username: 'Bea' })).status).toBe(200);
    const whole = { number, user_username: 'Cleo', fwd_forwardingonbusy: '112' };
    expect((await put(id, whole)).status).toBe(200);
    expect(await patch(id, { fwd_forwarding: '112' })).toMatchObject({ status: 400 });
    expect(await read(id)).toMatchObject({ user_username: 'Cleo', fwd_forwardingonbusy: '112' });
  });

  const OUTSIDE = "299 is nobody's number here, it would be dialled outside";
  const NO_BOX = 'there are no mailboxes yet, voicemail ends the call';
  const warned = async (method: string, path: string, body: object): Promise<string[]> => {
    const answer = await asAdmin(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.messages.warning ?? [];
  };

  test('a forward that leads outside or to a mailbox is stored with a warning, however it is sent', async () => {
    const fields = { fwd_forwardingonbusy: '299', fwd_forwardingonunavailable: 'voicemail' };
    const told = [`fwd_forwardingonbusy: ${OUTSIDE}`, `fwd_forwardingonunavailable: ${NO_BOX}`];
    const inBatch = told.map((text) => `employees[0].${text}`);
    expect(await warned('POST', '/employees', good(fields))).toEqual(told);
    const { id, number } = await made();
    expect(await warned('PATCH', `/employees/${id}`, fields)).toEqual(told);
    expect(await warned('PATCH', `/employees/${id}`, { user_username: 'Bea' })).toEqual([]);
    const whole = { number, user_username: 'Anna', ...fields };
    expect(await warned('PUT', `/employees/${id}`, whole)).toEqual(told);
    for (const mode of ['validate', 'create', 'upsert'])
      expect(await warned('POST', '/employees:batchCreate', { mode, employees: [good(fields)] })).toEqual(
        inBatch,
      );
    expect(await warned('POST', '/employees:batchUpdate', { employees: [{ id, ...fields }] })).toEqual(
      inBatch,
    );
    const csv = `number,user_username,fwd_forwardingonbusy,fwd_forwardingonunavailable\n${nextNumber()},Anna,299,voicemail\n`;
    const seen = await asAdmin('POST', '/employees:import', { csv });
    const ofFile = told.map((text) => `line 2: ${text}`);
    expect(seen.body.messages.warning).toEqual(ofFile);
    const { upload_id } = seen.body.data;
    expect(await warned('POST', '/employees:confirmImport', { upload_id })).toEqual(ofFile);
  });

  test('forwards to colleagues, mobiles, numbers of the same batch and longer numbers cause no warning', async () => {
    const { number } = await made({ mobile_number: '+4917012' });
    for (const target of [number, '4917012', '+299', '030123456789', 'hangup', 'busy', 'did2user', ''])
      expect([target, ...(await warned('POST', '/employees', good({ fwd_forwarding: target })))]).toEqual([
        target,
      ]);
    const [one, two] = [good(), good()];
    const pair = [{ ...one, fwd_forwardingonbusy: two.number }, two];
    for (const mode of ['validate', 'create'])
      expect(await warned('POST', '/employees:batchCreate', { mode, employees: pair })).toEqual([]);
  });
});
