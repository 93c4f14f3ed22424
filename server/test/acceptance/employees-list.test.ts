import { beforeAll, describe, expect, test } from 'vitest';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const PEOPLE = [
  { number: '201', user_username: 'Émile Zola', user_email: 'Emile@Example.org', mobile_number: '+33100' },
  { number: '1000', user_username: 'anna Ärger', user_email: '', mobile_number: '+49170' },
  { number: '202', user_username: 'Анна Петрова', user_email: 'anna@пример.рф', mobile_number: '' },
  { number: '99', user_username: '100% sure_thing\\', user_email: 'b@example.org', mobile_number: '+49171' },
  { number: '203', user_username: 'ΟΔΥΣΣΕΥΣ', user_email: 'c@example.org', mobile_dialstring: 'Local/7@out' },
  { number: '204', user_username: 'Anna', user_email: 'd@example.org', mobile_number: '4920' },
  { number: '205', user_username: 'anna', user_email: 'e@example.org', mobile_number: '4930' },
];

describe.each(availablePairs)('contract 3.2 and 1.7: the list of employees on $name', ({ open }) => {
  const running = useApp(open);
  const { made } = createEmployeeRig(running);
  const ids = new Map<string, string>();
  beforeAll(async () => {
    for (const person of PEOPLE) ids.set(person.number, (await made(person)).id);
  });

  const list = async (query: Record<string, string | number> = {}) => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return running.asAdmin('GET', `/employees?${text}`);
  };
  const numbers = async (query: Record<string, string | number> = {}): Promise<string[]> =>
    (await list(query)).body.data.data.map(({ number }: { number: string }) => number);

  test('an item has seven keys and no secret', async () => {
    const { body } = await list({ search: 'number:203' });
    expect(body.data).toEqual({
      data: [
        {
          id: ids.get('203'),
          number: '203',
          user_username: 'ΟΔΥΣΣΕΥΣ',
          user_email: 'c@example.org',
          mobile: 'Local/7@out',
          avatar: '',
          disabled: false,
        },
      ],
      recordsTotal: 7,
      recordsFiltered: 1,
    });
  });

  test('without a page all employees are listed by name in any case, equal names by id', async () => {
    expect(await numbers()).toEqual(['99', '204', '205', '1000', '201', '203', '202']);
  });

  test.each([
    ['number', ['99', '201', '202', '203', '204', '205', '1000']],
    ['user_username', ['99', '204', '205', '1000', '201', '203', '202']],
    ['username', ['99', '204', '205', '1000', '201', '203', '202']],
    ['user_email', ['1000', '202', '99', '203', '204', '205', '201']],
    ['email', ['1000', '202', '99', '203', '204', '205', '201']],
    ['mobile', ['202', '201', '1000', '99', '204', '205', '203']],
  ])('the order by %s works up and down, in both spellings', async (order, up) => {
    expect(await numbers({ order })).toEqual(up);
    expect(await numbers({ order, orderWay: 'ASC' })).toEqual(up);
    expect(await numbers({ order, orderWay: 'desc' })).toEqual(up.toReversed());
    expect(await numbers({ order_by: order, order_direction: 'DESC' })).toEqual(up.toReversed());
  });

  test('an unknown order means by name, ascending', async () => {
    expect(await numbers({ order: 'sip_secret', orderWay: 'desc' })).toEqual(await numbers());
    expect(await numbers({ order: 'id; drop table employees' })).toHaveLength(7);
  });

  test.each([
    ['anna', ['204', '205', '1000', '202']],
    ['ANNA', ['204', '205', '1000', '202']],
    ['АННА', ['202']],
    ['петр', ['202']],
    ['émile', ['201']],
    ['E\u0301MILE', ['201']],
    ['ärger', ['1000']],
    ['οδυσσευσ', ['203']],
    ['Σ', ['203']],
    ['100', ['99', '1000', '201']],
    ['%', ['99']],
    ['_', ['99']],
    ['\\', ['99']],
    ['0% S', ['99']],
    ['local/7', ['203']],
    ['example.org', ['99', '204', '205', '201', '203']],
    ['nobody', []],
    [`' or 1=1 --`, []],
    ['number:20', []],
    ['number:201', ['201']],
    ['NUMBER: 201', ['201']],
    ['email:EXAMPLE.ORG', ['99', '204', '205', '201', '203']],
    ['email:anna', ['202']],
    ['mobile:+49', ['99', '1000']],
    ['mobile:49', ['99', '204', '205', '1000']],
    ['mobile:LOCAL', ['203']],
    ['id:x', []],
    ['id:99999999999', []],
    ['sip_secret:x', []],
    ['correct-horse', []],
  ])('search %j', async (search, found) => {
    const { body } = await list({ search });
    expect(body.data.data.map(({ number }: { number: string }) => number)).toEqual(found);
    expect(body.data).toMatchObject({ recordsTotal: 7, recordsFiltered: found.length });
  });

  test('id: finds exactly one', async () => {
    expect(await numbers({ search: `id:${ids.get('204')}` })).toEqual(['204']);
    expect(await numbers({ search: `ID:${ids.get('204')}` })).toEqual(['204']);
  });

  test('pages never overlap and end with a short one', async () => {
    const seen: string[] = [];
    for (let offset = 0; ; offset += 2) {
      const page = await numbers({ limit: 2, offset });
      seen.push(...page);
      if (page.length < 2) break;
    }
    expect(seen).toEqual(await numbers());
    expect(await numbers({ limit: 2, offset: 1, search: 'anna' })).toEqual(['205', '1000']);
    const past = await list({ limit: 2, offset: 50, search: 'anna' });
    expect(past.body.data).toEqual({ data: [], recordsTotal: 7, recordsFiltered: 4 });
  });

  test.each([
    [{ limit: 0 }, 1],
    [{ limit: -5 }, 1],
    [{ limit: 3 }, 3],
    [{ limit: 999_999 }, 7],
    [{ limit: 'abc' }, 7],
    [{ offset: 5 }, 2],
    [{ offset: 1_000_000 }, 0],
  ])('%j gives %i records', async (query, count) => {
    const { status, body } = await list(query as Record<string, string | number>);
    expect(status).toBe(200);
    expect(body.data.data).toHaveLength(count);
    expect(body.data).toMatchObject({ recordsTotal: 7, recordsFiltered: 7 });
  });

  test.each([-1, 'abc', 1.5])('offset %j is 400', async (offset) => {
    const { status, body } = await list({ offset });
    expect(status).toBe(400);
    expect(body.messages.error[0]).toMatch(/^offset: /);
  });
});
