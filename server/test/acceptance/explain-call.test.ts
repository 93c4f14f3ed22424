import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

interface Told {
  readonly steps: readonly { kind: string; id: string; text: string; assumed: boolean; after: number }[];
  readonly rings: readonly { number: string; from: number; to: number; state: string; via: number }[];
  readonly ends: { by: string; dialstatus: string; sip: number };
  readonly warnings: readonly string[];
  readonly [key: string]: unknown;
}

const chain = ({ steps }: Told): string => steps.map(({ kind, id }) => `${kind} ${id}`.trim()).join(', ');

describe.each(availablePairs)('contract 28: explained calls on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, { PBXCORE_COUNTRY_CODE: '49', PBXCORE_TIMEZONE: 'Europe/Berlin' }, engine);
  const { made: hire } = createEmployeeRig(held);
  const ask = (query: string) => held.asAdmin('GET', `/incoming-routes:explain?${query}`);
  const explain = async (query: string): Promise<Told> => {
    const { status, body, text } = await ask(query);
    if (status !== 200) throw new Error(text);
    return body.data;
  };
  async function store(path: string, fields: object) {
    const { status, body, text } = await held.asAdmin('POST', path, fields);
    if (status !== 201) throw new Error(text);
    return body.data;
  }
  const LATER = 'at=2026-05-04T10:00:00';
  const SATURDAY = 'at=2026-05-02T10:00:00';

  test('an internal number is rung, any other number is nobody’s', async () => {
    await hire({ number: '201', user_username: 'Anna' });
    const told = await explain(`number=201&caller=%2B4917012345&${LATER}`);
    expect(told).toMatchObject({
      at: '2026-05-04 10:00:00',
      timezone: 'Europe/Berlin',
      provider: '',
      number: '201',
      normalised: '201',
      caller: '+4917012345',
      ends: { by: 'employee 201', dialstatus: 'NOANSWER', sip: 480 },
      warnings: [],
    });
    expect(chain(told)).toBe('provider, did 201, employee 201, end');
    expect(told.rings).toEqual([
      { number: '201', name: 'Anna', from: 0, to: expect.any(Number), state: 'Available', via: 3 },
    ]);
    const nobody = await explain(`number=999&${LATER}`);
    expect([chain(nobody), nobody.ends]).toEqual([
      'provider, default 1, end',
      { by: 'default 1', dialstatus: 'NOROUTE', sip: 404 },
    ]);
  });

  test('contract 20.10: a shared mobile belongs to the lowest id in names, tests, explanations and calls', async () => {
    const shared = { mobile_number: '+4917055' };
    const providers = ['SIP-300', 'SIP-1003', 'SIP-210'];
    for (const id of providers)
      await store('/sip-providers', { id, description: id, host: 'p.example', registration_type: 'none' });
    // The lowest id, but neither the lowest number nor the first in string order.
    await hire({ number: '300', user_username: 'Zoe', ...shared, mobile_dialstring: '0170@SIP-300' });
    await hire({ number: '1003', ...shared, mobile_dialstring: '0170@SIP-1003' });
    await hire({ number: '210', mobile_number: '4917055', mobile_dialstring: '0170@SIP-210' });
    await store('/incoming-routes', { number: '4930300', extension: '+4917055' });
    const { body } = await held.asAdmin('GET', '/extensions/4917055:getPhoneRepresent');
    expect(body.data).toEqual(['Zoe <4917055>']);
    const tested = await held.asAdmin('GET', '/outbound-routes:test?number=4917055');
    expect(tested.body.data.attempts).toMatchObject([{ providerid: 'SIP-300', dials: '0170' }]);
    const told = await explain(`number=4930300&${LATER}`);
    expect(told.steps.find(({ kind }) => kind === 'mobile')?.text).toContain('SIP-300');
    await expect
      .poll(() =>
        engine.served.extensions.flatMap(({ number, mobile }) => (mobile.number === '' ? [] : number)),
      )
      .toEqual(['300']);
  });

  test('contract 28.2: without a time the present state counts, with one all phones count as available', async () => {
    await hire({ number: '202', user_username: 'Boris' });
    const now = await explain('number=202');
    expect(now.ends).toEqual({ by: 'employee 202', dialstatus: 'CHANUNAVAIL', sip: 480 });
    expect(now.steps.some(({ assumed }) => assumed)).toBe(false);
    expect(now.warnings).toEqual(['nobody can be rung']);
    await expect
      .poll(async () => {
        engine.register('202');
        return (await explain('number=202')).ends.dialstatus;
      })
      .toBe('NOANSWER');
    engine.unregister('202');
    const later = await explain(`number=202&${LATER}`);
    expect(later.ends.dialstatus).toBe('NOANSWER');
    expect(later.steps.every(({ assumed }) => assumed)).toBe(true);
  });

  test('an explanation follows routes, menus and what the caller enters in them', async () => {
    const menu = { name: 'Main', extension: '700', actions: [{ digits: '1', extension: '201' }] };
    await store('/ivr-menu', { ...menu, number_of_repeat: 0, timeout_extension: 'busy' });
    const { id } = await store('/incoming-routes', { rulename: 'Main', number: '4930111', extension: '700' });
    const off = await store('/incoming-routes', { number: '4930111', extension: '201', disabled: true });
    const chosen = await explain(`number=030111&digits=1&${LATER}`);
    expect(chosen.normalised).toBe('4930111');
    expect(chain(chosen)).toBe(`provider, route ${id}, menu 700, employee 201, end`);
    expect(chosen.ends).toMatchObject({ dialstatus: 'NOANSWER', sip: 0 });
    expect(chosen.warnings).toEqual([`route ${off.id} is switched off`]);
    const silent = await explain(`number=+4930111&digits=9,i&${LATER}`);
    expect(chain(silent)).toBe(`provider, route ${id}, menu 700, end`);
    expect(silent.ends).toEqual({ by: 'menu 700', dialstatus: 'BUSY', sip: 0 });
    expect(silent.steps[2]?.text).toContain('the caller enters 9,i');
  });

  test('an explanation follows opening hours and their override', async () => {
    const [route] = (await held.asAdmin('GET', '/incoming-routes?search=4930111')).body.data;
    const rule = await store('/off-work-times', {
      description: 'Weekend',
      weekday_from: '6',
      weekday_to: '7',
      extension: '201',
      allowRestriction: true,
      incomingRouteIds: [Number(route.id)],
    });
    const closed = await explain(`number=4930111&${SATURDAY}`);
    expect(chain(closed)).toBe(`provider, route ${route.id}, hours ${rule.id}, employee 201, end`);
    expect(closed.steps[2]?.text).toMatch(/^The line is closed until 2026-05-04 00:00:00, by rule "Weekend"/);
    expect((await explain(`number=201&${SATURDAY}`)).warnings).toEqual([
      `rule "Weekend" (${rule.id}) does not cover route 1`,
    ]);
    await held.asAdmin('POST', '/off-work-times:override', { mode: 'closed', ruleId: rule.id });
    const byHand = await explain('number=4930111');
    expect(chain(byHand)).toBe(`provider, route ${route.id}, override ${rule.id}, employee 201, end`);
    expect(byHand.warnings[0]).toBe('closed by an override');
    expect(chain(await explain(`number=4930111&${LATER}`))).not.toContain('override');
    await held.asAdmin('POST', '/off-work-times:override', { mode: 'auto' });
  });

  test('contract 27.2: a member in wrap-up rings when its wrap-up is over in each of its queues', async () => {
    await hire({ number: '203', user_username: 'Carla' });
    const queueOf = (extension: string, seconds: number) =>
      store('/call-queues', {
        name: extension,
        extension,
        members: [{ extension: '203' }],
        seconds_for_wrapup: seconds,
        timeout_to_redirect_to_extension: 100,
        timeout_extension: 'hangup',
      });
    const { id } = await queueOf('600', 10);
    await queueOf('601', 30);
    const ringsAt = async () => (await explain('number=600')).rings.map(({ from, state }) => [from, state]);
    await expect
      .poll(async () => {
        engine.changeMember(id, '203', { device: 'wrapup', lastCallAt: held.app.now() - 12_000 });
        return await ringsAt();
      })
      .toEqual([[18, 'wrapup']]);
    engine.changeMember(id, '203', { device: 'free' });
    expect(await ringsAt()).toEqual([[0, 'free']]);
  });

  test('an unknown provider is 404, and one that is not in service causes a warning', async () => {
    const { id } = await store('/sip-providers', { description: 'Line', host: 'p.example', disabled: true });
    await store('/incoming-routes', { number: '555', extension: 'busy', providerid: id });
    const told = await explain(`provider=${id}&number=555&${LATER}`);
    expect(told).toMatchObject({ provider: id, steps: [{ kind: 'provider', id, name: 'Line' }, {}, {}] });
    expect(told.warnings).toContain(`provider "Line" (${id}) is not in service: no call comes over it`);
    expect(told.warnings.join()).toMatch(/route \d+ is for a provider that is not in service/);
    const { status, body } = await ask('provider=SIP-NO&number=555');
    expect([status, body.messages.error]).toEqual([404, ['provider SIP-NO not found']]);
  });

  test.each([
    ['at=yesterday', 'at: must have the format YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD'],
    ['digits=1;2', 'digits: must be entries of 0-9 * #, and t for a silence, with commas between them'],
    ['digits=i', 'digits: must be entries of 0-9 * #, and t for a silence, with commas between them'],
    ['digits=1,,2', 'digits: must be entries of 0-9 * #, and t for a silence, with commas between them'],
    [`digits=${'1'.repeat(251)}`, 'digits: at most 250 characters (got 251)'],
    [`number=${'1'.repeat(101)}`, 'number: at most 100 characters (got 101)'],
  ])('%s is 400', async (query, error) => {
    const { status, body } = await ask(query);
    expect([status, body.messages.error]).toEqual([400, [error]]);
  });

  test('only a key that may read incoming routes may explain calls', async () => {
    const asked = async (grants: Record<string, string>) =>
      (await held.call('GET', '/incoming-routes:explain?number=201', { key: await held.keyFor(grants) }))
        .status;
    expect(await asked({ '/api/v3/incoming-routes': 'read' })).toBe(200);
    expect(await asked({ '/api/v3/ivr-menu': 'write' })).toBe(403);
  });
});

