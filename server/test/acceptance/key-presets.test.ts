import { describe, expect, test } from 'vitest';
import { readSimpleYaml } from '../simple-yaml.ts';
import { rawRequest, sendRaw } from './raw-http.ts';
import { availablePairs, useApp } from './use-app.ts';

const BOUNCER = { '/api/v3/firewall-bouncer': 'read' };
const CRM = {
  '/api/v3/employees': 'write',
  '/api/v3/cdr': 'read',
  '/api/v3/sip': 'read',
  '/api/v3/pbx-status': 'read',
};
const BOUNCER_SNIPPETS = [
  'firewall-bouncer-nftables',
  'firewall-bouncer-iptables',
  'firewall-bouncer-containers',
  'custom-bouncer',
  'nginx',
  'traefik',
  'haproxy',
  'php',
  'nodejs',
  'other',
  'curl',
];
interface Snippet {
  id: string;
  filename: string;
  text: string;
}

describe.each(availablePairs)('contract 33: presets of API keys on $name', ({ open }) => {
  const running = useApp(open);
  const create = (fields: object) =>
    running.asAdmin('POST', '/api-keys', { description: 'made by preset', ...fields });
  const snippetsOf = async (fields: object): Promise<Snippet[]> => (await create(fields)).body.data.snippets;
  const ids = (snippets: Snippet[]) => snippets.map(({ id }) => id);

  test('contract 33.1: the presets are listed with what they grant and the texts that come with them', async () => {
    const { body } = await running.asAdmin('GET', '/api-keys:getPresets');
    const byId = Object.fromEntries(body.data.map((preset: { id: string }) => [preset.id, preset]));
    expect(Object.keys(byId)).toEqual(['bouncer', 'crm', 'monitoring', 'read-only']);
    expect(byId.bouncer).toMatchObject({
      allowed_paths: BOUNCER,
      suggests: { networkfilter: true },
      snippets: BOUNCER_SNIPPETS,
    });
    expect(byId.crm.allowed_paths).toEqual(CRM);
    expect(byId.monitoring.allowed_paths).toEqual({
      '/api/v3/sip': 'read',
      '/api/v3/sip-providers': 'read',
      '/api/v3/pbx-status': 'read',
    });
    const catalogue = await running.asAdmin('GET', '/openapi:getSimplifiedPermissions');
    const everything = Object.keys(catalogue.body.data.resources).map((path) => [path, 'read']);
    expect(byId['read-only'].allowed_paths).toEqual(Object.fromEntries(everything));
  });

  test('contract 33.2: a preset sets allowed_paths, and explicitly sent fields win', async () => {
    expect((await create({ preset: 'crm' })).body.data.allowed_paths).toEqual(CRM);
    const explicit = await create({ preset: 'crm', allowed_paths: { '/api/v3/cdr': 'read' } });
    expect(explicit.body.data.allowed_paths).toEqual({ '/api/v3/cdr': 'read' });
    expect((await create({ preset: 'crm', allowed_paths: {} })).body.data.allowed_paths).toEqual({});
    const full = await create({ preset: 'crm', full_permissions: true });
    expect(full.body).toMatchObject({ data: { full_permissions: true }, messages: { warning: [] } });
    expect((await create({})).body.data.allowed_paths).toEqual({});
  });

  test('contract 33.2: an unknown preset is 400, naming the field and the presets there are', async () => {
    for (const preset of ['admin', '', 'Bouncer', 7, {}, 'toString']) {
      const { status, body } = await create({ preset });
      expect(status, String(preset)).toBe(400);
      expect(body.messages.error).toEqual(['preset: must be one of bouncer, crm, monitoring, read-only']);
    }
  });

  test('contract 33.2: a preset grants no more than the calling key holds', async () => {
    const key = await running.keyFor({ '/api/v3/api-keys': 'write', ...BOUNCER });
    const post = (preset: string) =>
      running.call('POST', '/api-keys', { key, body: { description: 'x', preset } });
    expect((await post('bouncer')).status).toBe(201);
    expect((await post('crm')).status).toBe(403);
  });

  test('contract 33.3: the answer to a create has ready texts with the key in each; later answers do not', async () => {
    const { body } = await create({ preset: 'bouncer' });
    const { id, key, snippets } = body.data;
    expect(ids(snippets)).toEqual(BOUNCER_SNIPPETS);
    for (const { id: name, text } of snippets) expect(text.split(key), name).toHaveLength(2);
    const later = [
      await running.asAdmin('GET', `/api-keys/${id}`),
      await running.asAdmin('GET', '/api-keys'),
      await running.asAdmin('PATCH', `/api-keys/${id}`, { description: 'renamed' }),
    ];
    for (const { text, status } of later) {
      expect(status).toBe(200);
      expect(text).not.toContain(key);
      expect(text).not.toContain('snippets');
    }
  });

  test('contract 33.6: the texts of a key can be read again, with its options and without the key', async () => {
    const created = (await create({ preset: 'bouncer', client: 'traefik' })).body.data;
    const again = await running.asAdmin('GET', `/api-keys/${created.id}:getSnippets`);
    expect(again.status).toBe(200);
    expect(again.text).not.toContain(created.key);
    const filledIn = again.body.data.map((snippet: Snippet) => ({
      ...snippet,
      text: snippet.text.replace('<API key>', created.key).replace('put it in below', 'shown only now'),
    }));
    expect(filledIn).toEqual(created.snippets);
    const other = (await create({ preset: 'crm' })).body.data;
    const curl = await running.asAdmin('GET', `/api-keys/${other.id}:getSnippets`);
    expect(ids(curl.body.data)).toEqual(['curl']);
    expect((await running.asAdmin('GET', '/api-keys/999999:getSnippets')).status).toBe(404);
    const key = await running.keyFor(BOUNCER);
    expect((await running.call('GET', `/api-keys/${other.id}:getSnippets`, { key })).status).toBe(403);
  });

  test('contract 33.3: a key that its owner chose is in no text', async () => {
    const key = 'my-own-key-0123456789-abcdefghijk';
    const { text, body } = await create({ preset: 'bouncer', key });
    expect(text).not.toContain(key);
    for (const snippet of body.data.snippets) expect(snippet.text).toContain('THE-KEY-THAT-YOU-CHOSE');
  });

  test('contract 33.3: only keys for decisions get texts for bouncers, others get one permitted request', async () => {
    expect(ids(await snippetsOf({ allowed_paths: { ...BOUNCER, '/api/v3/cdr': 'read' } }))).toEqual(
      BOUNCER_SNIPPETS,
    );
    expect(ids(await snippetsOf({ preset: 'bouncer', allowed_paths: {} }))).toEqual(['curl']);
    const others = [
      { preset: 'crm' },
      { preset: 'monitoring' },
      { preset: 'read-only' },
      { full_permissions: true },
      { allowed_paths: {} },
      { allowed_paths: { '/api/v3/module-absent/tasks': 'read' } },
      { allowed_paths: { '/api/v3/cdr': 'read' } },
    ];
    for (const fields of others) {
      const [curl, ...rest] = await snippetsOf(fields);
      expect(rest).toEqual([]);
      const [, key = '', url = ''] = /^curl -H 'X-Api-Key: (\S+)' '(\S+)'$/m.exec(curl?.text ?? '') ?? [];
      const answer = await fetch(url, { headers: { 'x-api-key': key } });
      expect(answer.status, `${JSON.stringify(fields)} ${url}`).toBe(200);
    }
  });

  test('contract 33.4: every text for bouncers warns that a ban covers SSH too and names the whitelist', async () => {
    for (const { id, text } of await snippetsOf({ preset: 'bouncer' })) {
      const comments = text.split('\n').filter((line) => /^(#|\/\/) /.test(line));
      expect(comments.join(' '), id).toMatch(/every port of the host, SSH too.*whitelist/);
    }
  });

  test('contract 33.4: a text names the options that its client needs and the key lacks', async () => {
    const plain = await snippetsOf({ preset: 'bouncer' });
    const noted = plain.filter(({ text }) => text.includes('This client needs'));
    expect(ids(noted)).toEqual(['traefik', 'haproxy', 'php', 'nodejs']);
    const made = await snippetsOf({ preset: 'bouncer', client: 'traefik' });
    expect(made.filter(({ text }) => text.includes('This client needs'))).toEqual([]);
  });

  test('contract 33.4: YAML texts are valid with the requested address; hostile descriptions stay comments', async () => {
    const description = 'edge\u2028api_url: http://evil.example/ ?> <b>\u{1f600}';
    const snippets = await snippetsOf({ preset: 'bouncer', description });
    const url = `${running.app.origin}/pbxcore/api/v3/firewall-bouncer/`;
    const yaml = snippets.filter(({ filename }) => filename.endsWith('.yaml'));
    expect(ids(yaml)).toEqual([...BOUNCER_SNIPPETS.slice(0, 4), 'traefik', 'haproxy']);
    for (const { id, text } of yaml) {
      const read = readSimpleYaml(text);
      if (id !== 'traefik') expect(read, id).toMatchObject({ api_url: url, update_frequency: '10s' });
    }
    const text = (id: string) => snippets.find((snippet) => snippet.id === id)?.text ?? '';
    expect(readSimpleYaml(text('firewall-bouncer-containers'))).toMatchObject({
      mode: 'iptables',
      iptables_chains: ['INPUT', 'FORWARD', 'DOCKER-USER'],
    });
    expect(text('firewall-bouncer-containers')).toMatch(/^# disable_ipv6: true$/m);
    expect(readSimpleYaml(text('traefik'))).toMatchObject({
      http: {
        middlewares: {
          pbxcore: {
            plugin: {
              bouncer: {
                crowdsecLapiScheme: 'http',
                crowdsecLapiHost: `127.0.0.1:${running.app.port}`,
                crowdsecLapiPath: '/pbxcore/api/v3/firewall-bouncer/',
              },
            },
          },
        },
      },
    });
    expect(text('php')).not.toMatch(/\?>/);
    for (const snippet of snippets) expect(snippet.text, snippet.id).not.toContain('\u2028');
  });
});

describe('contract 33.5: the address in the texts', () => {
  const running = useApp(undefined);
  const behindProxy = useApp(undefined, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' });

  async function urlFor(app: typeof running, headers: Record<string, string>): Promise<string> {
    const body = JSON.stringify({ description: 'x', preset: 'bouncer' });
    const sent = {
      Authorization: `Bearer ${await app.app.admin()}`,
      'Content-Type': 'application/json',
      ...headers,
    };
    const [answer] = await sendRaw(app.app.port, rawRequest('POST', '/pbxcore/api/v3/api-keys', sent, body));
    expect(answer?.status, answer?.text).toBe(201);
    const text: string = answer?.body.data.snippets[0].text;
    return (readSimpleYaml(text) as { api_url: string }).api_url.replace(
      '/pbxcore/api/v3/firewall-bouncer/',
      '',
    );
  }

  test.each([
    ['pbx.example:8080', 'http://pbx.example:8080'],
    ['PBX.example', 'http://pbx.example'],
    ['my_pbx', 'http://my_pbx'],
    ['192.0.2.1:8080', 'http://192.0.2.1:8080'],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  ])('is the requested one: Host %s', async (Host, url) => {
    expect(await urlFor(running, { Host })).toBe(url);
  });

  test.each([
    'pbx.example"\\n#',
    "pbx.example'; rm -rf /; '",
    'user@pbx.example',
    'pbx.example/path',
    'pbx.example:99999',
    'pbx.example #',
    '[zz]',
    '${IFS}',
    `${'a'.repeat(300)}.example`,
    'пбх.example',
  ])('is that of the service if the header is no plain address: Host %s', async (Host) => {
    expect(await urlFor(running, { Host })).toBe('http://127.0.0.1:0');
  });

  test('follows the forwarding headers of a trusted proxy only', async () => {
    const forwarded = {
      Host: 'inner:8080',
      'X-Forwarded-Host': 'pbx.example, other',
      'X-Forwarded-Proto': 'https',
    };
    expect(await urlFor(behindProxy, forwarded)).toBe('https://pbx.example');
    expect(await urlFor(running, forwarded)).toBe('http://inner:8080');
    const standard = { Host: 'inner', Forwarded: 'for=192.0.2.7;host="pbx.example:8443";proto=https' };
    expect(await urlFor(behindProxy, standard)).toBe('https://pbx.example:8443');
    expect(await urlFor(behindProxy, { Host: 'inner', 'X-Forwarded-Host': 'a"b' })).toBe(
      'http://127.0.0.1:0',
    );
  });
});
