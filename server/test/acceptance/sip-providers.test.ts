import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

const MASK = 'XXXXXXXX';
const PLAIN = { description: 'Trunk', host: 'sip.example.org' };
const CREDENTIALS = { username: 'u100', secret: 'hush hush' };

describe.each(availablePairs)('contract 4: SIP providers on $name', ({ open }) => {
  const running = useApp(open);
  const create = (fields: object = {}) => running.asAdmin('POST', '/sip-providers', { ...PLAIN, ...fields });
  const created = async (fields: object = {}) => {
    const { status, body } = await create(fields);
    expect(status).toBe(201);
    return body.data;
  };
  const at = (id: string) => `/sip-providers/${id}`;
  const read = async (id: string) => (await running.asAdmin('GET', at(id))).body.data;

  test('a create with the two required fields answers 201 and the full record with every default', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toMatchObject({ result: true, function: 'create', httpCode: 201 });
    expect(body.messages.warning).toEqual([]);
    expect(body.data).toEqual({
      ...PLAIN,
      id: expect.stringMatching(/^SIP-TRUNK-[0-9A-F]{8}$/),
      type: 'SIP',
      username: '',
      secret: '',
      registration_type: 'none',
      qualify: true,
      qualifyfreq: 60,
      transport: 'udp,tcp',
      dtmfmode: 'auto',
      port: 5060,
      disabled: false,
      note: '',
      networkfilterid: 'none',
      networkfilter_represent: 'No restriction',
      manualattributes: '',
      fromuser: '',
      fromdomain: '',
      outbound_proxy: '',
      disablefromuser: false,
      cid_source: 'default',
      cid_custom_header: '',
      cid_parser_start: '',
      cid_parser_end: '',
      cid_parser_regex: '',
      did_source: 'default',
      did_custom_header: '',
      did_parser_start: '',
      did_parser_end: '',
      did_parser_regex: '',
      cid_did_debug: false,
      cid_placement: 'pai',
      additionalHosts: [],
    });
    expect(await read(body.data.id)).toEqual(body.data);
  });

  test('the type is outbound when username and secret are both given, else none', async () => {
    expect((await created(CREDENTIALS)).registration_type).toBe('outbound');
    expect((await created({ username: 'u' })).registration_type).toBe('none');
    expect((await created({ secret: 's' })).registration_type).toBe('none');
    expect((await created({ ...CREDENTIALS, registration_type: 'inbound' })).registration_type).toBe(
      'inbound',
    );
  });

  test.each(['SIP-x', 'SIP-TRUNK-0A1B2C3D', 'SIP-PROVIDER-a_b-C', `SIP-TRUNK-${'a'.repeat(64)}`])(
    'the id %s given by a client is kept, and is 409 when it is taken',
    async (id) => {
      expect((await created({ id })).id).toBe(id);
      const { status, body } = await create({ id });
      expect({ status, error: body.messages.error }).toEqual({ status: 409, error: ['id: already taken'] });
    },
  );

  test.each([
    'x',
    'SIP-',
    'sip-x',
    'SIP-a b',
    'SIP-a/b',
    'SIP-a:b',
    `SIP-TRUNK-${'a'.repeat(71)}`,
    7,
    'SIP-ä',
  ])('the id %j given by a client is 400', async (id) => {
    const { status, body } = await create({ id });
    expect(status).toBe(400);
    expect(body.messages.error[0]).toMatch(/^id: /);
  });

  test('of concurrent creates with one id, one gets 201 and the others 409', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ id: 'SIP-RACE' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('an id outside the pattern has no route, and one that matches but does not exist is 404', async () => {
    for (const path of ['/sip-providers/7', '/sip-providers/SIP-', '/sip-providers/IAX-TRUNK-1'])
      expect((await running.asAdmin('GET', path)).status).toBe(404);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await running.asAdmin(method, at('SIP-MISSING'));
      expect({ method, status, httpCode: body.httpCode }).toEqual({ method, status: 404, httpCode: 404 });
      expect(body.messages.error[0]).toContain('not found');
    }
  });

  test('a record that was read can be PUT back unchanged', async () => {
    const record = await created({
      ...CREDENTIALS,
      note: 'a\nb',
      additionalHosts: [{ address: '192.0.2.1' }],
    });
    const { status, body } = await running.asAdmin('PUT', at(record.id), record);
    expect(status).toBe(200);
    expect(body.messages.warning).toEqual([]);
    expect(body.data).toEqual(record);
    expect((await running.asAdmin('PUT', at(record.id), { ...record, type: 'IAX' })).body.data.type).toBe(
      'SIP',
    );
  });

  test('PUT resets absent optional fields but not the secret, and needs description and host', async () => {
    const { id } = await created({ ...CREDENTIALS, port: 5070, note: 'n', disabled: true, qualify: false });
    const { body } = await running.asAdmin('PUT', at(id), { description: 'New', host: '192.0.2.9' });
    expect(body.data).toMatchObject({
      description: 'New',
      host: '192.0.2.9',
      port: 5060,
      note: '',
      username: '',
      disabled: false,
      qualify: true,
      registration_type: 'none',
      secret: CREDENTIALS.secret,
    });
    const { status, body: refused } = await running.asAdmin('PUT', at(id), {});
    expect(status).toBe(400);
    expect(refused.messages.error).toEqual(['description: required', 'host: required']);
  });

  test('PATCH touches only what was sent; null and an empty body change nothing', async () => {
    const record = await created({
      ...CREDENTIALS,
      note: 'kept',
      additionalHosts: [{ address: 'a.example' }],
    });
    const { body } = await running.asAdmin('PATCH', at(record.id), { port: '5080', note: null });
    expect(body.data).toEqual({ ...record, port: 5080 });
    expect((await running.asAdmin('PATCH', at(record.id), {})).body.data).toEqual({ ...record, port: 5080 });
    expect((await running.asAdmin('PATCH', at(record.id), { host: '' })).status).toBe(400);
    const unknown = await running.asAdmin('PATCH', at(record.id), { colour: 'red' });
    expect(unknown.body.messages.warning).toEqual(['colour: unknown field, ignored']);
  });

  test('concurrent writes of different fields do not undo each other', async () => {
    const { id } = await created();
    await Promise.all([
      running.asAdmin('PATCH', at(id), { port: 5081 }),
      running.asAdmin('PATCH', at(id), { note: 'both' }),
      running.asAdmin('PATCH', at(id), { dtmfmode: 'info' }),
    ]);
    expect(await read(id)).toMatchObject({ port: 5081, note: 'both', dtmfmode: 'info' });
  });

  test('the mask keeps the stored secret, as an empty one does with PATCH; PUT can clear it', async () => {
    const { id } = await created({ ...CREDENTIALS, registration_type: 'inbound' });
    const secretAfter = async (method: string, fields: object) =>
      (
        await running.asAdmin(method, at(id), {
          ...PLAIN,
          username: 'u',
          registration_type: 'none',
          ...fields,
        })
      ).body.data.secret;
    expect(await secretAfter('PATCH', { secret: MASK })).toBe(CREDENTIALS.secret);
    expect(await secretAfter('PATCH', { secret: '' })).toBe(CREDENTIALS.secret);
    expect(await secretAfter('PUT', { secret: MASK })).toBe(CREDENTIALS.secret);
    expect(await secretAfter('PATCH', { secret: ' other ' })).toBe(' other ');
    expect(await secretAfter('PUT', { secret: '' })).toBe('');
    const { status, body } = await create({ ...CREDENTIALS, secret: MASK });
    expect(status).toBe(400);
    expect(body.messages.error[0]).toMatch(/^secret: /);
  });

  test('the secret is masked by type and level, and appears in no list', async () => {
    const reader = await running.keyFor({ '/api/v3/sip-providers': 'read', '/api/v3/providers': 'read' });
    const writer = await running.keyFor({ '/api/v3/sip-providers': 'write', '/api/v3/providers': 'write' });
    for (const path of ['/sip-providers', '/providers']) {
      const shown = async (fields: object) => {
        const { id } = await created(fields);
        const seenBy = async (key: string) =>
          (await running.call('GET', `${path}/${id}`, { key })).body.data.secret;
        return [await seenBy(reader), await seenBy(writer)];
      };
      expect(await shown({ ...CREDENTIALS, registration_type: 'outbound' })).toEqual([MASK, MASK]);
      expect(await shown({ ...CREDENTIALS, registration_type: 'inbound' })).toEqual([
        MASK,
        CREDENTIALS.secret,
      ]);
      expect(await shown({ ...CREDENTIALS, registration_type: 'none' })).toEqual([MASK, CREDENTIALS.secret]);
      expect(await shown({})).toEqual(['', '']);
      for (const list of [path, `${path}:getStatuses`])
        expect((await running.call('GET', list, { key: writer })).text).not.toContain(CREDENTIALS.secret);
    }
    expect((await created({ ...CREDENTIALS })).secret).toBe(MASK);
    expect((await created({ ...CREDENTIALS, registration_type: 'none' })).secret).toBe(CREDENTIALS.secret);
  });

  test('a trunk that registers without both credentials is stored with a warning', async () => {
    for (const registration_type of ['inbound', 'outbound']) {
      for (const fields of [{}, { username: 'u' }, { secret: 's' }]) {
        const { status, body } = await create({ registration_type, ...fields });
        expect(status).toBe(201);
        expect(body.messages.warning).toEqual([expect.stringContaining('not in service')]);
      }
    }
    const { id } = await created({ registration_type: 'outbound' });
    const { body } = await running.asAdmin('PATCH', at(id), CREDENTIALS);
    expect(body.messages.warning).toEqual([]);
  });

  test('getDefault is an unsaved outbound record, and can be sent back with a name and a host', async () => {
    const { body } = await running.asAdmin('GET', '/sip-providers:getDefault');
    expect(body.data).toMatchObject({ id: '', type: 'SIP', registration_type: 'outbound', port: 5060 });
    const answer = await create({ ...body.data, ...PLAIN });
    expect(answer.status).toBe(201);
    expect(answer.body.data.id).toMatch(/^SIP-TRUNK-/);
  });

  test('copy is unsaved, without id and secret, and with a new description and username', async () => {
    const original = await created({ ...CREDENTIALS, description: 'd'.repeat(255), port: 5090 });
    const { body } = await running.asAdmin('GET', `${at(original.id)}:copy`);
    expect(body.data).toEqual({
      ...original,
      id: '',
      secret: '',
      username: 'u100_copy',
      description: `Copy of ${'d'.repeat(247)}`,
    });
    expect((await running.asAdmin('POST', '/sip-providers', body.data)).status).toBe(201);
    expect((await running.asAdmin('GET', '/sip-providers/SIP-MISSING:copy')).status).toBe(404);
  });

  test('a deleted provider is gone', async () => {
    const { id } = await created();
    expect((await running.asAdmin('DELETE', at(id))).body.data).toEqual({ deleted_id: id });
    expect((await running.asAdmin('GET', at(id))).status).toBe(404);
    expect((await running.asAdmin('DELETE', at(id))).status).toBe(404);
  });

  test('a filter that a provider uses cannot be deleted', async () => {
    const filter = (await running.asAdmin('POST', '/firewall', { network: '10.0.0.0', subnet: 8 })).body.data
      .id;
    const { id, networkfilterid } = await created({ networkfilterid: Number(filter) });
    expect(networkfilterid).toBe(filter);
    const { status, body } = await running.asAdmin('DELETE', `/firewall/${filter}`);
    expect(status).toBe(409);
    expect(body.messages.error[0]).toContain('provider "Trunk"');
    await running.asAdmin('PATCH', at(id), { networkfilterid: 'none' });
    expect((await running.asAdmin('DELETE', `/firewall/${filter}`)).status).toBe(200);
  });

  test('records survive a restart', async () => {
    const record = await created({ ...CREDENTIALS, additionalHosts: [{ address: '2001:DB8::1' }] });
    await running.app.restart();
    expect(await read(record.id)).toEqual(record);
  });
});
