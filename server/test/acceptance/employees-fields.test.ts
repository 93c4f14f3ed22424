import { beforeAll, describe, expect, test } from 'vitest';
import { createOutsider } from '../outsider.ts';
import { createEmployeeRig } from './employee-rig.ts';
import { useApp } from './use-app.ts';

const email = (length: number) => `${'a'.repeat(length - '@example.org'.length)}@example.org`;

/** Field, value sent, value read back. */
const ACCEPTED: [string, unknown, unknown][] = [
  ['number', '20', '20'],
  ['number', '12345678', '12345678'],
  ['number', ' 021 ', '021'],
  ['user_username', 'x', 'x'],
  ['user_username', '😀'.repeat(100), '😀'.repeat(100)],
  ['user_username', '  Ends  ', 'Ends'],
  ['sip_secret', '12345', '12345'],
  ['sip_secret', 's'.repeat(100), 's'.repeat(100)],
  ['sip_secret', '  kept  ', '  kept  '],
  ['user_email', '', ''],
  ['user_email', '@', ''],
  ['user_email', '_@_._', ''],
  ['user_email', 'first.last+tag@sub.example.co.uk', 'first.last+tag@sub.example.co.uk'],
  ['user_email', 'пример@почта.рф', 'пример@почта.рф'],
  ['user_email', email(255), email(255)],
  ['mobile_number', '', ''],
  ['mobile_number', '12', '12'],
  ['mobile_number', '+123456789012345', '+123456789012345'],
  ['mobile_dialstring', 'd'.repeat(255), 'd'.repeat(255)],
  ...['udp', 'tcp', 'tls', 'udp,tcp'].map((value): [string, unknown, unknown] => [
    'sip_transport',
    value,
    value,
  ]),
  ...['auto', 'rfc4733', 'inband', 'info', 'auto_info'].map((value): [string, unknown, unknown] => [
    'sip_dtmfmode',
    value,
    value,
  ]),
  ...[true, 'true', '1', 1].map((value): [string, unknown, unknown] => ['sip_enableRecording', value, true]),
  ...[false, 'false', '0', 0].map((value): [string, unknown, unknown] => [
    'sip_enableRecording',
    value,
    false,
  ]),
  ['sip_enableRecording', null, true],
  ['sip_networkfilterid', 'none', 'none'],
  ['sip_networkfilterid', '', 'none'],
  ['sip_networkfilterid', 7, '7'],
  ['sip_networkfilterid', '007', '7'],
  ['sip_manualattributes', 'a'.repeat(1024), 'a'.repeat(1024)],
  ['sip_manualattributes', '[endpoint]\r\nset_var=A=b\n ', '[endpoint]\r\nset_var=A=b\n '],
  ['fwd_ringlength', 0, 0],
  ['fwd_ringlength', '', 0],
  ['fwd_ringlength', '180', 180],
  ...['fwd_forwarding', 'fwd_forwardingonbusy', 'fwd_forwardingonunavailable'].flatMap((name) => [
    ...['', '1', '+1', '1'.repeat(20), '+'.padEnd(21, '9'), 'hangup', 'busy', 'did2user', 'voicemail'].map(
      (value): [string, unknown, unknown] => [name, value, value],
    ),
    [name, 202, '202'] as [string, unknown, unknown],
  ]),
];

