import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('extensions on $name', ({ open }) => {
  const held = useApp(open);
  const get = (path: string) => held.asAdmin('GET', path);
  const available = (number: unknown) => held.asAdmin('POST', '/extensions:available', { number });

  const codes = ['*28', '*45', '*46'];
  const people = async (query = '') =>
    (await get(`/extensions${query}`)).body.data.filter(({ type }: { type: string }) => type !== 'FEATURE');

  test('without employees only feature codes are listed, and every other number is free', async () => {
    const { data } = (await get('/extensions')).body;
    expect(data).toMatchObject(codes.map((number) => ({ number, type: 'FEATURE', recordId: '' })));
    expect((await available('201')).body.data).toEqual({ available: true });
  });

  test('contract 20.4: an emergency number is not free, and the answer says why', async () => {
    expect((await available('112')).body.data).toEqual({
      available: false,
      represent: 'Emergency number <112>',
      type: 'FEATURE',
      recordId: '',
      reason: 'emergency',
    });
  });

  test('phones and mobiles are listed by number, each number once', async () => {
    const employees = [
      { number: '202', user_username: 'Ben', mobile_number: '+491701234567' },
      { number: '201', user_username: 'Ann <b>', mobile_number: '' },
      { number: '1000', user_username: 'Cy', mobile_number: '+491701234567' },
    ];
    for (const person of employees) {
      const created = await held.asAdmin('POST', '/employees', { ...person, sip_secret: 'long enough' });
      expect(created.status).toBe(201);
    }
    const recordId = expect.stringMatching(/^\d+$/);
    expect(await people()).toEqual([
      { id: '201', number: '201', type: 'SIP', callerid: 'Ann <b>', recordId },
      { id: '202', number: '202', type: 'SIP', callerid: 'Ben', recordId },
      { id: '1000', number: '1000', type: 'SIP', callerid: 'Cy', recordId },
      { id: '+491701234567', number: '+491701234567', type: 'EXTERNAL', callerid: 'Ben', recordId },
    ]);
  });

  test('pages do not overlap, the last one is empty, and a bad offset is refused', async () => {
    const page = async (query: string) =>
      (await get(`/extensions?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await page('limit=3')).toEqual(codes);
    expect(await page('limit=2&offset=3')).toEqual(['201', '202']);
    expect(await page('limit=2&offset=5')).toEqual(['1000', '+491701234567']);
    expect(await page('offset=7')).toEqual([]);
    expect(await page('order=callerid&orderWay=desc&type=SIP')).toEqual(['1000', '202', '201']);
    expect(await page('search=BEN')).toEqual(['202', '+491701234567']);
    expect((await get('/extensions?offset=-1')).status).toBe(400);
  });

  test('choices name the holder and can be limited to a type', async () => {
    const choices = (await get('/extensions:getForSelect?type=EXTERNAL')).body.data;
    expect(choices).toEqual([
      {
        name: 'Ben <+491701234567>',
        text: 'Ben <+491701234567>',
        value: '+491701234567',
        type: 'EXTERNAL',
        typeLocalized: 'Mobile number',
      },
    ]);
    expect((await get('/extensions:getForSelect?type=sip')).body.data).toHaveLength(3);
    for (const other of ['anything', '__proto__', 'constructor'])
      expect((await get(`/extensions:getForSelect?type=${other}`)).body.data).toHaveLength(7);
    const values = async (query: string) =>
      (await get(`/extensions:getForSelect?${query}`)).body.data.map(({ value }: { value: string }) => value);
    expect(await values('type=phones&exclude=201,1000')).toEqual(['202', '+491701234567']);
    expect(await values('type=internal&query=cy&includeEmpty=1')).toEqual(['', '1000']);
    expect(await values('type=routing&query=ben')).toEqual([
      ...['202', '+491701234567'],
      ...['hangup', 'busy', 'did2user', 'voicemail'],
    ]);
  });

  test('contract 20.10: long numbers get names by their last nine digits, short ones by the whole number', async () => {
    const numbers = ['00491701234567', '01701234567', '202', '02', '999'];
    const { body } = await held.asAdmin('POST', '/extensions:getPhonesRepresent', { numbers });
    expect(numbers.map((one) => body.data[one].represent)).toEqual([
      'Ben <00491701234567>',
      'Ben <01701234567>',
      'Ben <202>',
      '02',
      '999',
    ]);
    expect((await get('/extensions:getPhonesRepresent?numbers=202,999')).body.data).toEqual({
      202: { number: '202', represent: 'Ben <202>' },
      999: { number: '999', represent: '999' },
    });
    expect((await get('/extensions/202:getPhoneRepresent')).body.data).toEqual(['Ben <202>']);
    const many = Array.from({ length: 101 }, (_, at) => at + 100).join(',');
    expect((await get(`/extensions:getPhonesRepresent?numbers=${many}`)).body.messages.error).toEqual([
      'numbers: at most 100 numbers (got 101)',
    ]);
  });

  test('contract 20.7: a number lists the records that name it', async () => {
    const ann = (await people('?search=Ann')).at(0);
    await held.asAdmin('PATCH', `/employees/${ann.recordId}`, { fwd_forwarding: '202', fwd_ringlength: 20 });
    expect((await get('/extensions/202')).body.data).toMatchObject({
      number: '202',
      userid: expect.stringMatching(/^\d+$/),
      is_general_user_number: true,
      usedBy: [{ kind: 'employees', id: ann.recordId, name: 'Ann <b>', field: 'fwd_forwarding' }],
    });
    expect((await get('/extensions/299')).status).toBe(404);
    expect((await get('/extensions/%2A45')).body.data).toMatchObject({ type: 'FEATURE', userid: '' });
  });

  test('contract 20.9: forwards follow a number that changes', async () => {
    const ben = (await people('?search=Ben&type=SIP')).at(0);
    const { body } = await held.asAdmin('PATCH', `/employees/${ben.recordId}`, { number: '205' });
    expect(body.messages.info).toEqual(['1 reference follows from 202 to 205']);
    const ann = (await people('?search=Ann')).at(0);
    expect((await get(`/employees/${ann.recordId}`)).body.data.fwd_forwarding).toBe('205');
    await held.asAdmin('PATCH', `/employees/${ben.recordId}`, { number: '202' });
  });

  test('contract 20.2, 20.4: a colleague’s number is refused as mobile, an emergency number as number', async () => {
    const post = (fields: object) =>
      held.asAdmin('POST', '/employees', { user_username: 'Dee', sip_secret: 'long enough', ...fields });
    const emergency = await post({ number: '112' });
    expect([emergency.status, emergency.body.messages.error]).toEqual([
      409,
      ['number: already taken by Emergency number <112>'],
    ]);
    const mobile = await post({ number: '301', mobile_number: '+202' });
    expect([mobile.status, mobile.body.messages.error]).toEqual([
      409,
      ['mobile_number: already taken by Ben <202>'],
    ]);
  });

  test('a taken number names its holder, and a mobile is taken even without its plus', async () => {
    const taken = (await available('202')).body.data;
    expect(taken).toMatchObject({ available: false, represent: 'Ben <202>', type: 'SIP', reason: 'taken' });
    const holder = await get(`/employees/${taken.userId}`);
    expect(holder.body.data.number).toBe('202');
    expect((await available('491701234567')).body.data.available).toBe(false);
    expect((await available('203')).body.data).toEqual({ available: true });
  });

  test.each([undefined, '', 'abc', '20a', '1'.repeat(22), 201, ['201'], { $ne: 1 }, "1' OR 1=1", '２０１'])(
    'number %j is refused',
    async (number) => {
      const answer = await available(number);
      expect(answer.status).toBe(400);
      expect(answer.body.messages.error[0]).toMatch(/^number: /);
    },
  );
});
