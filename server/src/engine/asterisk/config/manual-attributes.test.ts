import { expect, test } from 'vitest';
import { ATTRIBUTES } from './attribute-values.ts';
import { configSection } from './encode.ts';
import { readManualAttributes, unusedAttributes, withManual } from './manual-attributes.ts';
import { parseConfig } from './parse.suite.ts';

test('lines without a heading belong to the endpoint, others to the heading above them', () => {
  const text =
    'media_encryption=sdes\n\n[aor]\nmax_contacts = 2\r\n[Auth]\nnonce_lifetime=60\n[endpoint]\ndirect_media=no';
  const { settings, unused } = readManualAttributes(text);
  expect(settings).toEqual({
    endpoint: [
      ['media_encryption', 'sdes'],
      ['direct_media', 'no'],
    ],
    aor: [['max_contacts', '2']],
    auth: [['nonce_lifetime', '60']],
  });
  expect(unused).toEqual([]);
});

test('every line that is not passed to the engine is named with the reason', () => {
  const text = [
    'type=identify',
    'context=from-provider',
    'rtp_symmetric=yes',
    '#include /etc/passwd',
    '; a remark',
    '[global]',
    'user_agent=x',
    'endpoint_identifier_order=anonymous',
    '[aor]',
    'contact=sip:evil@example.org',
    'max_contacts=many',
    '[auth]',
    'password=x',
  ].join('\n');
  expect(readManualAttributes(text).settings).toEqual({
    endpoint: [['rtp_symmetric', 'yes']],
    aor: [],
    auth: [],
  });
  const unused = unusedAttributes(text);
  expect(unused).toHaveLength(10);
  expect(unused[0]).toBe('not used: "type=identify" (type cannot be set here)');
  expect(unused).toContain('not used: "#include /etc/passwd" (not a key=value line)');
  expect(unused).toContain('not used: "[global]" (only [endpoint], [aor] and [auth] are known)');
  expect(unused).toContain('not used: "max_contacts=many" (not a value of max_contacts)');
});

test('a value that would make the engine reject the whole account is not passed on', () => {
  for (const line of [
    'allow=ulaw,nonsense',
    'dtmf_mode=tones',
    'timers_min_se=-1',
    'call_group=1;2',
    'language=en,us',
    'from_user=a@b;c',
    'from_user=a#b',
    'tos_audio=loud',
    'timers_min_se=3600',
    'media_encryption=dtls',
  ])
    expect(readManualAttributes(line).unused, line).toHaveLength(1);
  expect(readManualAttributes('disallow=all\nallow=!all,ulaw,opus').unused).toEqual([]);
});

test('blank lines are ignored, and keys such as __proto__ are named as not used', () => {
  expect(unusedAttributes('')).toEqual([]);
  expect(unusedAttributes('\n \n')).toEqual([]);
  expect(unusedAttributes('__proto__=1\n[__proto__]\n[constructor]\nx=1')).toHaveLength(4);
});

test('manual settings replace our own', () => {
  const own = [
    ['disallow', 'all'],
    ['allow', 'ulaw'],
    ['direct_media', 'no'],
  ] as const;
  expect(withManual(own, [['allow', 'opus']])).toEqual([
    ['disallow', 'all'],
    ['direct_media', 'no'],
    ['allow', 'opus'],
  ]);
});

test('every accepted key can be written to a section', () => {
  for (const section of ['endpoint', 'aor', 'auth'] as const)
    for (const key of ATTRIBUTES[section].keys())
      expect(parseConfig(configSection('x', [[key, 'y']]))[0]?.settings).toEqual([[key, 'y']]);
});
