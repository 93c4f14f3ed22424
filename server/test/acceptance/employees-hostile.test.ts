import { describe, expect, test } from 'vitest';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

const TEXTS = [
  `'; drop table employees; --`,
  `" or "1"="1`,
  '1; update employees set sip_secret = 0',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>&amp;&#0;',
  '$(reboot)`reboot`; rm -rf / | cat',
  '%s%n%x ${jndi:ldap://x} {{7*7}} #{7*7}',
  '../../../etc/passwd',
  'a\r\nSet-Cookie: x=1',
  'a\nb',
  'a\u0000b',
  '\u202Eevil\u2066 rtl \u200f',
  'zero\u200bwidth \u2028 line \u2029 para',
  '👩‍👩‍👧‍👦 é e\u0301 ß İ ﬁ',
  '\ud800',
  '\ufffe\uffff',
  '=cmd|/c calc!A1',
  '+1+1',
  '-1',
  '@SUM(1)',
  "'=x",
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '1e5',
  '0x10',
  '[object Object]',
  '\\',
  '%',
  '_',
  'XXXXXXXX',
];
const HUGE = ['x'.repeat(1_000_000), '1'.repeat(1_000_000), '😀'.repeat(200_000)];
const VALUES: unknown[] = [
  ...TEXTS,
  'x'.repeat(2000),
  1e308,
  -0.5,
  2 ** 53,
  [],
  [['x']],
  {},
  { toString: 'x', length: -1 },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];
const FIELDS = [
  'number',
  'user_username',
  'sip_secret',
  'user_email',
  'mobile_number',
  'mobile_dialstring',
  'sip_transport',
  'sip_dtmfmode',
  'sip_media_encryption',
  'sip_enableRecording',
  'sip_networkfilterid',
  'sip_manualattributes',
  'fwd_ringlength',
  'fwd_forwarding',
  'fwd_forwardingonbusy',
  'fwd_forwardingonunavailable',
  'user_avatar',
];
/** Fields whose values are trimmed (contract 1.6). */
const TRIMMED = new Set(['user_username', 'mobile_dialstring', 'user_email']);
const isPolluted = () => 'polluted' in {};

describe.each(availablePairs)('no hostile input harms employees on $name', ({ name: stores, open }) => {
  const running = useApp(open);
  const { create, made, patch, good } = createEmployeeRig(running);
  // Oversized values are refused before they reach a store, so one pair suffices.
  const values = stores.startsWith('SQLite') ? [...VALUES, ...HUGE] : VALUES;

  test.each(FIELDS)('%s refuses hostile values or stores them as sent', async (name) => {
    const { id } = await made();
    for (const value of values) {
      const shown = JSON.stringify(value).slice(0, 60);
      for (const answer of [await create({ [name]: value }), await patch(id, { [name]: value })]) {
        expect([200, 201, 400, 413, 422], `${name} ${shown}`).toContain(answer.status);
        if (answer.status > 201 || name === 'user_avatar') continue;
        if (value === 'XXXXXXXX' && name === 'sip_secret') continue;
        const stored = (await running.asAdmin('GET', `/employees/${answer.body.data.id}`)).body.data[name];
        expect(String(stored)).toBe(TRIMMED.has(name) ? String(value).trim() : String(value));
        if (answer.status === 201) await running.asAdmin('DELETE', `/employees/${answer.body.data.id}`);
      }
    }
    expect(isPolluted()).toBe(false);
  });

  test('hostile field names are ignored with a warning', async () => {
    const body = JSON.stringify(good()).replace(
      '{',
      '{"__proto__":{"polluted":1},"constructor":1,"a\\u0000\\nb":1,',
    );
    const answer = await running.asAdmin('POST', '/employees', body);
    expect(answer.status).toBe(201);
    expect(answer.body.messages.warning).toHaveLength(3);
    expect(isPolluted()).toBe(false);
  });

  test('deep and wide JSON is refused or ignored', async () => {
    const deep = `{"user_username":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await running.asAdmin('POST', '/employees', deep)).status).toBe(400);
    expect(
      (await running.asAdmin('POST', '/employees:batchCreate', { employees: [JSON.parse('[[[]]]')] })).status,
    ).toBe(400);
    const wide = good(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])));
    expect((await running.asAdmin('POST', '/employees', wide)).status).toBe(201);
  });

  test('hostile search, order and page parameters cause no server error', async () => {
    for (const text of TEXTS.map((value) => encodeURIComponent(value.slice(0, 2000).toWellFormed()))) {
      for (const query of ['search', 'order', 'orderWay', 'order_by', 'order_direction', 'limit', 'offset']) {
        for (const prefix of query === 'search' ? ['', 'id:', 'number:', 'email:', 'mobile:'] : ['']) {
          const { status } = await running.asAdmin('GET', `/employees?${query}=${prefix}${text}`);
          expect([200, 400], `${query}=${prefix}${text.slice(0, 80)}`).toContain(status);
        }
      }
    }
  });

  test('hostile files and batches cause no server error', async () => {
    for (const value of values) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const bodies: [string, object][] = [
        ['import', { csv: text }],
        ['import', { csv: `number,user_username,${text}\n301,x,${text}\n` }],
        [
          'import',
          { csv: `number,user_username\n"${text.replaceAll('"', '""')}","${text.replaceAll('"', '""')}"\n` },
        ],
        ['import', { csv: value, strategy: value }],
        ['import', { upload_id: value, action: 'import' }],
        ['confirmImport', { upload_id: value, strategy: 'skip_duplicates' }],
        ['export', { format: value, filter: value }],
        ['export', { filter: { number_from: value } }],
        ['batchCreate', { employees: [value], mode: 'validate' }],
        [
          'batchCreate',
          { employees: [good({ user_username: value })], mode: 'validate', skip_errors: value },
        ],
      ];
      for (const [action, body] of bodies) {
        const { status } = await running.asAdmin('POST', `/employees:${action}`, body);
        expect([200, 400, 404, 413], `${action} ${JSON.stringify(body).slice(0, 80)}`).toContain(status);
      }
    }
    expect(isPolluted()).toBe(false);
  });

  test('a file of hostile names is imported unchanged', async () => {
    const names = TEXTS.filter(
      (text) => text.trim() === text && text.length <= 100 && !/[\0-\x1f\ud800]/.test(text),
    );
    const rows = names.map((name, i) => `${600_000 + i},"${name.replaceAll('"', '""')}"`);
    const { body } = await running.asAdmin('POST', '/employees:import', {
      csv: `number,user_username\n${rows.join('\n')}`,
    });
    const { upload_id, rows: seen } = body.data;
    expect(seen.filter(({ status }: { status: string }) => status !== 'new')).toEqual([]);
    await running.asAdmin('POST', '/employees:confirmImport', { upload_id });
    const list = await running.asAdmin('GET', '/employees?order=number&limit=1000');
    const stored = list.body.data.data
      .filter(({ number }: { number: string }) => Number(number) >= 600_000)
      .map(({ user_username }: { user_username: string }) => user_username);
    // A leading ' before a formula is CSV escaping and removed (contract 3.5).
    expect(stored).toEqual(names.map((name) => (name === "'=x" ? '=x' : name)));
  });
});
