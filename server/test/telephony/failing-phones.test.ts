import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import { missingProgram } from '../real/bouncer.ts';
import { BUNDLE_DIR } from '../real/engine-bundle.ts';
import { createNetPair, findNamespaces, type NetPair } from '../real/netns.ts';
import { startOfficePhones } from '../real/office-phones.ts';
import { realPart } from '../real/require-real.ts';
import { type ServiceProcess, startServiceProcess } from '../real/service-process.ts';
import { registerMany } from '../real/sipp.ts';
import { soon } from '../real/soon.ts';
import { secretOf, served, telephonyAvailable } from './exchange.ts';

// Loopback is never banned, so phones connect over a cable.
const SERVER = '192.0.2.1';
const OFFICE = '192.0.2.2';
const HOME = '192.0.2.3';
const MAXRETRY = 4;

const missing = missingProgram('redis-server');
const available =
  telephonyAvailable() &&
  realPart(missing ?? 'redis-server', !missing) &&
  realPart('the right to make network namespaces', findNamespaces());

describe.skipIf(!available)('contract 17.7: a phone with an old password', () => {
  let pair: NetPair;
  let service: ServiceProcess;

  beforeAll(async () => {
    pair = await createNetPair([`${SERVER}/24`], [`${OFFICE}/24`, `${HOME}/24`]);
    service = await startServiceProcess(pair, {
      PBXCORE_ENGINE: 'asterisk',
      PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
      PBXCORE_ASTERISK_FETCH: 'no',
      PBXCORE_SIP_HOST: SERVER,
    });
    await service.admin('PATCH', '/fail2ban', { maxretry: MAXRETRY });
    for (const number of ['201', '202', '203']) {
      const body = { number, user_username: `Employee ${number}`, sip_secret: secretOf(number) };
      await service.admin('POST', '/employees', body);
    }
    await served(service);
  });
  afterAll(async () => {
    // Otherwise its engine would outlive it.
    await service?.stop();
    await pair?.close();
  });
  beforeEach(() => {
    onTestFailed(() => console.error(service.process.lines.slice(-30).join('\n')));
  });

  const banned = async (): Promise<string[]> =>
    Object.keys(await service.admin('GET', '/firewall:getBannedIps'));
  const lift = (ip: string) => service.admin('POST', '/firewall:unbanIp', { ip });
  const tries = (address: string, number: string, secret: string, times: number, outcome: number) =>
    registerMany({ address, server: SERVER, space: pair.client }, Array(times).fill({ number, secret }), {
      outcome,
    });
  const fail = (address: string, number: string, times: number) =>
    tries(address, number, 'an-old-secret', times, 401);
  const succeed = (address: string, number: string) => tries(address, number, secretOf(number), 1, 200);
  const failingPlaces = async (number: string): Promise<string[]> => {
    const { failed_logins = [] } = await service.admin('GET', `/sip/${number}:getStatus`);
    return failed_logins.map(({ ip }: { ip: string }) => ip);
  };

  test('alone at its address it is banned; an earlier successful login or a lift resets its count', async () => {
    // The engine shows its SIP messages only after a first failure; failures that it did not show may count later.
    await soon(async () => {
      if ((await failingPlaces('203')).length === 0) await fail(HOME, '203', 1);
      expect(await failingPlaces('203')).toEqual([HOME]);
    });
    await lift(HOME);
    await soon(() => succeed(HOME, '203'));
    await soon(async () => expect(await failingPlaces('203')).toEqual([]));
    // Too many together, but each round is below the limit even if one counts late.
    for (let i = 0; i < 2; i++) {
      await fail(HOME, '203', MAXRETRY - 2);
      await soon(async () => expect(await failingPlaces('203')).toEqual([HOME]));
      await succeed(HOME, '203');
      await soon(async () => expect(await failingPlaces('203')).toEqual([]));
      expect(await banned()).toEqual([]);
    }
    await fail(HOME, '203', MAXRETRY);
    await soon(async () => expect(await banned()).toEqual([HOME]));
    await lift(HOME);
    await soon(() => fail(HOME, '203', 1));
    await fail(HOME, '203', MAXRETRY - 3);
    await succeed(HOME, '203');
    expect(await banned()).toEqual([]);
  });

  test('sharing an address with working phones it bans nobody and is named', async () => {
    const accounts = ['201', '203'].map((number) => ({ number, secret: secretOf(number) }));
    const phones = await startOfficePhones(pair.client, { address: OFFICE, server: SERVER, accounts });
    await soon(async () => {
      const { 201: one, 203: other } = await service.admin('GET', '/sip:getStatuses');
      for (const { devices } of [one, other])
        expect(devices).toContainEqual(expect.objectContaining({ ip: OFFICE }));
    });
    await fail(OFFICE, '202', 3 * MAXRETRY);
    await soon(async () => expect(await failingPlaces('202')).toEqual([OFFICE]));
    await soon(() => expect(service.process.lines.join('\n')).toContain('other phones work at this address'));
    expect(service.process.lines.join('\n')).toMatch(/"extension":"202","address":"192.0.2.2"/);
    expect(await failingPlaces('201')).toEqual([]);
    expect(await banned()).toEqual([]);
    expect(await service.admin('GET', '/sip/201:getStatus')).toMatchObject({ status: 'Available' });
    // The last ones may already get another answer.
    await fail(OFFICE, '202', 3 * MAXRETRY).catch(() => {});
    await soon(async () => expect(await banned()).toEqual([OFFICE]));
    await phones.stop('SIGTERM');
  });
});
