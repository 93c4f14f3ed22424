import { expect, test } from 'vitest';
import type { RecordChange } from '../../http/record-change.ts';
import { type Resource, reads, route, writes } from '../../http/route.ts';
import { createRouter } from '../../http/router.ts';
import { parseManifest } from '../description/manifest.ts';
import { createCoreRequests } from './core-requests.ts';

const things: Resource = {
  path: '/api/v3/things',
  label: 'Things',
  description: '',
  levels: ['read', 'write'],
};
const manifestOf = (id: string) =>
  parseManifest(
    JSON.stringify({
      id,
      version: '1',
      generation: 3,
      slug: id.toLowerCase(),
      main: 'i.js',
      writes: ['things'],
    }),
    '1',
  );

/** Writes that end when the test says so. */
function rig() {
  const underWay: (() => void)[] = [];
  const changes: RecordChange[] = [];
  const spent: string[] = [];
  const base = { path: '/things', function: 'x', summary: '' } as const;
  const router = createRouter([
    route({ ...base, method: 'GET', access: reads(things), handle: () => [] }),
    route({
      ...base,
      method: 'POST',
      access: writes(things),
      handle: () => new Promise((resolve) => underWay.push(() => resolve({ id: '7' }))),
    }),
  ]);
  const requestsOf = createCoreRequests({
    router: () => router,
    callerLimit: { spend: (name) => void spent.push(name) },
    onWritten: (_, change) => changes.push(change),
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { underWay, changes, spent, requestsOf, turn };
}

const calm = { during: undefined, isGone: () => false, charge() {}, chargeJson() {} };

test('writes run one at a time per module and two at a time overall, and reads overtake them', async () => {
  const { underWay, requestsOf, turn, changes, spent } = rig();
  const [a, b, c] = ['A', 'B', 'C'].map((id) => requestsOf(manifestOf(id)));
  const all = [a, a, b, c].map((request) => request?.(['POST', '/things', {}, '{}'], calm));
  await turn();
  expect(underWay).toHaveLength(2);
  expect(await a?.(['GET', '/things', {}, ''], calm)).toMatchObject({ status: 200, data: [] });
  while (underWay.length > 0) {
    expect(underWay.length).toBeLessThanOrEqual(2);
    underWay.shift()?.();
    await turn();
  }
  await Promise.all(all);
  expect(changes.map(({ by }) => by).sort()).toEqual(['module A', 'module A', 'module B', 'module C']);
  expect(spent).toHaveLength(5);
});

test('a waiting write is not begun once its module has ended', async () => {
  const { underWay, requestsOf, turn } = rig();
  const request = requestsOf(manifestOf('A'));
  let isGone = false;
  const asking = { ...calm, isGone: () => isGone };
  const first = request(['POST', '/things', {}, '{}'], asking);
  const second = request(['POST', '/things', {}, '{}'], asking);
  const refused = expect(second).rejects.toThrow('module A has ended');
  await turn();
  isGone = true;
  underWay.shift()?.();
  await first;
  await refused;
  expect(underWay).toHaveLength(0);
});

test('a write costs its module more than a question does, and more the more it carries', async () => {
  const { underWay, requestsOf, turn } = rig();
  const request = requestsOf(manifestOf('A'));
  const costs: number[] = [];
  for (const body of ['{}', JSON.stringify({ text: 'x'.repeat(100 * 1024) })]) {
    const done = request(['POST', '/things', {}, body], { ...calm, charge: (count) => costs.push(count) });
    await turn();
    underWay.shift()?.();
    await done;
  }
  expect(costs[0]).toBeGreaterThan(49);
  expect(costs[1]).toBeGreaterThan(20 * (costs[0] as number));
});

test('a write is paid for before its body is read, even if it fails', async () => {
  const { requestsOf } = rig();
  const charged: number[] = [];
  const asking = { ...calm, charge: (questions: number) => void charged.push(questions) };
  const body = `{"x":"${'x'.repeat(100 * 1024)}`;
  await expect(requestsOf(manifestOf('A'))(['POST', '/things', {}, body], asking)).rejects.toThrow('JSON');
  expect(charged).toEqual([expect.closeTo(1050, 0)]);
});

test('the values of a body are paid for before it is read, and too many are refused', async () => {
  const { underWay, requestsOf, turn } = rig();
  const paid: number[] = [];
  const asking = { ...calm, chargeJson: ({ values }: { values: number }) => void paid.push(values) };
  const write = (body: string) => requestsOf(manifestOf('A'))(['POST', '/things', {}, body], asking);
  const list = (count: number, fill: number) => `{"list":[${'1,'.repeat(count - 3)}"${'x'.repeat(fill)}"]}`;
  await expect(write(list(20_001, 300_000))).rejects.toThrow('body: more than 20000 values at once');
  await expect(write('{"a":[1,2')).rejects.toThrow('JSON');
  // As for other questions: JSON up to the size of a value is parsed, whatever it contains.
  for (const body of [list(20_000, 300_000), list(100_000, 0)]) {
    const done = write(body);
    await turn();
    underWay.shift()?.();
    expect(await done).toMatchObject({ status: 200 });
  }
  expect(paid).toEqual([20_001, 4, 20_000, 100_000]);
});
