import { expect, test } from 'vitest';
import { optionsOf } from '../../../../lib/bouncer-options.ts';
import { BOUNCER_SNIPPETS, bouncerSnippet, type SnippetId } from './snippets.ts';

// From the clients' own documentation: the names of their settings and the values they accept.

const KEY = '0123456789abcdef0123456789abcdef';
const HOSTILE = 'edge \' => 1];\nAPI_URL=http://evil.example\u2028key: "{{x}}" */ ?> #';

const textOf = (id: SnippetId, origin: string) =>
  bouncerSnippet(id, {
    id: '7',
    description: HOSTILE,
    key: KEY,
    url: `${origin}/pbxcore/api/v3/firewall-bouncer/`,
    client: '',
    options: optionsOf('crowdsec-firewall-bouncer'),
  }).text;

const ORIGINS = ['http://127.0.0.1:8080', 'https://pbx.example', 'http://[2001:db8::1]:8080'];

/** The lines that are no comments; the hostile description is inside a comment. */
const settingsOf = (text: string, comment: RegExp): string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !comment.test(line));

test.each(ORIGINS)(
  'nginx: each line is a setting that the client knows with a value that it accepts, for %s',
  (origin) => {
    const lines = settingsOf(textOf('nginx', origin), /^#/);
    const settings = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(Object.keys(settings)).toHaveLength(lines.length);
    const {
      API_URL: url,
      API_KEY: key,
      UPDATE_FREQUENCY: every,
      REQUEST_TIMEOUT: limit,
      ...words
    } = settings;
    expect({ url, key }).toEqual({ url: `${origin}/pbxcore/api/v3/firewall-bouncer`, key: KEY });
    // Whole numbers: seconds, and enough milliseconds for a long list.
    expect(Number(every)).toBeGreaterThanOrEqual(1);
    expect(Number(limit)).toBeGreaterThanOrEqual(500);
    expect(words).toEqual({
      ENABLED: 'true',
      MODE: expect.stringMatching(/^(stream|live)$/),
      BOUNCING_ON_TYPE: expect.stringMatching(/^(ban|captcha|all)$/),
      FALLBACK_REMEDIATION: expect.stringMatching(/^(ban|captcha)$/),
    });
  },
);

test.each(ORIGINS)(
  'Traefik: the plugin knows each setting, and host and path form the address %s',
  (origin) => {
    const lines = settingsOf(textOf('traefik', origin), /^#/);
    const above = ['http:', '  middlewares:', '    pbxcore:', '      plugin:', '        bouncer:'];
    expect(lines.slice(0, above.length)).toEqual(above);
    const settings = Object.fromEntries(
      lines.slice(above.length).map((line) => {
        const [, name = line, value = ''] = /^ {10}(\w+): "?([^"]+)"?$/.exec(line) ?? [];
        return [name, value];
      }),
    );
    const { crowdsecLapiScheme: scheme, crowdsecLapiHost: host, crowdsecLapiPath: path, ...rest } = settings;
    expect(scheme).toMatch(/^https?$/);
    // The plugin appends `v1/decisions/stream` directly to the path.
    expect(`${scheme}://${host}${path}`).toBe(`${origin}/pbxcore/api/v3/firewall-bouncer/`);
    expect(rest).toEqual({
      enabled: 'true',
      crowdsecMode: 'stream',
      updateIntervalSeconds: expect.stringMatching(/^[1-9]\d*$/),
      crowdsecLapiKey: expect.stringMatching(/^[a-zA-Z0-9]+$/),
    });
  },
);

test.each(ORIGINS)('HAProxy: the lines set the interval, the address and the key, for %s', (origin) => {
  expect(settingsOf(textOf('haproxy', origin), /^#/)).toEqual([
    'update_frequency: 10s',
    `api_url: ${origin}/pbxcore/api/v3/firewall-bouncer/`,
    `api_key: ${KEY}`,
  ]);
});

test.each(ORIGINS)('PHP: the text is a file that returns an array of settings, for %s', (origin) => {
  const text = textOf('php', origin);
  expect(text.startsWith('<?php\n')).toBe(true);
  expect(settingsOf(text, /^\/\//)).toEqual([
    '<?php',
    'return [',
    "    'auth_type' => 'api_key',",
    `    'api_url' => '${origin}/pbxcore/api/v3/firewall-bouncer',`,
    `    'api_key' => '${KEY}',`,
    "    'stream_mode' => true,",
    '];',
  ]);
});

test('Node.js: the text is a module that can be parsed', async () => {
  const text = textOf('nodejs', 'http://127.0.0.1:8080').replace(/^import .*$/m, '');
  // As the body of a function the text is only parsed, not run.
  expect(() => new Function(text.replace('export const', 'const'))).not.toThrow();
});

test('the description of a key never breaks out of a comment in any text', () => {
  for (const id of BOUNCER_SNIPPETS)
    for (const line of textOf(id, 'http://127.0.0.1:8080').split(/\r\n|[\n\r\x85\u2028\u2029]/))
      if (line.includes('evil.example')) expect(line, id).toMatch(/^(#|\/\/) /);
});
