import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { missingProgram, startFirewallBouncer } from '../real/bouncer.ts';
import { BUNDLE_DIR } from '../real/engine-bundle.ts';
import { createNetPair, findNamespaces, type NetPair } from '../real/netns.ts';
import { realPart } from '../real/require-real.ts';
import { type ServiceProcess, startServiceProcess } from '../real/service-process.ts';
import { registerMany } from '../real/sipp.ts';
import { soon } from '../real/soon.ts';
import { served, telephonyAvailable } from './exchange.ts';

// Loopback is never banned, so attackers and phones connect over a cable.
const SERVER = '192.0.2.1';
const ATTACKER = '192.0.2.2';
const HONEST = '192.0.2.3';
const SECRET = 'the-thirty-sixth-guess';

const programs = ['svcrack', 'svwar', 'crowdsec-firewall-bouncer', 'nft', 'redis-server'];
const missing = missingProgram(...programs);
const available =
  telephonyAvailable() &&
  realPart(missing ?? programs.join(', '), !missing) &&
  realPart('the right to make network namespaces', findNamespaces());

describe.skipIf(!available)('attacks on phones', () => {
  let pair: NetPair;
  let service: ServiceProcess;

  beforeAll(async () => {
    pair = await createNetPair([`${SERVER}/24`], [`${ATTACKER}/24`, `${HONEST}/24`]);
    service = await startServiceProcess(pair, {
      PBXCORE_ENGINE: 'asterisk',
      PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
      PBXCORE_ASTERISK_FETCH: 'no',
      PBXCORE_SIP_HOST: SERVER,
    });
    for (const number of ['201', '202']) {
      await service.admin('POST', '/employees', { number, user_username: 'Anna', sip_secret: SECRET });
    }
    await served(service);
  });
  afterAll(async () => {
    // Otherwise its engine would outlive it.
    await service?.stop();
    await pair?.close();
  });

  const banned = async (): Promise<string[]> =>
    Object.keys(await service.admin('GET', '/firewall:getBannedIps'));
  const lift = (ip: string) => service.admin('POST', '/firewall:unbanIp', { ip });
  const register = (address: string, secret: string, outcome = 200) =>
    registerMany({ address, server: SERVER, space: pair.client }, [{ number: '201', secret }], { outcome });
  const showLog = () => onTestFailed(() => console.error(service.process.lines.slice(-30).join('\n')));

  test('an honest phone with a wrong password is let in with the right one, and never banned', async () => {
    showLog();
    await register(HONEST, 'a-typing-error', 401);
    await register(HONEST, SECRET);
    await soon(async () =>
      expect(await service.admin('GET', '/sip/201:getStatus')).toMatchObject({ status: 'Available' }),
    );
    expect(await banned()).toEqual([]);
  });

  test('svcrack is banned, by engine and firewall, before it guesses the secret, and let in after a lift', async () => {
    showLog();
    // The 20th guess causes the ban, which reaches the engine a moment later, while the next ones arrive.
    const guesses = Array.from({ length: 120 }, (_, i) => (i === 100 ? SECRET : `guess-${i}`));
    const dictionary = join(pair.folder, 'dictionary.txt');
    await writeFile(dictionary, `${guesses.join('\n')}\n`);
    // Ten guesses a second.
    const options = ['-u', '201', '-d', dictionary, '-t', '0.1', '-P', '5099'];
    const cracker = pair.client.start('svcrack', [...options, SERVER]);
    onTestFailed(() => console.error(cracker.lines.join('\n')));
    await soon(async () => expect(await banned()).toEqual([ATTACKER]));
    await cracker.stop('SIGTERM');
    expect(cracker.lines.join('\n')).not.toContain(SECRET);

    // Until now only the engine itself refuses, whatever the password.
    await soon(() => register(ATTACKER, SECRET, 403));
    await register(HONEST, SECRET);

    const { key } = await service.createKey();
    const bouncer = await startFirewallBouncer({ pair, mode: 'nftables', url: service.baseUrl, key });
    await soon(async () => expect([...(await bouncer.entries()).keys()]).toEqual([ATTACKER]));
    await lift(ATTACKER);
    await soon(async () => expect([...(await bouncer.entries()).keys()]).toEqual([]));
    await bouncer.stop();
    await soon(() => register(ATTACKER, SECRET));
    expect(await banned()).toEqual([]);
  });

  test('svwar, which scans for numbers, finds none; nobody is banned for packets with a possibly forged sender', async () => {
    showLog();
    const scanner = pair.client.start('svwar', [
      '--force',
      '-m',
      'REGISTER',
      '-e',
      '100-400',
      '-P',
      '5099',
      SERVER,
    ]);
    onTestFailed(() => console.error(scanner.lines.join('\n')));
    await scanner.ended;
    expect(scanner.lines.filter((line) => /\|\s*20[12]\s*\|/.test(line))).toEqual([]);
    await register(HONEST, SECRET);
    expect(await banned()).toEqual([]);
  });

  test('the sample firewall rules limit a flood of unauthenticated packets, while honest phones still register', async () => {
    showLog();
    await pair.server.run('nft', '-f', join(import.meta.dirname, '../../../examples/sip-limit.nft'));
    const flood = pair.client.start(process.execPath, ['--eval', FLOOD]);
    onTestFailed(() => console.error(flood.lines.join('\n')));
    await soon(() => expect(flood.lines).toContain('flooding'));
    await register(HONEST, SECRET);
    await flood.ended;
    const [, sent, answered] = /(\d+) sent, (\d+) answered/.exec(flood.lines.join('\n')) ?? [];
    console.log(`a flood of requests without credentials: ${sent} sent, ${answered} answered`);
    // 100 at once, then 50 a second: on a slow machine, only what is impossible without the rules can be expected.
    expect(Number(answered)).toBeLessThan(Number(sent) / 2);
    expect(await banned()).toEqual([]);
    await pair.server.run('nft', 'delete', 'table', 'inet', 'pbxcore_sip');
  });
});

/** A thousand requests a second for two seconds, from one address. */
const FLOOD = `
const socket = require('node:dgram').createSocket('udp4');
let sent = 0, answered = 0;
socket.on('message', () => answered++);
socket.bind(5098, '${ATTACKER}', () => {
  console.log('flooding');
  const timer = setInterval(() => {
    for (let i = 0; i < 10 && sent < 2000; i++) {
      const id = ++sent;
      socket.send([
        'REGISTER sip:${SERVER} SIP/2.0',
        'Via: SIP/2.0/UDP ${ATTACKER}:5098;branch=z9hG4bK' + id,
        'From: <sip:flood@${SERVER}>;tag=' + id,
        'To: <sip:flood@${SERVER}>',
        'Call-ID: flood' + id,
        'CSeq: 1 REGISTER',
        'Contact: <sip:flood@${ATTACKER}:5098>',
        'Max-Forwards: 70',
        'Content-Length: 0',
        '\\r\\n',
      ].join('\\r\\n'), 5060, '${SERVER}');
    }
    if (sent < 2000) return;
    clearInterval(timer);
    setTimeout(() => { console.log(sent + ' sent, ' + answered + ' answered'); socket.close(); }, 1000);
  }, 10);
});
`;
