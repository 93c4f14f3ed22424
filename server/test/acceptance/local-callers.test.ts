import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { sendRaw } from './raw-http.ts';

const STATUS = '/pbxcore/api/v3/module-demo/status';
const FIREWALL = '/pbxcore/api/v3/firewall';
const HOST = ['Host: localhost'];

/** Header lines of a request from loopback, and whether its caller counts as local. */
const CASES: [what: string, lines: string[], isLocal: boolean][] = [
  ['the plain name', HOST, true],
  ['the name in capitals, with a port', ['Host: LocalHost:8080'], true],
  ['the address', ['Host: 127.0.0.1'], true],
  ['the address with a port', ['Host: 127.0.0.1:8080'], true],
  ['the address of IPv6', ['Host: [::1]'], true],
  ['the address of IPv6 with a port', ['Host: [::1]:8080'], true],
  ['the address of IPv6 in full', ['Host: [0:0:0:0:0:0:0:1]:8080'], true],
  ['another address of loopback', ['Host: 127.4.5.6:8080'], true],

  ['the name of another machine', ['Host: pbx.example.com'], false],
  ['the same with our port', ['Host: pbx.example.com:8080'], false],
  ['a name that an attacker lets point here', ['Host: rebind.attacker.example'], false],
  ['a name that begins like ours', ['Host: localhost.attacker.example'], false],
  ['a name that ends like ours', ['Host: attacker.localhost'], false],
  ['an address that begins like ours', ['Host: 127.0.0.1.attacker.example'], false],
  ['an address of the network', ['Host: 192.0.2.1:8080'], false],
  ['the address that stands for any', ['Host: 0.0.0.0:8080'], false],
  ['loopback as one number', ['Host: 2130706433'], false],
  ['loopback with leading zeros', ['Host: 127.0.0.01'], false],
  ['IPv6 of another machine', ['Host: [2001:db8::1]:8080'], false],
  ['a user before the name', ['Host: localhost@attacker.example'], false],
  ['an empty host', ['Host:'], false],
  ['two hosts, the second foreign', ['Host: localhost', 'Host: attacker.example'], false],
  ['two hosts, the first foreign', ['Host: attacker.example', 'Host: localhost'], false],

  ['X-Forwarded-For', [...HOST, 'X-Forwarded-For: 192.0.2.1'], false],
  ['X-Forwarded-For of loopback', [...HOST, 'X-Forwarded-For: 127.0.0.1'], false],
  ['an empty X-Forwarded-For', [...HOST, 'X-Forwarded-For:'], false],
  ['Forwarded', [...HOST, 'Forwarded: for=127.0.0.1'], false],
  ['Via', [...HOST, 'Via: 1.1 proxy'], false],
  ['X-Forwarded-Host', [...HOST, 'X-Forwarded-Host: pbx.example.com'], false],
  ['X-Forwarded-Proto', [...HOST, 'X-Forwarded-Proto: https'], false],
  ['X-Real-IP', [...HOST, 'X-Real-IP: 192.0.2.1'], false],

  ['the own origin', [...HOST, 'Origin: http://localhost'], true],
  ['an origin on another port of this machine', [...HOST, 'Origin: http://localhost:3000'], true],
  ['the own origin over HTTPS', [...HOST, 'Origin: https://LOCALHOST:8443'], true],
  ['the own origin of IPv6', ['Host: [::1]:8080', 'Origin: http://[::1]:8080'], true],
  ['an origin on the web', [...HOST, 'Origin: https://attacker.example'], false],
  ['an origin that begins like ours', [...HOST, 'Origin: http://localhost.attacker.example'], false],
  ['another name of this machine', [...HOST, 'Origin: http://127.0.0.1'], false],
  ['a page that hides its origin', [...HOST, 'Origin: null'], false],
  ['an empty origin', [...HOST, 'Origin:'], false],
  ['two origins', [...HOST, 'Origin: http://localhost', 'Origin: https://attacker.example'], false],
  ['an extension of a browser', [...HOST, 'Origin: chrome-extension://abcdefgh'], false],

  ['a page of its own', [...HOST, 'Sec-Fetch-Site: same-origin'], true],
  ['a page of the same site', [...HOST, 'Sec-Fetch-Site: same-site'], true],
  ['typed by the user', [...HOST, 'Sec-Fetch-Site: none'], true],
  ['an image in a foreign page', [...HOST, 'Sec-Fetch-Site: cross-site'], false],
  ['a word that browsers do not send', [...HOST, 'Sec-Fetch-Site: maybe'], false],
  ['twice', [...HOST, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'], false],
];

/** Headers of proxies and CDNs; each one alone shows that the request was forwarded. */
const FORWARDING = [
  ...['X-Forwarded', 'X-Forwarded-By', 'X-Forwarded-Client-Cert', 'X-Forwarded-For', 'X-Forwarded-Host'],
  ...[
    'X-Forwarded-Path',
    'X-Forwarded-Port',
    'X-Forwarded-Prefix',
    'X-Forwarded-Proto',
    'X-Forwarded-Protocol',
  ],
  ...['X-Forwarded-Scheme', 'X-Forwarded-Server', 'X-Forwarded-Ssl', 'X-Forwarded-Uri', 'X-Forwarded-User'],
  ...['Forwarded', 'Forwarded-For', 'Via', 'X-Via', 'CDN-Loop', 'Max-Forwards', 'Front-End-Https'],
  ...['X-Real-IP', 'X-Real-Port', 'X-Host', 'X-Scheme', 'X-Url-Scheme', 'Client-IP', 'X-Client-IP'],
  ...['X-Cluster-Client-IP', 'True-Client-IP', 'X-True-Client-IP', 'X-Remote-IP', 'X-Remote-Addr'],
  ...['X-Originating-IP', 'X-Source-IP', 'X-Original-Forwarded-For', 'X-Original-Host', 'X-Original-URI'],
  ...['X-Original-URL', 'X-ProxyUser-IP', 'X-Proxy-ID', 'Proxy-Client-IP', 'Proxy-Connection'],
  ...['WL-Proxy-Client-IP', 'CF-Connecting-IP', 'CF-Ray', 'Fastly-Client-IP', 'Fly-Client-IP'],
  ...['X-Azure-ClientIP', 'X-ARR-SSL', 'X-Amzn-Trace-Id', 'X-Appengine-User-IP', 'X-Vercel-Forwarded-For'],
  'X-Envoy-External-Address',
];
const SPELLINGS: [name: string, line: (header: string) => string][] = [
  ['an address of the network', (header) => `${header}: 192.0.2.1`],
  ['loopback', (header) => `${header}: 127.0.0.1`],
  ['nothing', (header) => `${header}:`],
  ['small letters', (header) => `${header.toLowerCase()}: unknown`],
];

/** Status of the route for local callers without a credential, and status with a key bound to `localhost`. */
async function statuses(port: number, lines: readonly string[], key: string, version = '1.1') {
  const ask = async (target: string, more: readonly string[] = []) => {
    const head = [`GET ${target} HTTP/${version}`, ...lines, ...more, 'Connection: close'];
    return (await sendRaw(port, `${head.join('\r\n')}\r\n\r\n`))[0]?.status;
  };
  return { channel: await ask(STATUS), key: await ask(FIREWALL, [`X-Api-Key: ${key}`]) };
}
const LOCAL = { channel: 200, key: 200 };
const FAR = { channel: 401, key: 403 };
const demo = {
  write: (dir: { write: (manifest: object, code: string) => Promise<unknown> }) =>
    dir.write(manifestOf('Demo'), DEMO),
  enable: ['Demo'],
};

describe('contract 17.3: a localhost channel and a localhost key agree on who is local', () => {
  const running = useModules(demo);
  let made: Promise<string> | undefined;
  const key = () => {
    made ??= running.keyFor({ '/api/v3/firewall': 'read' }, { networkfilterid: 'localhost' });
    return made;
  };

  test.each(CASES)('%s: %j is local: %j', async (_, lines, isLocal) => {
    expect(await statuses(running.app.port, lines, await key())).toEqual(isLocal ? LOCAL : FAR);
  });

  test.each(SPELLINGS)('every forwarding header with %s makes a caller non-local', async (_, line) => {
    const local = await key();
    const judged = await Promise.all(
      FORWARDING.map(async (header) => [
        header,
        await statuses(running.app.port, [...HOST, line(header)], local),
      ]),
    );
    expect(judged).toEqual(FORWARDING.map((header) => [header, FAR]));
    console.log(`${judged.length} forwarding headers: none was taken for local`);
  });

  test('the usual headers of programs on this machine leave them local', async () => {
    const own = ['User-Agent: curl/8', 'Accept: */*', 'X-Request-Id: 1', 'X-Requested-With: XMLHttpRequest'];
    expect(await statuses(running.app.port, [...HOST, ...own], await key())).toEqual(LOCAL);
  });

  test('an HTTP/1.0 request without a Host header is not local', async () => {
    expect(await statuses(running.app.port, [], await key(), '1.0')).toEqual(FAR);
    expect(await statuses(running.app.port, HOST, await key(), '1.0')).toEqual(LOCAL);
  });

  test('a host in the request line overrides the Host header', async () => {
    const ask = async (target: string) => {
      const [answer] = await sendRaw(running.app.port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return answer?.status;
    };
    expect(await ask(`http://localhost:8080${STATUS}`)).toBe(200);
    expect(await ask(`http://attacker.example${STATUS}`)).toBe(401);
    expect(await ask(`http://localhost@attacker.example${STATUS}`)).toBe(401);
  });

  test('a caller from another loopback address is not local (contract 2.5)', async () => {
    const { port } = running.app;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', localAddress: '127.0.0.2', path: STATUS, agent: false };
      httpRequest(options, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(401);
  });

  test('proxy headers change nothing for authenticated callers and public routes', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.7', origin: 'https://crm.example', via: '1.1 proxy' };
    const token = await running.app.admin();
    expect((await running.call('GET', '/firewall', { token, headers })).status).toBe(200);
    expect((await running.call('GET', '/system:ping', { headers })).status).toBe(200);
    for (const page of ['/docs', '/health'])
      expect((await fetch(running.app.origin + page, { headers })).status, page).toBe(200);
  });
});

describe('contract 17.3: a trusted proxy never vouches for loopback', () => {
  const running = useModules({ ...demo, settings: { PBXCORE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });

  test.each([
    [undefined],
    [''],
    ['127.0.0.1'],
    ['::1'],
    ['[::1]:4711'],
    ['::ffff:127.0.0.1'],
    ['127.9.9.9'],
    ['::1, 10.0.0.1'],
    ['192.0.2.1, ::1'],
  ])('X-Forwarded-For: %s', async (header) => {
    const local = await running.keyFor({ '/api/v3/firewall': 'read' }, { networkfilterid: 'localhost' });
    const lines = [...HOST, ...(header === undefined ? [] : [`X-Forwarded-For: ${header}`])];
    expect(await statuses(running.app.port, lines, local)).toEqual(FAR);
    // If the header names loopback, the caller is on the proxy's machine and gets its address.
    const { id, key } = await running.app.createKey();
    const headers = header === undefined ? {} : { 'x-forwarded-for': header };
    await running.call('GET', '/firewall-bouncer/v1/decisions/stream', { key, headers });
    const { body } = await running.asAdmin('GET', `/api-keys/${id}`);
    expect(body.data.bouncer.last_poll_ip).toBe('127.0.0.1');
  });
});
