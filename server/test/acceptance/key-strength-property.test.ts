import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Deed, type ModelKey, mayDo, PATHS } from './key-strength-model.ts';
import { availablePairs, useApp } from './use-app.ts';

// Mostly keys that may manage keys, so that enough requests are allowed.
const level = fc.constantFrom('read' as const, 'write' as const, undefined);
const managing = fc.constantFrom(
  'write' as const,
  'write' as const,
  'write' as const,
  'read' as const,
  undefined,
);
const grants = fc
  .tuple(managing, level, level, level)
  .map(
    (levels) =>
      Object.fromEntries(
        PATHS.map((path, i) => [path, levels[i]]).filter(([, one]) => one),
      ) as ModelKey['grants'],
  );
/** Index into a history's bindings: none, localhost, two filters. */
const binding = fc.constantFrom(0, 0, 0, 1, 2, 2, 3);
const strength = fc.record({ full: fc.constantFrom(true, false, false), grants, binding });
const pick = fc.nat({ max: 99 });
const sent = fc.record(
  { full: fc.boolean(), grants, binding, secret: fc.constant(true), description: fc.constant('renamed') },
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('POST' as const), caller: pick, sent }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('PATCH' as const), caller: pick, target: pick, sent }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('PUT' as const), caller: pick, target: pick, sent }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('DELETE' as const), caller: pick, target: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('open' as const), caller: pick, filter: fc.nat({ max: 1 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Sent = Extract<Step, { do: 'POST' }>['sent'];

interface LiveKey extends ModelKey {
  readonly id: string;
  readonly secret: string;
}

describe.each(availablePairs)('contract 17.4 for random keys and actions, on $name', ({ name, open }) => {
  const running = useApp(open);
  const counts = { histories: 0, allowed: 0, refused: 0 };
  let secrets = 0;

  /** One history with its own keys. */
  function createWorld(bindings: readonly string[]) {
    const keys: LiveKey[] = [];
    const one = (index: number) => keys[index % keys.length] as LiveKey;

    const bodyOf = ({ full, grants: map, binding: index, secret, description }: Sent) => ({
      ...(full !== undefined && { full_permissions: full }),
      ...(map && { allowed_paths: map }),
      ...(index !== undefined && { networkfilterid: bindings[index] as string }),
      ...(secret && { key: `random-${++secrets}`.padEnd(40, '-') }),
      ...(description && { description }),
    });
    /** The resulting key; for full permissions, single grants are not kept. */
    const laidOver = (
      base: ModelKey,
      { full = base.full, grants: map = base.grants, binding: index }: Sent,
    ) => ({
      full,
      grants: full ? {} : map,
      filter: index === undefined ? base.filter : (bindings[index] as string),
    });

    async function look({ id }: { id: string }): Promise<ModelKey | undefined> {
      const { status, body } = await running.asAdmin('GET', `/api-keys/${id}`);
      if (status === 404) return undefined;
      const { full_permissions: full, allowed_paths: map = {}, networkfilterid: filter } = body.data;
      return { full, grants: map, filter };
    }
    const plain = ({ full, grants: map, filter }: ModelKey) => ({ full, grants: full ? {} : map, filter });

    /** Sends the request; the service must answer as the model does. */
    async function attempt(caller: LiveKey, deed: Deed, method: string, path: string, body?: object) {
      const isAllowed = mayDo(caller, deed);
      const answer = await running.call(method, path, { key: caller.secret, ...(body && { body }) });
      expect(
        [answer.status, isAllowed],
        `${method} ${path} ${JSON.stringify({ caller, deed, body })}`,
      ).toEqual([isAllowed ? (method === 'POST' ? 201 : 200) : 403, isAllowed]);
      counts[isAllowed ? 'allowed' : 'refused']++;
      return isAllowed ? answer.body.data : undefined;
    }

    const replace = (old: LiveKey, key?: LiveKey) => keys.splice(keys.indexOf(old), 1, ...(key ? [key] : []));

    return {
      async add({
        full,
        grants: map,
        binding: index,
      }: {
        full: boolean;
        grants: ModelKey['grants'];
        binding: number;
      }) {
        const filter = bindings[index] as string;
        const fields = { full_permissions: full, allowed_paths: map, networkfilterid: filter };
        const { id, key: secret } = await running.app.createKey(fields);
        keys.push({ id, secret, full, grants: full ? {} : map, filter });
      },

      async take(doing: Step): Promise<void> {
        if (keys.length === 0) return;
        const caller = one(doing.caller);
        if (doing.do === 'open') {
          const filter = bindings[2 + doing.filter] as string;
          const deed: Deed = { kind: 'filter', filter };
          await attempt(caller, deed, 'PATCH', `/firewall/${filter}`, { description: 'touched' });
          return;
        }
        if (doing.do === 'POST') {
          const body = { description: 'made', ...bodyOf(doing.sent) };
          const made = laidOver({ full: false, grants: {}, filter: caller.filter }, doing.sent);
          const data = await attempt(caller, { kind: 'create', made }, 'POST', '/api-keys', body);
          if (!data) return;
          expect(await look(data)).toEqual(made);
          keys.push({ ...made, id: data.id, secret: data.key ?? body.key });
          return;
        }
        const before = one(doing.target);
        const path = `/api-keys/${before.id}`;
        if (doing.do === 'DELETE') {
          const isDone = await attempt(caller, { kind: 'delete', before }, 'DELETE', path);
          expect(await look(before)).toEqual(isDone ? undefined : plain(before));
          if (isDone) replace(before);
          return;
        }
        const body = { ...(doing.do === 'PUT' && { description: 'put' }), ...bodyOf(doing.sent) };
        const base = doing.do === 'PUT' ? { full: false, grants: {}, filter: 'none' } : before;
        const after = laidOver(base, doing.sent);
        const isDone = await attempt(caller, { kind: 'change', before, after }, doing.do, path, body);
        expect(await look(before)).toEqual(isDone ? after : plain(before));
        if (isDone) replace(before, { ...after, id: before.id, secret: body.key ?? before.secret });
      },
    };
  }

  test('every action is allowed or refused as the model says, and a refused one changes nothing', async () => {
    const filter = async () =>
      (await running.asAdmin('POST', '/firewall', { network: '127.0.0.0', subnet: 8 })).body.data
        .id as string;
    const bindings = ['none', 'localhost', await filter(), await filter()];
    await fc.assert(
      fc.asyncProperty(
        fc.array(strength, { minLength: 2, maxLength: 5 }),
        fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }),
        async (first, steps) => {
          const world = createWorld(bindings);
          for (const one of first) await world.add(one);
          for (const one of steps) await world.take(one);
          counts.histories++;
        },
      ),
      { numRuns: 40 },
    );
    console.log(`${name}: ${JSON.stringify(counts)}`);
    expect(Math.min(counts.allowed, counts.refused)).toBeGreaterThan(30);
  }, 120_000);
});