describe('contract 22.3, 29.7: a country without a national prefix', () => {
  const held = useApp(undefined, { PBXCORE_COUNTRY_CODE: '39', PBXCORE_NATIONAL_PREFIX: 'none' });

  test('callers with only the international prefix are stored with a warning that they fit nobody', async () => {
    const route = { number: '1', extension: 'busy', callers: ['06*', '0033*', '00*', '+00*', '00'] };
    const { status, body } = await held.asAdmin('POST', '/incoming-routes', route);
    expect([status, body.messages.warning]).toEqual([
      201,
      ['callers: [2]: 00* fits nobody, for numbers are compared without 00'],
    ]);
    for (const caller of ['0044123', '%2B44123', '00390612', '0612'])
      expect(
        (await held.asAdmin('GET', `/incoming-routes:explain?number=1&caller=${caller}`)).body.data.steps.map(
          ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`,
        ),
      ).toContain(caller === '00390612' || caller === '0612' ? `route ${body.data.id}` : 'default 1');
  });

  test('a number with the country code equals the number as dialled in the country', async () => {
    const { body } = await held.asAdmin('POST', '/incoming-routes', {
      number: '+390612345',
      extension: 'busy',
    });
    for (const number of ['0612345', '390612345', '00390612345', '%2B390612345']) {
      const told = (await held.asAdmin('GET', `/incoming-routes:explain?number=${number}`)).body.data;
      expect(told.normalised, number).toBe('390612345');
      expect(chain(told), number).toBe(`provider, route ${body.data.id}, end`);
    }
  });
});

describe('contract 28.5: without an engine', () => {
  const held = useApp();

  test('contract 28.2: states of members still count, because the service keeps them', async () => {
    const hired = { number: '202', user_username: 'Boris', sip_secret: 'long enough' };
    await held.asAdmin('POST', '/employees', hired);
    const { body } = await held.asAdmin('POST', '/call-queues', {
      name: 'Support',
      extension: '600',
      members: [{ extension: '202' }],
      redirect_to_extension_if_empty: 'busy',
    });
    const ask = async () => {
      const { ends, rings } = (await held.asAdmin('GET', '/incoming-routes:explain?number=600')).body.data;
      return [ends.dialstatus, rings.map(({ number }: { number: string }) => number)];
    };
    expect(await ask()).toEqual(['TIMEOUT', ['202']]);
    const out = { extension: '202', state: 'out' };
    await held.asAdmin('POST', `/call-queues/${body.data.id}:setMemberState`, out);
    expect(await ask()).toEqual(['BUSY', []]);
  });

  test('a call is explained with all phones taken as registered and free, and a warning says so', async () => {
    await held.asAdmin('POST', '/employees', {
      number: '201',
      user_username: 'Anna',
      sip_secret: 'long enough',
    });
    const { status, body } = await held.asAdmin('GET', '/incoming-routes:explain?number=201');
    expect(status).toBe(200);
    expect(body.data.ends).toEqual({ by: 'employee 201', dialstatus: 'NOANSWER', sip: 480 });
    expect(body.data.steps.every(({ assumed }: { assumed: boolean }) => assumed)).toBe(true);
    expect(body.data.warnings).toEqual([
      'the telephony engine cannot be asked: all phones are taken as registered and free',
    ]);
  });
});

const servers = availablePairs.find(({ name }) => name.startsWith('PostgreSQL'));
describe.skipIf(!servers)('contract 28.5: stores that cannot be read', () => {
  const held = useApp(servers?.open);

  test('are 503', async () => {
    const token = await held.app.admin();
    const ask = async () => (await held.call('GET', '/incoming-routes:explain?number=201', { token })).status;
    expect(await ask()).toBe(200);
    await held.stores.postgres?.kill();
    await expect.poll(ask, { timeout: 30_000 }).toBe(503);
    await held.stores.postgres?.restart();
    await expect.poll(ask, { timeout: 30_000 }).toBe(200);
  });
});