const REFUSED: [string, unknown][] = [
  ...['2', '123456789', '20a', ' ', '', '+20', '２０１', 201, true, [], {}].map(
    (value): [string, unknown] => ['number', value],
  ),
  ...['x'.repeat(101), '  ', '', 5, [], 'a\nb', 'a\u0000b'].map((value): [string, unknown] => [
    'user_username',
    value,
  ]),
  ...['1234', 's'.repeat(101), '', 'XXXXXXXX', 12345, 'ab\u0007cdef'].map((value): [string, unknown] => [
    'sip_secret',
    value,
  ]),
  ...[
    'nobody',
    'a@',
    '@example.org',
    'a@b',
    'a b@example.org',
    'a@exa mple.org',
    'a@example..org',
    email(256),
    1,
  ].map((value): [string, unknown] => ['user_email', value]),
  ...['1', '+1', '0123456', '+0123', '1'.repeat(16), '12a', '+49 170 1', '1'.repeat(51), 491701].map(
    (value): [string, unknown] => ['mobile_number', value],
  ),
  ['mobile_dialstring', 'd'.repeat(256)],
  ['mobile_dialstring', 'a\r\nb'],
  ...['UDP', 'sctp', '', 'tcp,udp', 1].map((value): [string, unknown] => ['sip_transport', value]),
  ...['rfc2833', 'AUTO', ''].map((value): [string, unknown] => ['sip_dtmfmode', value]),
  ...['Anna', '+', '1', '+1234567890123456', '+49 30', 'Anonymous'].map((value): [string, unknown] => [
    'outgoing_callerid',
    value,
  ]),
  ...['local', 'Premium', '', 1].map((value): [string, unknown] => ['call_class', value]),
  ...['srtp', 'SDES', '', true].map((value): [string, unknown] => ['sip_media_encryption', value]),
  ...['on', 'yes', 'True', 'TRUE', '', ' true', 'null', 2, -1, 1.5, [], {}].map(
    (value): [string, unknown] => ['sip_enableRecording', value],
  ),
  ...['abc', '-1', -1, 1.5, 'localhost', '1'.repeat(10), true, 8, '0', '999999999'].map(
    (value): [string, unknown] => ['sip_networkfilterid', value],
  ),
  ['sip_manualattributes', 'a'.repeat(1025)],
  ['sip_manualattributes', 'a\tb'],
  ['sip_manualattributes', 'a\u0000b'],
  ...[181, -1, '1.5', 'abc', ' ', [], 1e300].map((value): [string, unknown] => ['fwd_ringlength', value]),
  ...['fwd_forwarding', 'fwd_forwardingonbusy', 'fwd_forwardingonunavailable'].flatMap((name) =>
    ['1'.repeat(21), '+', 'Busy', 'hang up', '20a', '++1', 1.5, -5, true, [], '202\n203'].map(
      (value): [string, unknown] => [name, value],
    ),
  ),
];

describe('contract 3.2: every field of an employee at its bounds', () => {
  const running = useApp();
  const { create, made, patch, put, read, nextNumber } = createEmployeeRig(running);
  beforeAll(async () => {
    await createOutsider(running.stores).sql('insert into "m_NetworkFilters" (id) values (7)');
  });

  test.each(ACCEPTED)('%s takes %j', async (name, sent, stored) => {
    const { status, body, text } = await create({ [name]: sent });
    expect(status, text).toBe(201);
    expect(body.data[name]).toBe(stored);
    expect((await read(body.data.id))[name]).toBe(stored);
    await running.asAdmin('DELETE', `/employees/${body.data.id}`);
  });

  test.each(REFUSED)('%s refuses %j with a 400 that names the field', async (name, sent) => {
    const { status, body } = await create({ [name]: sent });
    expect(status).toBe(400);
    expect(body.messages.error).toEqual([expect.stringMatching(`^${name}: `)]);
  });

  test('PUT and PATCH refuse the same values and store nothing', async () => {
    const record = await made();
    for (const [name, sent] of REFUSED) {
      // In PATCH and PUT, these values have another meaning for this field.
      if (name === 'sip_secret' && (sent === '' || sent === 'XXXXXXXX')) continue;
      expect((await patch(record.id, { [name]: sent })).status, `PATCH ${name} ${sent}`).toBe(400);
      expect((await put(record.id, { ...record, [name]: sent })).status, `PUT ${name} ${sent}`).toBe(400);
    }
    expect(await read(record.id)).toEqual(record);
  });

  test('PATCH takes the same values', async () => {
    const { id } = await made();
    for (const [name, sent, stored] of ACCEPTED) {
      if (sent === null) continue;
      // A forward requires a ring length, which the rows for this field do not all satisfy.
      if (name === 'fwd_ringlength') await patch(id, { fwd_forwarding: '' });
      const { status, body } = await patch(id, { [name]: sent });
      expect(status, `${name} ${sent}`).toBe(200);
      expect(body.data[name]).toBe(stored);
    }
  });

  test.each(['number', 'user_username', 'sip_secret'])('%s is required on create', async (name) => {
    const { status, body } = await create({ [name]: undefined });
    expect(status).toBe(400);
    expect(body.messages.error).toEqual([`${name}: required`]);
  });

  test('all field errors are reported together, with their bounds', async () => {
    const { body } = await create({ number: 'x', sip_secret: 'abc', fwd_ringlength: 200 });
    expect(body.messages.error).toEqual([
      'number: must be 2..8 digits',
      'sip_secret: at least 5 characters (got 3)',
      'fwd_ringlength: must be 0..180 (got 200)',
    ]);
  });

  test('sip_enableRecording null or absent leaves PATCH unchanged', async () => {
    const { id } = await made({ number: nextNumber(), sip_enableRecording: false });
    for (const body of [{ sip_enableRecording: null }, {}]) {
      expect((await patch(id, body)).body.data.sip_enableRecording).toBe(false);
    }
  });
});
