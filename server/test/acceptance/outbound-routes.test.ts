import { beforeAll, describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 23: outbound routes on $name', ({ open }) => {
  const engine = createFakeEngine();
  const running = useApp(open, {}, engine);
  const ask = (method: string, path: string, body?: object) =>
    running.asAdmin(method, `/outbound-routes${path}`, body);
  const made = async (fields: object = {}) => {
    const { status, body } = await ask('POST', '', { rulename: 'Any', providerid: 'SIP-P', ...fields });
    expect([status, body.messages.error]).toEqual([201, []]);
    return { ...body.data, warnings: body.messages.warning };
  };
  async function clear(): Promise<void> {
    for (const { id } of (await ask('GET', '')).body.data) await ask('DELETE', `/${id}`);
  }
  const tested = async (number: string, employee = '') =>
    (await ask('GET', `:test?number=${encodeURIComponent(number)}${employee && `&employee=${employee}`}`))
      .body.data;

  beforeAll(async () => {
    for (const [id, description, more] of [
      ['SIP-P', 'A Provider', { fromuser: '4930' }],
      ['SIP-Q', 'B Provider', {}],
      ['SIP-OFF', 'C Off', { disabled: true }],
      ['SIP-BARE', 'D Bare', { registration_type: 'outbound', username: '' }],
    ] as const)
      await running.asAdmin('POST', '/sip-providers', { id, description, host: 'p.example', ...more });
    for (const [number, more] of [
      ['201', { outgoing_callerid: '+493066' }],
      ['202', { call_class: 'internal' }],
      ['203', { call_class: 'national', mobile_number: '49170', mobile_dialstring: '0170@SIP-Q' }],
      ['204', { mobile_number: '49171', mobile_dialstring: '0171' }],
    ] as const) {
      const body = { number, user_username: `E ${number}`, sip_secret: 'correct-horse', ...more };
      expect((await running.asAdmin('POST', '/employees', body)).status).toBe(201);
    }
  });

  test('a route has its defaults, names its provider, and is described in a sentence', async () => {
    const first = await made({ rulename: ' First ' });
    expect(first).toEqual({
      id: expect.stringMatching(/^\d+$/),
      rulename: 'First',
      note: '',
      providerid: 'SIP-P',
      providerid_represent: 'A Provider',
      provider_type: 'SIP',
      provider_disabled: false,
      priority: 1,
      numberbeginswith: '',
      restnumbers: -1,
      trimfrombegin: 0,
      prepend: '',
      callerid: '',
      callerid_forwarded: 'caller',
      call_class: 'national',
      disabled: false,
      represent: 'First',
      warnings: ['from now on only outbound routes say what goes out'],
    });
    await made({
      rulename: 'Russia',
      providerid: 'SIP-OFF',
      numberbeginswith: '(7|8)',
      restnumbers: 10,
      trimfrombegin: 1,
      prepend: '8',
      callerid: '+493055',
      disabled: true,
    });
    const { data } = (await ask('GET', '')).body;
    expect(data.map((one: { ruleDescription: string }) => one.ruleDescription)).toEqual([
      'All numbers go out over A Provider.',
      'Numbers of (7|8) and 10 digits more go out over C Off, without the first digit, with 8 before, showing +493055 (disabled).',
    ]);
    expect(data[1]).toMatchObject({ priority: 2, provider_disabled: true });
    await clear();
  });

  test.each<[Record<string, unknown>, string]>([
    ...['ABC', '(7', '7{3}', '.*', '((7))'].map((numberbeginswith): [Record<string, unknown>, string] => [
      { numberbeginswith },
      'numberbeginswith: must be digits, X, N, Z, [sets] or (a|b)',
    ]),
    [{ numberbeginswith: '7'.repeat(65) }, 'numberbeginswith: at most 64 characters (got 65)'],
    [{ restnumbers: -5 }, 'restnumbers: must be -1..20 (got -5)'],
    [{ restnumbers: 21 }, 'restnumbers: must be -1..20 (got 21)'],
    [{ trimfrombegin: 31 }, 'trimfrombegin: must be 0..30 (got 31)'],
    [{ prepend: 'x' }, 'prepend: must be digits, + * # only'],
    [{ callerid: 'Anna' }, 'callerid: must be digits, + allowed before them'],
    [{ callerid_forwarded: 'none' }, 'callerid_forwarded: must be one of caller, own'],
    [{ call_class: 'internal' }, 'call_class: must be one of national, international, premium'],
    [{ priority: 10_000 }, 'priority: must be 0..9999 (got 10000)'],
    [{ providerid: 'SIP-NO' }, 'providerid: no such provider'],
    [{ providerid: undefined }, 'providerid: required'],
    [{ rulename: undefined }, 'rulename: required'],
    [{ rulename: '' }, 'rulename: must not be empty'],
  ])('%j is 400', async (fields, problem) => {
    const { status, body } = await ask('POST', '', { rulename: 'x', providerid: 'SIP-P', ...fields });
    expect([status, body.messages.error]).toEqual([400, [problem]]);
  });

  test('a route that matches nothing is 422, by create, PUT and PATCH', async () => {
    const nothing = { numberbeginswith: '', restnumbers: 0 };
    const { id } = await made({ numberbeginswith: '112', restnumbers: 0 });
    for (const { status } of [
      await ask('POST', '', { rulename: 'x', providerid: 'SIP-P', ...nothing }),
      await ask('PUT', `/${id}`, { rulename: 'x', providerid: 'SIP-P', ...nothing }),
      await ask('PATCH', `/${id}`, { numberbeginswith: '' }),
    ])
      expect(status).toBe(422);
    await clear();
  });

  test('PATCH keeps omitted fields, PUT resets them to their defaults, except the priority', async () => {
    const { id } = await made({ note: 'a\nb', prepend: '9', priority: 7 });
    const patched = (await ask('PATCH', `/${id}`, { rulename: 'Other' })).body.data;
    expect(patched).toMatchObject({ rulename: 'Other', note: 'a\nb', prepend: '9', priority: 7 });
    const put = (await ask('PUT', `/${id}`, { rulename: 'Third', providerid: 'SIP-Q' })).body.data;
    expect(put).toMatchObject({ rulename: 'Third', providerid: 'SIP-Q', note: '', prepend: '', priority: 7 });
    await clear();
  });

  test('a route is copied, moved, searched and sorted', async () => {
    const one = await made({ rulename: 'Beta', prepend: '77', numberbeginswith: '0' });
    const two = await made({ rulename: 'Alpha', note: 'needle', numberbeginswith: '00' });
    const unsaved = (await ask('GET', `/${one.id}:copy`)).body.data;
    expect(unsaved).toMatchObject({ id: '', rulename: 'copy of Beta', priority: 3 });
    const copy = await ask('POST', `/${one.id}:copy`);
    expect([copy.status, copy.body.data]).toMatchObject([201, { rulename: 'copy of Beta', prepend: '77' }]);
    const moved = await ask('POST', ':changePriority', { priorities: { [two.id]: 1, [one.id]: 2 } });
    expect(moved.body.data.updated).toBe(2);
    const names = async (query = '') =>
      (await ask('GET', query)).body.data.map((found: { rulename: string }) => found.rulename);
    expect(await names()).toEqual(['Alpha', 'Beta', 'copy of Beta']);
    expect(await names('?search=77')).toEqual(['Beta', 'copy of Beta']);
    expect(await names('?search=NEEDLE')).toEqual(['Alpha']);
    expect(await names('?order=numberbeginswith&orderWay=desc')).toEqual(['Alpha', 'Beta', 'copy of Beta']);
    expect((await ask('GET', ':getDefault')).body.data).toMatchObject({
      id: '',
      priority: 4,
      providerid: '',
    });
    await clear();
  });

  test('a route below one that matches all its numbers gets a warning, a more specific one above does not', async () => {
    await made({ rulename: 'Abroad', numberbeginswith: '00', call_class: 'international', priority: 5 });
    const hidden = 'above takes every number of this one, which is only tried when that fails';
    const below = await made({ numberbeginswith: '0049', call_class: 'international', priority: 6 });
    expect(below.warnings).toEqual([expect.stringContaining(`"Abroad" (`)]);
    expect(below.warnings[0]).toContain(hidden);
    // Callers who may not use the route above reach this one.
    expect((await made({ numberbeginswith: '0049', priority: 7 })).warnings).toEqual([]);
    expect((await made({ numberbeginswith: '0', priority: 8 })).warnings).toEqual([]);
    expect((await made({ numberbeginswith: '0049', call_class: 'premium', priority: 1 })).warnings).toEqual(
      [],
    );
    await clear();
  });

  test('23.1 deleting the last route warns that all providers are open again', async () => {
    const [one, other] = [await made(), await made({ disabled: true })];
    expect((await ask('DELETE', `/${one.id}`)).body.messages.warning).toEqual([]);
    const last = await ask('DELETE', `/${other.id}`);
    expect([last.status, last.body.messages.warning]).toEqual([
      200,
      [
        'no outbound route is left: from now on every number goes out as dialled over all providers in service, from all but the call class internal',
      ],
    ]);
  });

  test('a provider in use cannot be deleted: 409 names the routes', async () => {
    const { id } = await made({ rulename: 'Uses Q', providerid: 'SIP-Q' });
    const { status, body } = await running.asAdmin('DELETE', '/sip-providers/SIP-Q');
    expect(status).toBe(409);
    expect(body.messages.error[0]).toContain(`is used by outbound route "Uses Q" (${id})`);
    await clear();
  });

  test('23.1, 23.6 the engine receives routes in order, without those of providers that are not in service', async () => {
    await running.asAdmin('PATCH', '/sip-providers/SIP-Q', { note: 'told' });
    await eventually(() => expect(engine.served.callFlow?.outboundRoutes).toBeUndefined());
    const off = await made({ rulename: 'Off', disabled: true, priority: 9 });
    await eventually(() => expect(engine.served.callFlow?.outboundRoutes).toHaveLength(1));
    await made({ providerid: 'SIP-OFF' });
    await made({ providerid: 'SIP-BARE' });
    const first = await made({ providerid: 'SIP-Q', numberbeginswith: '0', priority: 3, callerid: '+4930' });
    await eventually(() =>
      expect(engine.served.callFlow?.outboundRoutes).toMatchObject([
        { id: Number(first.id), providerId: 'SIP-Q', beginsWith: '0', callerId: '+4930', isDisabled: false },
        { id: Number(off.id), isDisabled: true },
      ]),
    );
    expect(engine.served.extensions[0]).toMatchObject({ outgoingCallerId: '+493066', callClass: 'premium' });
    await clear();
    await eventually(() => expect(engine.served.callFlow?.outboundRoutes).toBeUndefined());
  });

  describe('23.14 :test', () => {
    test.each([
      ['201', 'internal'],
      ['*28', 'feature'],
      ['*45', 'feature'],
      ['*45600', 'feature'],
      ['*469', 'feature'],
      ['*281', 'outside'],
      ['*45*1', 'outside'],
      ['112', 'emergency'],
      ['0301234', 'outside'],
    ])('%s is %s', async (number, kind) =>
      expect(await tested(number)).toMatchObject({ number, kind, allowed: true, reason: '' }),
    );

    test('without routes all providers in service are tried, except for the call class internal', async () => {
      expect((await tested('+49301', '201')).attempts).toEqual([
        {
          routeId: '',
          rulename: '',
          providerid: 'SIP-P',
          provider: 'A Provider',
          state: expect.any(String),
          dials: '+49301',
          callerid: '+493066',
          skipped: '',
        },
        expect.objectContaining({ providerid: 'SIP-Q', callerid: '+493066' }),
      ]);
      expect((await tested('0301')).attempts[0]).toMatchObject({ callerid: '4930' });
      expect(await tested('0301', '202')).toMatchObject({
        kind: 'outside',
        allowed: false,
        reason: 'the call class of 202 is internal',
      });
      expect(await tested('112', '202')).toMatchObject({ kind: 'emergency', allowed: true });
    });

    test('each matching route is listed, with the reason if it is skipped', async () => {
      await made({ rulename: 'a', disabled: true });
      await made({ rulename: 'b', providerid: 'SIP-OFF' });
      await made({ rulename: 'c', providerid: 'SIP-BARE' });
      await made({ rulename: 'd', call_class: 'premium', callerid: 'anonymous' });
      await made({ rulename: 'e', trimfrombegin: 9, prepend: '#' });
      await made({
        rulename: 'f',
        providerid: 'SIP-Q',
        numberbeginswith: '0',
        trimfrombegin: 1,
        prepend: '49',
      });
      await made({ rulename: 'g', numberbeginswith: '7' });
      const short = ({ attempts }: { attempts: readonly Record<string, string>[] }) =>
        attempts.map(({ rulename, dials, callerid, skipped }) =>
          [rulename, dials, callerid, skipped].join(' '),
        );
      expect(short(await tested('0301', '203'))).toEqual([
        'a 0301 4930 disabled',
        'b 0301  disabled',
        'c 0301  not in service',
        'd 0301 anonymous class',
        'e  4930 nothing left',
        'f 49301  ',
      ]);
      expect(short(await tested('1', '201')).slice(3)).toEqual(['d 1 +493066 ', 'e  +493066 nothing left']);
      expect(short(await tested('112', '202')).slice(3)).toEqual([
        'd 112 anonymous ',
        'e  4930 nothing left',
        ' 112  ',
      ]);
      expect(short(await tested('49170', '203'))).toEqual([' 0170  ']);
      // 20.2: a mobile is the same with and without its plus.
      expect(short(await tested('+49170', '203'))).toEqual([' 0170  ']);
      expect(short(await tested('49171', '203')).at(-1)).toBe('f 49171  ');
      await clear();
    });

    test('a number that no route matches has the kind nobody', async () => {
      await made({ numberbeginswith: '7' });
      expect(await tested('0301')).toMatchObject({ kind: 'nobody', allowed: false, attempts: [] });
      await clear();
    });

    test.each([
      ['number=0301&employee=999', 'employee: no such employee'],
      ['number=Anna', 'number: must be digits, + * # only'],
      ['employee=201', 'number: required'],
    ])('%s is 400', async (query, problem) => {
      const { status, body } = await ask('GET', `:test?${query}`);
      expect([status, body.messages.error]).toEqual([400, [problem]]);
    });
  });
});
