import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract C7: priorities of several records on $name', ({ open }) => {
  const { asAdmin } = useApp(open);
  const PATH = '/incoming-routes';
  const change = (body: unknown) => asAdmin('POST', `${PATH}:changePriority`, body);
  const made = async (): Promise<string> =>
    (await asAdmin('POST', PATH, { extension: 'busy', priority: 7 })).body.data.id;
  const priorityOf = async (id: string) => (await asAdmin('GET', `${PATH}/${id}`)).body.data.priority;

  test('an unknown id among more ids than one database query takes is 404, and nothing is changed', async () => {
    const id = await made();
    const unknown = Array.from({ length: 70_000 }, (_, at) => [String(100_000 + at), 1]);
    const answer = await change(Object.fromEntries([[id, 1], ...unknown]));
    expect([answer.status, answer.body.messages.error]).toEqual([404, ['incoming route 100000 not found']]);
    expect(await priorityOf(id)).toBe(7);
  });

  test('the same id twice in a list is 400, and nothing is changed', async () => {
    const id = await made();
    for (const again of [id, Number(id)]) {
      const priorities = [
        { id, priority: 1 },
        { id: again, priority: 2 },
      ];
      const { status, body } = await change({ priorities });
      expect([status, body.messages.error]).toEqual([400, [`priorities: ${id} appears twice`]]);
    }
    expect(await priorityOf(id)).toBe(7);
  });

  test('if an object has an id twice, the last value counts, as in JSON', async () => {
    const id = await made();
    const { status, body } = await asAdmin(
      'POST',
      `${PATH}:changePriority`,
      `{"priorities":{"${id}":1,"${id}":2}}`,
    );
    expect([status, body.data]).toMatchObject([200, { updated: 1 }]);
    expect(await priorityOf(id)).toBe(2);
  });

  test('contract C8: the default priority is one more than the highest, at most the bound', async () => {
    await asAdmin('POST', PATH, { extension: 'busy', priority: 9997 });
    const created = async (fields: object = {}) =>
      (await asAdmin('POST', PATH, { extension: 'busy', ...fields })).body.data.priority;
    expect([await created(), await created(), await created({ priority: 0 })]).toEqual([9998, 9998, 9998]);
  });

  test.each([[{ priorities: {} }], [{ priorities: [] }], [{}]])('%j is empty: 400', async (body) => {
    const answer = await change(body);
    expect([answer.status, answer.body.messages.error]).toEqual([400, ['priorities: must not be empty']]);
  });

  test('priorities that are missing, out of bounds or without an id are refused', async () => {
    const id = await made();
    expect((await change({ priorities: null })).status).toBe(400);
    expect((await change({ priorities: [{ id }] })).status).toBe(400);
    expect((await change({ [id]: 9999 })).status).toBe(400);
    expect((await change({ [id]: -1 })).status).toBe(400);
    expect((await change({ '': 1 })).status).toBe(404);
    expect(await priorityOf(id)).toBe(7);
  });
});
