import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 1.6: scalars on $name', ({ open }) => {
  const running = useApp(open);
  const create = (fields: object) =>
    running.asAdmin('POST', '/firewall', { network: '10.0.0.0', subnet: 8, ...fields });
  const rules = (fields: object | string) => running.asAdmin('PATCH', '/fail2ban', fields);
  const key = (fields: object | string) => running.asAdmin('POST', '/api-keys', fields);

  test.each([
    [true, true],
    ['true', true],
    ['1', true],
    [1, true],
    [false, false],
    ['false', false],
    ['0', false],
    [0, false],
  ])('boolean %j is read as %j and answered as JSON boolean', async (sent, expected) => {
    expect((await create({ local_network: sent })).body.data.local_network).toBe(expected);
  });

  test.each(['on', 'yes', 'True', 'TRUE', '', ' true', 'null', 2, -1, 1.5, [], {}, [true]])(
    'boolean %j is 400 with an error that names the field',
    async (sent) => {
      const { status, body } = await create({ local_network: sent });
      expect(status).toBe(400);
      expect(body.messages.error[0]).toMatch(/^local_network: /);
    },
  );

  test('an absent or null boolean takes the default on create and is unchanged by PATCH', async () => {
    const { body } = await create({ local_network: null });
    expect(body.data.local_network).toBe(false);
    const item = `/firewall/${body.data.id}`;
    await running.asAdmin('PATCH', item, { local_network: true });
    expect((await running.asAdmin('PATCH', item, { local_network: null })).body.data.local_network).toBe(
      true,
    );
  });

  test.each([
    ['true', 2],
    ['TRUE', 2],
    ['1', 2],
    ['false', 1],
    ['False', 1],
    ['0', 1],
    ['yes', 1],
    ['', 1],
  ])('query flag %j: true, 1, false, 0 in any case, anything else is the default', async (value, fixed) => {
    const { body } = await running.asAdmin('GET', `/network-filters:getForSelect?includeLocalhost=${value}`);
    const values = body.data.map((choice: { value: string }) => choice.value);
    expect(values.slice(0, fixed)).toEqual(['none', 'localhost'].slice(0, fixed));
    expect(values.filter((name: string) => !/^\d+$/.test(name))).toHaveLength(fixed);
  });

  test.each([
    [30, 30],
    ['30', 30],
    ['030', 30],
    [30.0, 30],
  ])('integer %j is read as %j and answered as JSON integer', async (sent, expected) => {
    expect((await rules({ maxretry: sent })).body.data.maxretry).toBe(expected);
  });

  test.each([1.5, '1.5', '1e1', '', 'x', '0x10', '１', true, [], {}, '--1', 1e300, '99999999999999999999'])(
    'integer %j is 400',
    async (sent) => {
      const { status, body } = await rules({ maxretry: sent });
      expect(status).toBe(400);
      expect(body.messages.error[0]).toMatch(/^maxretry: /);
    },
  );

  test('a negative integer is read, and the error names its bound', async () => {
    expect((await create({ priority: '-5' })).body.data.priority).toBe(-5);
    expect((await rules({ maxretry: -1 })).body.messages.error).toEqual([
      'maxretry: must be 1..100 (got -1)',
    ]);
  });

  test('white space at the ends of a string is removed', async () => {
    expect((await key({ description: '  two words \n' })).body.data.description).toBe('two words');
  });

  test('length counts Unicode code points and nothing is truncated', async () => {
    const emoji = '😀'.repeat(255);
    expect((await key({ description: emoji })).body.data.description).toBe(emoji);
    const { status, body } = await key({ description: `${emoji}x` });
    expect({ status, error: body.messages.error }).toEqual({
      status: 400,
      error: ['description: at most 255 characters (got 256)'],
    });
    expect((await key({ description: ' ' })).body.messages.error).toEqual(['description: must not be empty']);
  });

  test.each(['\\u0000', '\\u0001', '\\n', '\\u001b', '\\u007f', '\\u0085', '\\u009f'])(
    'the control character %s is 400, on either database',
    async (escaped) => {
      const { status, body } = await key(`{"description":"a${escaped}b"}`);
      expect(status).toBe(400);
      expect(body.messages.error).toEqual(['description: control characters are not allowed']);
    },
  );

  test('NUL is 400 in every text input', async () => {
    const nul = 'a\u0000b';
    const calls = [
      create({ description: nul }),
      create({ deny: `192.0.2.1,${nul}` }),
      rules({ whitelist: nul }),
      rules({ PBXFirewallMaxReqSec: nul }),
      key({ description: 'x', key: `${nul}${'k'.repeat(40)}` }),
      key({ description: 'x', networkfilterid: nul }),
      key({ description: 'x', allowed_paths: { [`/api/v3/${nul}xx`]: 'read' } }),
      running.asAdmin('GET', '/network-filters?search=%00'),
      running.asAdmin('GET', '/firewall:explain?ip=%00'),
      running.asAdmin('GET', '/firewall-bouncer/v1/decisions?value=%00'),
      running.call('POST', '/auth:login', { body: { login: nul, password: nul } }),
      running.call('POST', '/auth:refresh', { body: { refreshToken: nul } }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ status: 400 });
  });

  test('NUL is accepted in a usage report, which is stored unchanged', async () => {
    const body = '{"a\\u0000b":"\\u0000"}';
    const { key: bouncer } = await running.app.createKey();
    const answer = await running.call('POST', '/firewall-bouncer/v1/usage-metrics', { key: bouncer, body });
    expect(answer.status).toBe(201);
  });

  test('half a surrogate pair is 400, because it could not be returned unchanged', async () => {
    expect(await key('{"description":"a\\ud800b"}')).toMatchObject({ status: 400 });
  });

  test('markup is stored and returned unchanged', async () => {
    const markup = `<script>alert("1")</script>' OR 1=1; -- & %27 \${x} {{y}}`;
    const { body } = await key({ description: markup });
    expect((await running.asAdmin('GET', `/api-keys/${body.data.id}`)).body.data.description).toBe(markup);
  });

  test('a string field accepts no other type', async () => {
    for (const description of [1, true, [], {}]) {
      expect((await key({ description })).body.messages.error).toEqual(['description: must be a string']);
    }
  });

  test('an enum accepts only the exact spelling, and the error lists the values', async () => {
    const { status, body } = await running.asAdmin('POST', '/firewall:banIp', {
      ip: '192.0.2.1',
      seconds: 60,
      category: 'SIP',
    });
    expect(status).toBe(400);
    expect(body.messages.error).toEqual(['category: must be one of sip, http, ami, iax']);
  });

  test('an id is a JSON string, also in lists', async () => {
    const { body } = await create({});
    expect(body.data.id).toMatch(/^\d+$/);
    for (const path of ['/api-keys', '/firewall', '/network-filters']) {
      const { data } = (await running.asAdmin('GET', path)).body;
      for (const { id } of data.items ?? data) expect(typeof id).toBe('string');
    }
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['198.51.100.77/24', '198.51.100.0/24'],
    ['2001:db8:1:2::7/32', '2001:db8::/32'],
  ])('the address %s is written back as %s', async (sent, written) => {
    const { body } = await running.asAdmin('POST', '/firewall:banIp', { ip: sent, seconds: 60 });
    expect(body.data.ip).toBe(written);
  });

  test.each([
    '010.0.0.1',
    '300.1.1.1',
    '10.0.0',
    '10.0.0.0/33',
    'fe80::1%eth0',
    '2001:db8::/129',
    '0x7f.1',
    'example.org',
    '1',
    '',
  ])('the address %j is 400', async (sent) => {
    expect(await running.asAdmin('POST', '/firewall:banIp', { ip: sent, seconds: 60 })).toMatchObject({
      status: 400,
    });
  });
});
