import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

// The tests' clock is at Monday, 4 May 2026, 10:11 in Berlin.
describe.each(availablePairs)('contract 26.2: opening hours of routes on $name', ({ open }) => {
  const held = useApp(open, { PBXCORE_TIMEZONE: 'Europe/Berlin' });
  const { asAdmin } = held;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  type Any = any;

  async function done(method: string, path: string, body?: unknown): Promise<Any> {
    const answer = await asAdmin(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }
  const refused = async (method: string, path: string, body?: unknown): Promise<[number, Any]> => {
    const { status, body: said } = await asAdmin(method, path, body);
    return [status, said.messages?.error];
  };
  const weekend = {
    description: 'Weekend',
    weekday_from: 6,
    weekday_to: '7',
    time_from: '',
    time_to: '',
    extension: '201',
  };
  const create = (fields: object = {}): Promise<Any> =>
    done('POST', '/off-work-times', { ...weekend, ...fields });
  const empty = async () => {
    for (const { id } of await done('GET', '/off-work-times')) await done('DELETE', `/off-work-times/${id}`);
    await done('POST', '/off-work-times:override', { mode: 'auto' });
  };

  const state = async (id: string) =>
    (await done('GET', `/off-work-times:getState?incomingRouteId=${id}`)).state;

  test('rules restricted to a route leave calls of other routes alone', async () => {
    const route = await done('POST', '/incoming-routes', { number: '4930111', extension: '201' });
    await create({ weekday_from: 1, allowRestriction: true, incomingRouteIds: [route.id] });
    expect([await state(route.id), await state('1')]).toEqual(['closed', 'open']);
    const left = await asAdmin('DELETE', `/incoming-routes/${route.id}`);
    expect(left.body.messages.warning).toHaveLength(1);
    const [item] = await done('GET', '/off-work-times');
    expect(item).toMatchObject({ allowRestriction: true, incomingRouteIds: [] });
    expect(await state(route.id)).toBe('open');
    await empty();
  });

  test('a route that no rule covers cannot be closed, and a disabled rule cannot be used to close it', async () => {
    const route = await done('POST', '/incoming-routes', { number: '4930112', extension: '201' });
    const { id } = await create({ allowRestriction: true, incomingRouteIds: [1] });
    const closed = { mode: 'closed', incomingRouteIds: [Number(route.id)] };
    expect(await refused('POST', '/off-work-times:override', closed)).toEqual([
      422,
      [`incomingRouteIds: no off-work rule covers route ${route.id}`],
    ]);
    expect(await done('POST', '/off-work-times:override', { ...closed, ruleId: id })).toMatchObject({
      state: 'closed',
      ruleId: id,
    });
    expect(await state('1')).toBe('open');
    await done('PATCH', `/off-work-times/${id}`, { disabled: true });
    expect((await refused('POST', '/off-work-times:override', { ...closed, ruleId: id }))[0]).toBe(422);
    await done('DELETE', `/incoming-routes/${route.id}`);
    await empty();
  });

  test('every override in force is listed for all its routes, without deleted routes', async () => {
    const override = (mode: string, incomingRouteIds: number[], until = '') =>
      done('POST', '/off-work-times:override', { mode, incomingRouteIds, until });
    const listed = () => done('GET', '/off-work-times:getOverrides');
    const made = async (number: string) =>
      Number((await done('POST', '/incoming-routes', { number, extension: '201' })).id);
    const [sales, support] = [await made('4930113'), await made('4930114')];
    await create();
    expect(await listed()).toEqual([]);
    await override('closed', []);
    await override('open', [sales, support], '2026-05-04T18:00:00');
    await override('auto', [sales]);
    expect(await listed()).toEqual([
      { mode: 'closed', until: '', ruleId: '', incomingRouteIds: [] },
      { mode: 'open', until: '2026-05-04 18:00:00', ruleId: '', incomingRouteIds: [support] },
      { mode: 'auto', until: '', ruleId: '', incomingRouteIds: [sales] },
    ]);
    await done('DELETE', `/incoming-routes/${sales}`);
    expect((await listed()).map(({ mode }: Any) => mode)).toEqual(['closed', 'open']);
    await override('auto', []);
    expect(await listed()).toEqual([]);
    await done('DELETE', `/incoming-routes/${support}`);
    await empty();
  });
});
