import { afterEach, describe, expect, test } from 'vitest';
import { createEmployeeRig } from './employee-rig.ts';
import { useApp } from './use-app.ts';

describe('contract 3: what different callers see of employees', () => {
  const running = useApp();
  const { made, good, clear, create, patch } = createEmployeeRig(running);
  afterEach(clear);
  const PATH = '/api/v3/employees';

  test('a reader sees the mask, a writer sees the secret, and lists have no secret', async () => {
    const { id } = await made();
    const reader = await running.keyFor({ [PATH]: 'read' });
    const writer = await running.keyFor({ [PATH]: 'write' });
    const seen = async (key: string) =>
      (await running.call('GET', `/employees/${id}`, { key })).body.data.sip_secret;
    expect(await seen(reader)).toBe('XXXXXXXX');
    expect(await seen(writer)).toBe('correct-horse');
    const fresh = await running.call('GET', '/employees:getDefault', { key: reader });
    expect(fresh.body.data.sip_secret).toBe('XXXXXXXX');
    const created = await running.call('POST', '/employees', { key: writer, body: good() });
    expect(created.body.data.sip_secret).toBe('correct-horse');
    for (const key of [reader, writer]) {
      const list = await running.call('GET', '/employees?search=Anna', { key });
      expect(list.text).not.toContain('correct-horse');
      expect(list.text).not.toContain('secret');
    }
  });

  test('a reader may change nothing', async () => {
    const { id } = await made();
    const key = await running.keyFor({ [PATH]: 'read' });
    for (const [method, path] of [
      ['POST', '/employees'],
      ['PUT', `/employees/${id}`],
      ['PATCH', `/employees/${id}`],
      ['DELETE', `/employees/${id}`],
      ['POST', '/employees:export'],
      ['POST', '/employees:import'],
      ['POST', '/employees:batchCreate'],
    ] as const) {
      expect(await running.call(method, path, { key, body: {} }), path).toMatchObject({ status: 403 });
    }
  });

  test('the mask is 400 on create', async () => {
    expect(await create({ sip_secret: 'XXXXXXXX' })).toMatchObject({ status: 400 });
  });

  test.each([
    [{ sip_secret: '1234567' }, 'sip_secret'],
    [{ number: '29999999', sip_secret: '29999999' }, 'sip_secret'],
    [{ user_avatar: 'data:image/png;base64,AAAA' }, 'user_avatar'],
  ])('%j is stored with a warning', async (fields, name) => {
    const { status, body } = await create(fields);
    expect(status).toBe(201);
    expect(body.messages.warning).toEqual([expect.stringMatching(`^${name}: `)]);
  });

  test('a good secret, an own mobile number and no filter give no warning', async () => {
    const { body } = await create({ mobile_number: '+491701' });
    expect(body.messages.warning).toEqual([]);
    const same = await patch(body.data.id, { mobile_number: '491701' });
    expect(same.body.messages.warning).toEqual([]);
  });

  test('a warning names the colleague who has the same mobile number, however it is spelled', async () => {
    const { number } = await made({ mobile_number: '+491702', user_username: 'Bob' });
    const { body } = await create({ mobile_number: '491702' });
    expect(body.messages.warning).toEqual([`mobile_number: also that of ${number} Bob`]);
  });

  test('a network filter is shown by its label and cannot be deleted while an employee uses it', async () => {
    const filter = await running.asAdmin('POST', '/firewall', {
      network: '10.0.0.0',
      subnet: 8,
      description: 'Office',
    });
    const { id } = filter.body.data;
    const employee = await made({ sip_networkfilterid: Number(id) });
    expect(employee).toMatchObject({
      sip_networkfilterid: id,
      sip_networkfilterid_represent: 'Office (10.0.0.0/8)',
    });
    const refused = await running.asAdmin('DELETE', `/firewall/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.messages.error[0]).toContain(`employee ${employee.number}`);
    await patch(employee.id, { sip_networkfilterid: '' });
    expect(await running.asAdmin('DELETE', `/firewall/${id}`)).toMatchObject({ status: 200 });
  });

  test('fail2ban shows the number of employees', async () => {
    await made();
    await made();
    expect((await running.asAdmin('GET', '/fail2ban')).body.data.extensionsCount).toBe(2);
  });

  describe('getDefault', () => {
    const defaults = async () => (await running.asAdmin('GET', '/employees:getDefault')).body.data;

    test('without employees it begins at 200, and stores nothing', async () => {
      const record = await defaults();
      expect(record).toMatchObject({ id: '', number: '200', user_username: '', fwd_ringlength: 45 });
      expect(record.sip_secret).toMatch(/^[A-Za-z0-9]{20}$/);
      expect((await defaults()).sip_secret).not.toBe(record.sip_secret);
      expect((await running.asAdmin('GET', '/employees')).body.data.recordsTotal).toBe(0);
    });

    test('it fills the first gap above the lowest number of that length', async () => {
      for (const number of ['101', '102', '104', '20', '2000']) await made({ number });
      expect((await defaults()).number).toBe('103');
    });
  });
});

describe('contract 3.1: another length of internal numbers', () => {
  const running = useApp(undefined, { PBXCORE_EXTENSION_LENGTH: '4' });

  test('is returned and used for the next number', async () => {
    const { body } = await running.asAdmin('GET', '/employees:getDefault');
    expect(body.data).toMatchObject({ number: '2000', extensions_length: 4 });
  });
});
