import type { Dice } from './dice.ts';

const TEXTS: readonly string[] = [
  '',
  ' ',
  "' OR '1'='1",
  "'; DROP TABLE cdr_general; --",
  '" UNION SELECT NULL, NULL --',
  "\\'); DELETE FROM m_ApiKeys; --",
  '%',
  '_%_',
  'E\\\\x27',
  '$1',
  ':id',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '&lt;b&gt;',
  '$(reboot)',
  '`id`',
  '; cat /etc/passwd |',
  '{{7*7}}#{7*7}',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'a\r\nX-Injected: 1\r\n\r\n<b>',
  'a\nX-Injected: 1',
  '\0',
  'a\0b',
  '\u001b[31m',
  '\u0085\u2028\u2029',
  '\u202eelpmaxe\u202c\u200f',
  '\u200b\ufeff',
  '\u{1f469}\u200d\u{1f680}\u{1f3f3}\ufe0f',
  '\ud800',
  '\udc00x',
  '=HYPERLINK("http://example.org")',
  '@SUM(1)',
  '-1+1',
  '+49',
  'Z\u0351\u036b\u0343a\u0301lgo',
  '\u0130\u0131\u00df\u1e9e',
  'null',
  'undefined',
  'NaN',
  'true',
  '1e3',
  '0x10',
  '007',
  '-0',
  '9'.repeat(30),
  '9223372036854775808',
  '2147483648',
  '1.5',
  '\u0661\u0662\u0663',
  '2026-02-30',
  '2026-03-29T02:30:00',
  '0000-00-00',
  '9999-12-31T23:59:59.999999+14:00',
  '-271821-04-19',
  '0.0.0.0/0',
  '::/0',
  '127.0.0.1',
  '::ffff:203.0.113.7',
  '256.1.1.1',
  'fe80::1%eth0',
  '192.0.2.7/33',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '[object Object]',
  '{"a":1}',
  '[]',
  '*',
  '/api/v3/*',
];

const LENGTHS = [99, 100, 101, 254, 255, 256, 500, 501, 1024, 1025, 2000];

export const hostileText = (dice: Dice): string =>
  dice.chance(0.06)
    ? dice.pick(['x', '9', '\u{1f600}', "'", '%', 'a,']).repeat(dice.pick(LENGTHS))
    : dice.pick(TEXTS);

const OBJECTS = [
  '{}',
  '{"toString":"x"}',
  '{"length":3}',
  '{"$ne":null}',
  '{"then":1,"toJSON":1}',
  '{"":""}',
];
const NUMBERS = [0, -0, -1, 1, 1.5, 255, 65536, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 53 + 2, 1e308, -1e-7];

/** Anything that JSON can express. */
export function hostileValue(dice: Dice): unknown {
  switch (dice.number(8)) {
    case 0:
      return dice.pick(NUMBERS);
    case 1:
      return dice.pick([null, true, false]);
    case 2:
      return dice.pick([[], [[]], [null], ['x', 1, {}], Array.from({ length: 300 }, (_, n) => n)]);
    case 3:
      return JSON.parse(dice.pick(OBJECTS));
    case 4:
      return POLLUTING;
    case 5:
      return dice.chance(0.1) ? nested(dice.pick([20, 200, 3000])) : [hostileText(dice)];
    default:
      return hostileText(dice);
  }
}

/** Own properties with these names, which only JSON.parse creates. */
const POLLUTING: unknown = JSON.parse(
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}',
);
export const POLLUTED = 'polluted';

function nested(depth: number): unknown {
  let value: unknown = 'x';
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value };
  return value;
}

/** Bodies that are not an object of fields. */
export function hostileBody(dice: Dice): string {
  return dice.pick([
    '',
    ' ',
    'null',
    'true',
    '0',
    '"x"',
    '[]',
    '[{}]',
    '{',
    '{"a":}',
    '{"a":1}{"b":2}',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '{"a":NaN}',
    "{'a':1}",
    '{"\\u0000":1}',
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    '<xml/>',
    'a=1&b=2',
    '\0',
    `{"x":"${'x'.repeat(dice.chance(0.6) ? 1_100_000 : 10_000)}"}`,
  ]);
}
