import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('extensions on $name', ({ open }) => {
  const held = useApp(open);
  const get = (path: string) => held.asAdmin('GET', path);
  const available = (number: unknown) => held.asAdmin('POST', '/extensions:available', { number });

  test('without employees there are none, and every number is free', async () => {
    expect((await get('/extensions')).body.data).toEqual([]);
    expect((await available('201')).body.data).toEqual({ available: true });
  });

  test('phones and mobiles are listed by number, each number once', async () => {
    const people = [
      { number: '202', user_username: 'Ben', mobile_number: '+491701234567' },
      { number: '201', user_username: 'Ann <b>', mobile_number: '' },
      { number: '1000', user_username: 'Cy', mobile_number: '+491701234567' },
    ];
    for (const person of people) {
      const created = await held.asAdmin('POST', '/employees', { ...person, sip_secret: 'long enough' });
      expect(created.status).toBe(201);
    }
    expect((await get('/extensions')).body.data).toEqual([
      { id: '201', number: '201', type: 'SIP', callerid: 'Ann <b>' },
      { id: '202', number: '202', type: 'SIP', callerid: 'Ben' },
      { id: '1000', number: '1000', type: 'SIP', callerid: 'Cy' },
      { id: '+491701234567', number: '+491701234567', type: 'EXTERNAL', callerid: 'Ben' },
    ]);
  });

  test('pages do not overlap and end; a bad offset is refused', async () => {
    const page = async (query: string) =>
      (await get(`/extensions?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await page('limit=2')).toEqual(['201', '202']);
    expect(await page('limit=2&offset=2')).toEqual(['1000', '+491701234567']);
    expect(await page('offset=4')).toEqual([]);
    expect((await get('/extensions?offset=-1')).status).toBe(400);
  });

  test('choices name the holder, and can be narrowed to a type', async () => {
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
    expect((await get('/extensions:getForSelect?type=anything')).body.data).toHaveLength(4);
  });

  test('a taken number names who has it; a mobile with and without its plus', async () => {
    const taken = (await available('202')).body.data;
    expect(taken).toMatchObject({ available: false, represent: 'Ben <202>' });
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
