import { beforeAll, describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

const chars = (count: number) => 'a'.repeat(count);
const emoji = (count: number) => '😀'.repeat(count);
const hosts = (count: number) => Array.from({ length: count }, (_, n) => ({ address: `h${n}.example` }));

/** Field, values stored unchanged, values refused. */
const ROWS: [field: string, accepted: unknown[], refused: unknown[]][] = [
  [
    'description',
    ['x', emoji(255), '<b>"&\'</b>'],
    ['', ' ', chars(256), 1, true, [], {}, 'a\nb', 'a\u0000b'],
  ],
  [
    'host',
    [
      'a',
      'sip.example.org',
      chars(255),
      'under_score.example',
      '192.0.2.1',
      '2001:db8::1',
      'xn--bcher-kva.example',
    ],
    [
      '',
      ' ',
      chars(256),
      'a b',
      'a..b',
      '.a',
      'a.',
      '-a',
      'a-',
      '300.1.1.1',
      '10.0.0',
      '010.0.0.1',
      '192.0.2.0/24',
    ],
  ],
  ['host', [], ['[2001:db8::1]', 'fe80::1%eth0', 'sip:a', 'a:5060', 'a;b', 'a\r\nb', 'ä.example', 7, {}, []]],
  ['username', ['', 'u', 'A.b_c+d-9', chars(100)], [chars(101), 'a b', 'a@b', 'ä', '"', 'a;b', 1, false]],
  ['fromuser', ['', chars(100), emoji(100)], [chars(101), 'a\nb', 1]],
  ['fromdomain', ['', chars(255)], [chars(256), 'a\u0085b', 1]],
  ['outbound_proxy', ['', 'sip:proxy.example:5060;lr', chars(255)], [chars(256), 'a\tb', []]],
  ['note', ['', 'two\nlines', 'two\r\nlines', emoji(500)], [chars(501), 'a\tb', 'a\u0000b', 'a\u001bb', 3]],
  ['manualattributes', ['', ' [a]\r\nb=c\n ', chars(4096)], [chars(4097), 'a\u0000b', 'a\tb', 3, {}]],
  ['registration_type', ['inbound', 'outbound', 'none'], ['', 'Outbound', 'both', 1]],
  ['transport', ['udp', 'tcp', 'tls', 'udp,tcp'], ['', 'UDP', 'tcp,udp', 'ws']],
  ['dtmfmode', ['auto', 'rfc4733', 'inband', 'info', 'auto_info'], ['', 'rfc2833', 'AUTO']],
  ['cid_source', ['default', 'from', 'rpid', 'pai', 'custom'], ['', 'to', 'From']],
  ['cid_placement', ['pai', 'from', 'rpid'], ['', 'PAI', 'to']],
  ['did_source', ['default', 'to', 'diversion', 'custom'], ['', 'from', 'TO']],
  ['port', [1, 5060, 65_535], [0, -1, 65_536, 1.5, '', 'x', true, '5060.0', [], {}]],
  ['qualifyfreq', [10, 3600], [9, 3601, 60.5, '', 'x', false]],
  ['networkfilterid', ['none', '7'], ['localhost', 'x', -1, 1.5, '1 2', '1'.repeat(10), [], {}, 8, '0']],
  ...['qualify', 'disabled', 'disablefromuser', 'cid_did_debug'].map(
    (field): [string, unknown[], unknown[]] => [
      field,
      [true, false],
      ['on', 'yes', 'True', 'TRUE', '', ' true', 'null', 2, -1, 1.5, [], {}],
    ],
  ),
  ...['custom_header', 'parser_start', 'parser_end'].flatMap((name) =>
    ['cid_', 'did_'].map((prefix): [string, unknown[], unknown[]] => [
      prefix + name,
      ['', chars(255), '((a+)+)+{1,9999}|\\1'],
      [chars(256), 'a\nb', 1],
    ]),
  ),
  ...['cid_parser_regex', 'did_parser_regex'].map((field): [string, unknown[], unknown[]] => [
    field,
    ['', chars(255), '^(?<n>\\d+)$', '/sip:(\\+?\\d{3,15})@/i', '[^@;>]*'],
    [
      ...[chars(256), 'a\nb', 1, '(', ')', '(a', '[a', 'a**', '\\1', '(a)\\1', '[z-a]', 'a{3,2}'],
      // Nested repetitions, and those that a POSIX engine expands in memory.
      ...[
        '(a+)+',
        '(a*)*',
        '((a{1,9}){1,9}){1,9}',
        '(a|b)',
        'a|b',
        'a{1,30000}',
        '.{255}a',
        '.*.*.*',
        '(a)?',
      ],
    ],
  ]),
  [
    'additionalHosts',
    [
      [],
      [{ address: 'a.example' }, { address: '192.0.2.1' }, { address: '198.51.100.0/24' }],
      [{ address: '198.51.0.0/16' }, { address: '2001:db8::/32' }],
      hosts(100),
    ],
    ['', {}, 'a.example', [1], [null], ['a.example'], [{}], [{ address: 1 }], [{ address: '' }], hosts(101)],
  ],
  ['additionalHosts', [], [[{ address: '0.0.0.0/0' }], [{ address: '::/0' }], [{ address: 'a b' }], [[]]]],
  [
    'additionalHosts',
    [],
    ['0.0.0.0/1', '198.51.0.0/15', '10.0.0.0/255.0.0.0', '2001:db8::/31', '::ffff:10.0.0.0/104'].map(
      (address) => [{ address }],
    ),
  ],
];

describe.each(availablePairs)('contract 4.2: fields of SIP providers on $name', ({ open }) => {
  const running = useApp(open);
  beforeAll(async () => {
    await createOutsider(running.stores).sql('insert into "m_NetworkFilters" (id) values (7)');
  });
  const create = (fields: object) =>
    running.asAdmin('POST', '/sip-providers', { description: 'Trunk', host: 'sip.example.org', ...fields });
  const shown = (value: unknown) =>
    Array.isArray(value) ? value.map((host, n) => ({ ...host, id: String(n + 1) })) : value;

  test.each(ROWS)('%s', async (field, accepted, refused) => {
    const { id } = (await create({})).body.data;
    for (const value of accepted) {
      const { status, body } = await create({ [field]: value });
      expect({ status, value: body.data[field] }).toEqual({ status: 201, value: shown(value) });
      const patched = await running.asAdmin('PATCH', `/sip-providers/${id}`, { [field]: value });
      expect({ status: patched.status, value: patched.body.data[field] }).toEqual({
        status: 200,
        value: shown(value),
      });
    }
    const before = (await running.asAdmin('GET', `/sip-providers/${id}`)).body.data;
    for (const value of refused) {
      const answers = [
        await create({ [field]: value }),
        await running.asAdmin('PATCH', `/sip-providers/${id}`, { [field]: value }),
      ];
      for (const { status, body } of answers) {
        expect({ value, status }).toEqual({ value, status: 400 });
        expect(body.messages.error).toEqual([expect.stringMatching(`^${field}: `)]);
      }
    }
    expect((await running.asAdmin('GET', `/sip-providers/${id}`)).body.data).toEqual(before);
  });

  test('the secret accepts 100 characters, including spaces at its ends, and no control character', async () => {
    for (const secret of ['', ' s ', emoji(100), '"\\;#$']) {
      const { status, body } = await create({ secret, registration_type: 'none' });
      expect({ status, secret: body.data.secret }).toEqual({ status: 201, secret });
    }
    for (const secret of [chars(101), 'a\nb', 'a\tb', 1, true, {}]) {
      const { status, body } = await create({ secret });
      expect(status).toBe(400);
      expect(body.messages.error).toEqual([expect.stringMatching('^secret: ')]);
    }
  });

  test.each([
    ['port', '5070', 5070],
    ['port', 1.0, 1],
    ['qualifyfreq', '30', 30],
    ['qualify', '0', false],
    ['qualify', 0, false],
    ['disabled', 'true', true],
    ['disabled', 1, true],
    ['networkfilterid', '', 'none'],
    ['networkfilterid', 7, '7'],
    ['networkfilterid', '007', '7'],
    ['host', ' 2001:DB8:0:0::1 ', '2001:db8::1'],
    ['host', '::ffff:192.0.2.1', '192.0.2.1'],
    ['host', 'SIP.Example.org', 'SIP.Example.org'],
    ['description', '  x ', 'x'],
    ['note', ' a\nb \n', 'a\nb'],
    ['additionalHosts', [{ id: '9', address: '198.51.100.7/24' }], [{ id: '1', address: '198.51.100.0/24' }]],
  ])('%s %j is read as %j', async (field, sent, stored) => {
    const { status, body } = await create({ [field]: sent });
    expect({ status, value: body.data[field] }).toEqual({ status: 201, value: stored });
  });

  test('description and host are required for every type, and all errors come together', async () => {
    for (const registration_type of ['inbound', 'outbound', 'none']) {
      const { status, body } = await running.asAdmin('POST', '/sip-providers', {
        registration_type,
        port: 0,
      });
      expect(status).toBe(400);
      expect(body.messages.error).toEqual([
        'description: required',
        'host: required',
        'port: must be 1..65535 (got 0)',
      ]);
    }
  });

  test('additional hosts are replaced as a whole and numbered in answers', async () => {
    const { body } = await create({ additionalHosts: [{ address: 'a.example' }, { address: 'b.example' }] });
    expect(body.data.additionalHosts).toEqual([
      { id: '1', address: 'a.example' },
      { id: '2', address: 'b.example' },
    ]);
    const { body: patched } = await running.asAdmin('PATCH', `/sip-providers/${body.data.id}`, {
      additionalHosts: [{ address: 'c.example' }],
    });
    expect(patched.data.additionalHosts).toEqual([{ id: '1', address: 'c.example' }]);
  });

  test('contract 17.9: the error for a range that is too wide names its position and the bound', async () => {
    const additionalHosts = ['192.0.2.1', '0.0.0.0/1', '128.0.0.0/1'].map((address) => ({ address }));
    const { status, body } = await create({ additionalHosts });
    expect({ status, error: body.messages.error }).toEqual({
      status: 400,
      error: [
        'additionalHosts: [1].address must be an address or a range of at least /16 (IPv6 /32), not /1',
      ],
    });
  });

  test.each([
    `'); drop table sip_providers; --`,
    '<script>alert(1)</script>',
    '$(reboot) `id` | ; && ${x} {{y}} %s%n',
    '../../etc/passwd',
    '\u202eabc\u202c \u200f',
    '👩‍👩‍👧 \ufeff é e\u0301',
    '=cmd|/c calc',
    '__proto__',
    '[section](!) ;--',
  ])('the text %j is stored and returned unchanged', async (text) => {
    const free = [
      'description',
      'note',
      'secret',
      'manualattributes',
      'fromuser',
      'fromdomain',
      'outbound_proxy',
    ];
    const fields = Object.fromEntries(
      [...free, 'cid_parser_start', 'did_custom_header'].map((name) => [name, text]),
    );
    const { status, body } = await create(fields);
    expect(status).toBe(201);
    expect((await running.asAdmin('GET', `/sip-providers/${body.data.id}`)).body.data).toMatchObject(fields);
    const { body: list } = await running.asAdmin('GET', '/sip-providers?includeDisabled=true');
    expect(list.data.find(({ id }: { id: string }) => id === body.data.id)).toMatchObject({
      description: text,
    });
  });

  test('prototype keys are unknown fields like any other', async () => {
    const text = '{"description":"x","host":"h","__proto__":{"disabled":true},"constructor":1,"toString":2}';
    const { status, body } = await running.asAdmin('POST', '/sip-providers', text);
    expect(status).toBe(201);
    expect(body.data.disabled).toBe(false);
    expect(body.messages.warning).toHaveLength(3);
  });
});
