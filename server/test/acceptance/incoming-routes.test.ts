import { describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 22: incoming routes on $name', ({ open }) => {
  const running = useApp(open, { PBXCORE_INBOUND_EXTENSION: '250', PBXCORE_COUNTRY_CODE: '49' });
  const { made: hire } = createEmployeeRig(running);
  const ask = running.asAdmin;
  const create = (fields: object = {}) =>
    ask('POST', '/incoming-routes', { extension: '+4930999', ...fields });
  async function made(fields: object = {}) {
    const { status, body, text } = await create(fields);
    if (status !== 201) throw new Error(text);
    return body.data;
  }
  const listed = async (query = '') =>
    (await ask('GET', `/incoming-routes${query}`)).body.data as { id: string; [field: string]: unknown }[];
  const provider = async (fields: object = {}) =>
    (await ask('POST', '/sip-providers', { description: 'P', host: 'p.example', ...fields })).body.data;

  test('M1: route 1 exists from the first start on, made from the setting', async () => {
    const { status, body } = await ask('GET', '/incoming-routes:getDefaultRoute');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: '1',
      rulename: 'Default route',
      note: '',
      number: '',
      match: 'exact',
      providerid: 'none',
      callers: [],
      priority: 9999,
      timeout: 0,
      extension: '250',
      audio_message_id: '',
      disabled: false,
      did_to_extension: true,
      providerid_represent: 'Any provider',
      provider_type: '',
      provider_disabled: false,
      extension_represent: '250',
      audio_message_id_represent: '',
      search_index: expect.any(String),
    });
    expect((await ask('GET', '/incoming-routes/1')).body.data).toEqual(body.data);
    expect((await listed()).map(({ id }) => id)).not.toContain('1');
  });

  test('whatever is sent to route 1, its number, provider, callers and priority stay', async () => {
    const { body } = await ask('GET', '/incoming-routes/1');
    expect((await ask('PUT', '/incoming-routes/1', body.data)).body.data).toEqual(body.data);
    const sent = {
      priority: 5,
      number: '123',
      match: 'ends',
      providerid: 'none',
      callers: ['1'],
      disabled: true,
      timeout: 9,
    };
    const patched = await ask('PATCH', '/incoming-routes/1', sent);
    expect(patched.status).toBe(200);
    expect(patched.body.data).toEqual({ ...body.data, timeout: 9 });
    expect((await ask('PATCH', '/incoming-routes/1', { extension: '' })).body.data).toMatchObject({
      extension: '',
    });
    await ask('PATCH', '/incoming-routes/1', { extension: '250', timeout: 0 });
    const deleted = await ask('DELETE', '/incoming-routes/1');
    expect(deleted.status).toBe(409);
    expect(deleted.body.messages.error).toEqual(['the default route cannot be deleted']);
  });

  test('a create answers with the defaults and the meaning of the route, and reading returns the same', async () => {
    const anna = await hire();
    const { body, status } = await create({ extension: anna.number, number: 74951234567, id: '77' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      rulename: '',
      number: '74951234567',
      match: 'exact',
      providerid: 'none',
      callers: [],
      timeout: 120,
      extension: anna.number,
      disabled: false,
      did_to_extension: false,
      providerid_represent: 'Any provider',
      extension_represent: `Anna Example <${anna.number}>`,
    });
    expect(body.data.id).not.toBe('77');
    expect((await ask('GET', `/incoming-routes/${body.data.id}`)).body.data).toEqual(body.data);
    const item = (await listed('?search=74951234567')).find(({ id }) => id === body.data.id);
    expect(item).toEqual({
      ...body.data,
      rule_represent: `Calls to 74951234567 go to Anna Example <${anna.number}> for at most 120 s`,
    });
  });

  test('the sentence of a route states number, provider, callers and target in plain words', async () => {
    const { id: providerid } = await provider({ description: 'Trunk' });
    const sentences: [object, string][] = [
      [
        { extension: 'hangup', callers: ['+4917*', 'anonymous'] },
        'Calls to any number from +4917*, callers without a number are refused',
      ],
      [
        { extension: 'busy', number: '4567', match: 'ends', providerid },
        'Calls to numbers that end with 4567 over Trunk are told that the line is busy',
      ],
      [
        { extension: 'did2user', number: '_49XX.', timeout: 0, disabled: true },
        'Calls to numbers like _49XX. ring whoever has the called number (switched off)',
      ],
      [{ extension: '+493011', number: 'sales', timeout: 5 }, 'Calls to sales go to +493011 for at most 5 s'],
    ];
    for (const [fields, sentence] of sentences) {
      const { id } = await made(fields);
      expect((await listed()).find((item) => item.id === id)?.rule_represent).toBe(sentence);
      await ask('DELETE', `/incoming-routes/${id}`);
    }
  });

  test.each([
    [{ timeout: -5 }, 'timeout: must be 0..7400 (got -5)'],
    [{ timeout: 7401 }, 'timeout: must be 0..7400 (got 7401)'],
    [{ timeout: 'x' }, 'timeout: must be an integer'],
    [{ priority: 9999 }, 'priority: must be 0..9998 (got 9999)'],
    [{ priority: -1 }, 'priority: must be 0..9998 (got -1)'],
    [{ number: '12;3' }, 'number: must be a number, a pattern or a name'],
    [{ number: '1'.repeat(51) }, 'number: at most 50 characters (got 51)'],
    [{ number: '_' }, 'number: must be a number, a pattern or a name'],
    [{ number: '[1' }, 'number: must be a number, a pattern or a name'],
    [{ match: 'begins' }, 'match: must be one of exact, ends'],
    [{ providerid: 'SIP-NO' }, 'providerid: no such provider'],
    [{ callers: 'x' }, 'callers: must be an array of numbers'],
    [{ callers: ['1', '*'] }, 'callers: [1]: must be digits, + allowed before them'],
    [{ callers: Array(201).fill('1') }, 'callers: at most 200 entries (got 201)'],
    [{ audio_message_id: '999' }, 'audio_message_id: no such sound file'],
    [{ extension: undefined }, 'extension: required'],
    [{ extension: '' }, 'extension: must not be empty'],
    [
      { extension: '*45' },
      'extension: must be a number of 1..20 digits, or one of hangup, busy, did2user, voicemail',
    ],
    [
      { extension: '112' },
      'extension: must be a number of 1..20 digits, or one of hangup, busy, did2user, voicemail',
    ],
    [{ rulename: 'x'.repeat(101) }, 'rulename: at most 100 characters (got 101)'],
    [{ note: 'x'.repeat(1025) }, 'note: at most 1024 characters (got 1025)'],
    [{ disabled: 'maybe' }, expect.stringContaining('disabled: ')],
  ])('%o is refused with 400', async (fields, message) => {
    const { status, body } = await create(fields);
    expect(status).toBe(400);
    expect(body.messages.error).toEqual([message]);
  });

  test('a match by ending needs at least four digits and nothing else: 422', async () => {
    for (const number of ['', '123', '+4567', '_4567X', 'sales'])
      expect((await create({ match: 'ends', number })).status, number).toBe(422);
    expect((await create({ match: 'ends', number: '4567' })).status).toBe(201);
  });

  test('a target that is nobody’s number or a mailbox is stored with a warning', async () => {
    const short = await create({ extension: '299' });
    expect(short.body.messages.warning).toEqual([
      "extension: 299 is nobody's number here, it would be dialled outside",
    ]);
    expect((await create({ extension: 'voicemail' })).body.messages.warning).toHaveLength(1);
    expect((await create({ number: 'NXX' })).body.messages.warning).toEqual([
      'number: NXX is a pattern of digits, not a name',
    ]);
  });

  test('PATCH keeps what is not sent, PUT sets it to defaults, and both keep the priority', async () => {
    const { id: providerid } = await provider({ disabled: true });
    const { id, priority } = await made({ number: '123', providerid, callers: ['+49*'], note: 'a\nb' });
    const patched = (await ask('PATCH', `/incoming-routes/${id}`, { timeout: '30' })).body.data;
    expect(patched).toMatchObject({
      number: '123',
      providerid,
      callers: ['+49*'],
      note: 'a\nb',
      timeout: 30,
      priority,
    });
    // Contract 22.13.
    expect(patched).toMatchObject({
      provider_disabled: true,
      provider_type: 'SIP',
      providerid_represent: 'P',
    });
    const put = (await ask('PUT', `/incoming-routes/${id}`, { extension: 'busy', providerid: '' })).body.data;
    expect(put).toMatchObject({
      number: '',
      providerid: 'none',
      callers: [],
      note: '',
      timeout: 120,
      priority,
    });
    expect((await ask('GET', '/incoming-routes/999999')).status).toBe(404);
  });

  test('a provider that a route names cannot be deleted, and the error names the route', async () => {
    const { id: providerid } = await provider();
    const { id } = await made({ providerid, rulename: 'Main' });
    const refused = await ask('DELETE', `/sip-providers/${providerid}`);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`incoming route \\"Main\\" (${id})`);
    await ask('DELETE', `/incoming-routes/${id}`);
    expect((await ask('DELETE', `/sip-providers/${providerid}`)).status).toBe(200);
  });

  test('priorities change in one step; only an entry for route 1 is silently skipped', async () => {
    const [one, two] = [await made(), await made()];
    const change = (body: unknown) => ask('POST', '/incoming-routes:changePriority', body);
    const done = await change({ priorities: { 1: 9999, [one.id]: 9000, [two.id]: 8999 } });
    expect(done.body.data).toMatchObject({ updated: 2 });
    expect((await listed()).slice(-2).map(({ id }) => id)).toEqual([two.id, one.id]);
    expect((await change({ 1: 4 })).body.data).toMatchObject({ updated: 0 });
    expect((await ask('GET', '/incoming-routes/1')).body.data.priority).toBe(9999);
    expect((await change({ priorities: { [one.id]: 9999 } })).status).toBe(400);
    expect((await change({ priorities: { [one.id]: 1, 999999: 2 } })).status).toBe(404);
    expect((await ask('GET', `/incoming-routes/${one.id}`)).body.data.priority).toBe(9000);
  });

  test('lists are searched, sorted, and narrowed to a provider', async () => {
    const { id: providerid } = await provider();
    const b = await made({ rulename: 'Zz Beta', number: '5551', providerid });
    const a = await made({ rulename: 'Zz alpha', number: '5552', note: 'findable' });
    const ids = async (query: string) => (await listed(query)).map(({ id }) => id);
    expect(await ids('?search=zz')).toEqual([b.id, a.id]);
    expect(await ids('?search=zz&order=rulename')).toEqual([a.id, b.id]);
    expect(await ids('?search=zz&order_by=number&order_direction=DESC')).toEqual([a.id, b.id]);
    expect(await ids('?search=FINDABLE')).toEqual([a.id]);
    expect(await ids(`?providerid=${providerid}`)).toEqual([b.id]);
    expect(await ids('?search=zz&providerid=')).toEqual([b.id, a.id]);
  });

  test('a copy has a name of its own and is stored only by POST', async () => {
    const { id } = await made({ rulename: 'Main', number: '777' });
    const unsaved = (await ask('GET', `/incoming-routes/${id}:copy`)).body.data;
    expect(unsaved).toMatchObject({ id: '', rulename: 'copy of Main', number: '777' });
    const stored = await ask('POST', `/incoming-routes/${id}:copy`);
    expect(stored.status).toBe(201);
    expect(stored.body.data).toMatchObject({ rulename: 'copy of Main', number: '777' });
    expect(stored.body.data.id).not.toBe(id);
    expect((await ask('GET', '/incoming-routes:getDefault')).body.data).toMatchObject({
      id: '',
      extension: '',
      timeout: 120,
    });
  });

  test('an employee whom a route names cannot be deleted, and the route follows a new number', async () => {
    const anna = await hire();
    const { id } = await made({ extension: anna.number, rulename: 'Follows' });
    const refused = await ask('DELETE', `/employees/${anna.id}`);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`incoming route \\"Follows\\" (${id})`);
    await ask('PATCH', `/employees/${anna.id}`, { number: '28881' });
    expect((await ask('GET', `/incoming-routes/${id}`)).body.data.extension).toBe('28881');
  });

  test('numbers called in the last 90 days are listed, the newest first, without login names', async () => {
    const { id: providerid } = await provider({ username: 'acme', secret: 'x' });
    const { sql } = createOutsider(running.stores);
    const day = (days: number) =>
      new Date(running.app.now() - days * 86_400_000).toISOString().replace('T', ' ').slice(0, 23);
    const leg = (at: number, did: string, from: string, days: number) =>
      `('${day(days)}', 'call-${at}', 'leg-${at}', '${did}', '${from}')`;
    await sql(`insert into cdr_general (start, linkedid, "UNIQUEID", did, from_account) values
      ${[
        leg(1, '4930111', providerid, 5),
        leg(2, '4930111', providerid, 3),
        leg(3, '4930222', 'SIP-OTHER', 2),
        leg(4, 'acme', providerid, 1),
        leg(5, '4930333', providerid, 91),
        leg(6, '', providerid, 1),
      ].join(',')}`);
    const dids = async (query = '') => (await ask('GET', `/incoming-routes:getUniqueDIDs${query}`)).body.data;
    expect(await dids()).toEqual([
      { value: '4930222', name: '4930222', lastSeen: day(2), calls: 1 },
      { value: '4930111', name: '4930111', lastSeen: day(3), calls: 2 },
    ]);
    const values = async (query: string) => (await dids(query)).map(({ value }: { value: string }) => value);
    expect(await values(`?providerid=${providerid}`)).toEqual(['4930111']);
    await made({ number: '030222' });
    expect(await values('?unmatched=true')).toEqual(['4930111']);
  });
});
