import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from './use-app.ts';

/** Kinds of keys: their levels, then the filter they are bound to. */
const KINDS = [
  'full',
  'full, filter A',
  'full, localhost',
  'manager',
  'manager, filter A',
  'manager, filter B',
  'manager, localhost',
  'bouncer',
  'bouncer, filter A',
  'nothing',
  'nothing, filter A',
  'nothing, localhost',
] as const;
type Kind = (typeof KINDS)[number];

const FULL = { full_permissions: true };
const MANAGER = { allowed_paths: { '/api/v3/api-keys': 'write', '/api/v3/firewall': 'write' } };
const BOUNCER = { allowed_paths: { '/api/v3/firewall-bouncer': 'read' } };
const NOTHING = { allowed_paths: {} };
const LEVELS: Readonly<Record<string, object>> = {
  full: FULL,
  manager: MANAGER,
  bouncer: BOUNCER,
  nothing: NOTHING,
};

/** Contract 17.4 as a table: the keys that each kind may create, change and delete. Kinds not listed may touch none. */
const MAY_TOUCH: Partial<Record<Kind | 'person', readonly Kind[]>> = {
  person: KINDS,
  full: KINDS,
  'full, filter A': ['full, filter A', 'manager, filter A', 'bouncer, filter A', 'nothing, filter A'],
  'full, localhost': ['full, localhost', 'manager, localhost', 'nothing, localhost'],
  manager: [
    'manager',
    'manager, filter A',
    'manager, filter B',
    'manager, localhost',
    'nothing',
    'nothing, filter A',
    'nothing, localhost',
  ],
  'manager, filter A': ['manager, filter A', 'nothing, filter A'],
  'manager, filter B': ['manager, filter B'],
  'manager, localhost': ['manager, localhost', 'nothing, localhost'],
};
/** The filters that each kind may change and delete; kinds not listed have no level on them and may touch none. */
const MAY_EDIT: Partial<Record<Kind | 'person', string>> = {
  person: 'AB',
  full: 'AB',
  'full, filter A': 'B',
  'full, localhost': 'AB',
  manager: 'AB',
  'manager, filter A': 'B',
  'manager, filter B': 'A',
  'manager, localhost': 'AB',
};

describe('contract 17.4: which key may do what to which key and filter', () => {
  const running = useApp();
  const filters = { A: '', B: '' };

  beforeAll(async () => {
    for (const name of ['A', 'B'] as const) {
      const fields = { network: '127.0.0.0', subnet: 8, deny: '' };
      filters[name] = (await running.asAdmin('POST', '/firewall', fields)).body.data.id;
    }
  });

  function fieldsOf(kind: Kind): object {
    const [levels = '', place = 'none'] = kind.split(', ');
    const networkfilterid = place.startsWith('filter ') ? filters[place.at(-1) as 'A' | 'B'] : place;
    return { description: kind, ...LEVELS[levels], networkfilterid };
  }
  const credential = async (who: Kind | 'person') =>
    who === 'person'
      ? { token: await running.app.admin() }
      : { key: (await running.app.createKey(fieldsOf(who))).key };

  let replaced = 0;
  const DEEDS: [name: string, method: string, isNew: boolean, body: (kind: Kind) => object | undefined][] = [
    ['create', 'POST', true, (kind) => fieldsOf(kind)],
    ['rename', 'PATCH', false, () => ({ description: 'renamed' })],
    ['replace the secret', 'PATCH', false, () => ({ key: `matrix-${++replaced}`.padEnd(40, '-') })],
    ['put', 'PUT', false, (kind) => fieldsOf(kind)],
    ['take over', 'PUT', false, () => ({ description: 'x', ...FULL, networkfilterid: 'none' })],
    ['revoke', 'DELETE', false, () => undefined],
  ];

  test.each(['person', ...KINDS] as const)('%s', async (who) => {
    const wrong: string[] = [];
    const me = await credential(who);
    const note = (what: string, isAllowed: boolean, status: number) => {
      if (isAllowed ? status >= 300 : status !== 403) wrong.push(`${what}: ${status}`);
    };
    for (const kind of KINDS) {
      for (const [name, method, isNew, body] of DEEDS) {
        const target = isNew ? '' : `/${(await running.app.createKey(fieldsOf(kind))).id}`;
        const sent = body(kind);
        const { status } = await running.call(method, `/api-keys${target}`, {
          ...me,
          ...(sent && { body: sent }),
        });
        const isAllowed =
          name === 'take over' ? who === 'person' || who === 'full' : MAY_TOUCH[who]?.includes(kind);
        note(`${name} ${kind}`, isAllowed ?? false, status);
      }
    }
    for (const name of ['A', 'B'] as const) {
      const isAllowed = MAY_EDIT[who]?.includes(name) ?? false;
      const path = `/firewall/${filters[name]}`;
      const whole = { network: '127.0.0.0', subnet: 8, deny: '' };
      note(`PUT filter ${name}`, isAllowed, (await running.call('PUT', path, { ...me, body: whole })).status);
      const patched = await running.call('PATCH', path, { ...me, body: { deny: '' } });
      note(`PATCH filter ${name}`, isAllowed, patched.status);
      const removed = await running.call('DELETE', path, me);
      // Keys of the matrix are bound to both filters, so an allowed deletion is refused with 409.
      if (removed.status !== (isAllowed ? 409 : 403)) wrong.push(`DELETE filter ${name}: ${removed.status}`);
    }
    expect(wrong).toEqual([]);
  });
});
