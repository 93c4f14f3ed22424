import { describe, expect, test } from 'vitest';
import { createFakeEngine, type FakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { ADMIN_PASSWORD, makeApp, type TestApp } from '../make-app.ts';
import { availablePairs, useApp } from './use-app.ts';

const MAXRETRY = 4;

describe.each(availablePairs)('contract 17.7: how failures are counted, on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' }, engine);
  const numbers = ['201', '202', '203', '204', '205', '206', '207', '208'];
  let places = 0;
  /** An address not used before. */
  const place = () => `203.0.113.${++places}`;

  const fail = (address: string, account: string | undefined, times: number) => {
    for (let i = 0; i < times; i++)
      engine.failAuth({ category: 'sip', address, ...(account !== undefined && { account }) });
  };
  const succeed = (address: string, account: string) =>
    engine.succeedAuth({ category: 'sip', address, account });
  const bannedNow = async (): Promise<string[]> =>
    Object.keys((await held.asAdmin('GET', '/firewall:getBannedIps')).body.data);
  const banned = (address: string) => eventually(async () => expect(await bannedNow()).toContain(address));
  const notBanned = async (address: string) => {
    await counted();
    expect(await bannedNow()).not.toContain(address);
  };
  /** Waits for the ban of a witness who fails later, which takes more steps than anything reported before. */
  const counted = async () => {
    const witness = `198.51.100.${++places}`;
    for (let i = 0; i < 3; i++) {
      fail(witness, '999', MAXRETRY);
      await banned(witness);
      await lift(witness);
    }
  };
  const lift = (ip: string, category?: string) =>
    held.asAdmin('POST', '/firewall:unbanIp', { ip, ...(category && { category }) });
  const statusOf = async (number: string) =>
    (await held.asAdmin('GET', `/sip/${number}:getStatus`)).body.data;

  test('setting up: four failures within ten minutes, eight employees', async () => {
    const rules = { maxretry: MAXRETRY, findtime: 600, bantime: 900 };
    expect((await held.asAdmin('PATCH', '/fail2ban', rules)).status).toBe(200);
    for (const number of numbers) {
      const body = { number, user_username: `Employee ${number}`, sip_secret: `secret-of-${number}` };
      expect((await held.asAdmin('POST', '/employees', body)).status).toBe(201);
    }
    await eventually(() => expect(engine.served.extensions).toHaveLength(numbers.length));
  });

  test('success of the same account from the same address sets its count to zero', async () => {
    const address = place();
    for (let i = 0; i < 3; i++) {
      fail(address, '201', MAXRETRY - 1);
      succeed(address, '201');
    }
    fail(address, '201', MAXRETRY - 1);
    await notBanned(address);
    fail(address, '201', 1);
    await banned(address);
  });

  test('success of another account or from another address sets no count to zero', async () => {
    const address = place();
    fail(address, '201', MAXRETRY - 1);
    succeed(address, '202');
    succeed(place(), '201');
    fail(address, '201', 1);
    await banned(address);
  });

  test('successes of one account do not allow guessing at other accounts in between', async () => {
    const address = place();
    for (let i = 0; i < MAXRETRY; i++) {
      fail(address, '202', 1);
      succeed(address, '201');
    }
    await banned(address);
  });

  test('an operator’s lift sets the count to zero', async () => {
    const address = place();
    fail(address, '201', MAXRETRY);
    await banned(address);
    await lift(address);
    fail(address, '201', MAXRETRY - 1);
    await notBanned(address);
    fail(address, '201', 1);
    await banned(address);
  });

  test('a lift sets the count to zero even before a ban; a lift of another category does not', async () => {
    const [one, other] = [place(), place()];
    for (const address of [one, other]) fail(address, '201', MAXRETRY - 1);
    await counted();
    await lift(one);
    await lift(other, 'http');
    for (const address of [one, other]) fail(address, '201', 1);
    await banned(other);
    expect(await bannedNow()).not.toContain(one);
  });

  test('at an address without a working phone, failures of all accounts count together', async () => {
    const address = place();
    for (const account of ['201', '202', 'nobody']) fail(address, account, 1);
    await notBanned(address);
    fail(address, undefined, 1);
    await banned(address);
  });

  test('where another account works, a phone with an old password causes no ban before 5 times maxretry', async () => {
    const address = place();
    engine.register('203', { address });
    fail(address, '204', 5 * MAXRETRY - 1);
    await notBanned(address);
    fail(address, '204', 1);
    await banned(address);
    engine.unregister('203');
  });

  test('where another account works, five failing accounts cause no ban, but the sixth does', async () => {
    const address = place();
    engine.register('201', { address });
    for (const account of ['202', '203', '204', '205', '206']) fail(address, account, MAXRETRY);
    await notBanned(address);
    fail(address, '207', 1);
    await banned(address);
    engine.unregister('201');
  });

  test('accounts whose failures are older than findtime do not count among the five', async () => {
    const address = place();
    engine.register('201', { address });
    for (const account of ['202', '203', '204']) fail(address, account, MAXRETRY);
    await counted();
    await held.app.advance(601_000);
    for (const account of ['205', '206', '207', '208']) fail(address, account, MAXRETRY);
    await notBanned(address);
    engine.unregister('201');
  });

  test('invented account names count like accounts: more than five cause a ban', async () => {
    const address = place();
    engine.register('201', { address });
    for (let i = 0; i < 6; i++) fail(address, `guess-${i}`, 1);
    await banned(address);
    engine.unregister('201');
  });

  test('the failing account itself, a phone elsewhere or an unreachable one is not a working phone', async () => {
    const [own, elsewhere, silent] = [place(), place(), place()];
    engine.register('201', { address: own });
    engine.register('202', { address: place() });
    engine.register('203', { address: silent, reach: 'unreachable' });
    for (const address of [own, elsewhere, silent]) {
      fail(address, '201', MAXRETRY);
      await banned(address);
    }
    for (const number of ['201', '202', '203']) engine.unregister(number);
  });

  test('while the state of phones is unknown, an address counts as one without a working phone', async () => {
    const address = place();
    engine.register('201', { address });
    engine.goDown();
    await held.app.advance(60_001);
    fail(address, '204', MAXRETRY);
    await banned(address);
    engine.comeUp();
    await eventually(() => expect(engine.served.extensions).toHaveLength(numbers.length));
  });

  test('a phone with the right secret but without required TLS is shown with its status, never banned', async () => {
    const address = place();
    knownToBeServed(engine, '205');
    for (let i = 0; i < 10 * MAXRETRY; i++) engine.missTls({ account: '205', address });
    expect((await statusOf('205')).failed_logins).toEqual([
      { ip: address, since: expect.any(String), reason: 'without TLS' },
    ]);
    await notBanned(address);
    succeed(address, '205');
    expect(await statusOf('205')).not.toHaveProperty('failed_logins');
  });

  test('the status of a failing account shows its failures until it succeeds, other accounts show none', async () => {
    const [address, other] = [place(), place()];
    const since = new Date(Math.floor(held.app.now() / 1000) * 1000);
    knownToBeServed(engine, '205');
    fail(address, '205', 2);
    expect((await statusOf('205')).failed_logins).toEqual([{ ip: address, since: expect.any(String) }]);
    expect(new Date((await statusOf('205')).failed_logins[0].since)).toEqual(since);
    expect(await statusOf('206')).not.toHaveProperty('failed_logins');
    await held.app.advance(60_000);
    fail(address, '205', 1);
    fail(other, '205', 1);
    const all = (await held.asAdmin('GET', '/sip:getStatuses')).body.data;
    expect(all['205'].failed_logins.map(({ ip }: { ip: string }) => ip)).toEqual([other, address]);
    expect(new Date(all['205'].failed_logins[1].since)).toEqual(since);
    succeed(address, '205');
    expect((await statusOf('205')).failed_logins.map(({ ip }: { ip: string }) => ip)).toEqual([other]);
    succeed(other, '205');
    expect(await statusOf('205')).not.toHaveProperty('failed_logins');
  });

  test('a login sets the count of the same name and address to zero, but not that of another name', async () => {
    const login = (address: string, name: string, password: string) =>
      held.call('POST', '/auth:login', {
        body: { login: name, password },
        headers: { 'x-forwarded-for': address },
      });
    const address = place();
    for (let i = 0; i < 2; i++) {
      for (let n = 1; n < MAXRETRY; n++) await login(address, 'admin', 'wrong');
      expect((await login(address, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    }
    expect(await bannedNow()).not.toContain(address);
    for (let n = 1; n < MAXRETRY; n++) await login(address, 'somebody', 'wrong');
    expect((await login(address, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await login(address, 'somebody', 'wrong');
    expect(await bannedNow()).toContain(address);
  });

  test('a login over IPv6 and a lift also take the address out of the count of its /64', async () => {
    const login = (address: string, password = 'wrong') =>
      held.call('POST', '/auth:login', {
        body: { login: 'admin', password },
        headers: { 'x-forwarded-for': address },
      });
    for (let n = 0; n < MAXRETRY; n++) await login('2001:db8:0:1::1');
    expect(await bannedNow()).toContain('2001:db8:0:1::1');
    await lift('2001:db8:0:1::1');
    await login('2001:db8:0:1::2');
    expect(await bannedNow()).not.toContain('2001:db8:0:1::/64');
    expect((await login('2001:db8:0:1::2', ADMIN_PASSWORD)).status).toBe(200);
    for (let n = 1; n < MAXRETRY; n++) await login('2001:db8:0:1::3');
    expect((await bannedNow()).filter((ip) => ip.startsWith('2001:db8:0:1:'))).toEqual([]);
    await login('2001:db8:0:1::2');
    expect(await bannedNow()).toContain('2001:db8:0:1::/64');
    await lift('2001:db8:0:1::/64');
    await login('2001:db8:0:1::3');
    await login('2001:db8:0:1::2');
    expect((await bannedNow()).filter((ip) => ip.startsWith('2001:db8:0:1:'))).toEqual([]);
  });
});

/** Events of the number's phone tell the service that the engine serves it. */
function knownToBeServed(engine: FakeEngine, number: string): void {
  engine.register(number);
  engine.unregister(number);
}

const shared = availablePairs.filter(({ name }) => name.includes('Redis'));

describe.each(shared)('contract 17.7 on two nodes that share $name', ({ open }) => {
  test('a lift on the node without the engine zeroes the count, and that node shows the failing account', async () => {
    const engine = createFakeEngine();
    const stores = await open();
    const near = await makeApp(stores, {}, engine);
    const far = await makeApp(stores);
    const as = async (node: TestApp, method: string, path: string, body?: object) =>
      (await node.call(method, path, { token: await node.admin(), ...(body && { body }) })).body.data;
    const banned = async () => Object.keys(await as(far, 'GET', '/firewall:getBannedIps'));
    const fail = (address: string, times: number) => {
      for (let i = 0; i < times; i++) engine.failAuth({ category: 'sip', address, account: '201' });
    };
    try {
      await as(far, 'PATCH', '/fail2ban', { maxretry: 3 });
      await as(far, 'POST', '/employees', {
        number: '201',
        user_username: 'Ann',
        sip_secret: 'secret-of-201',
      });
      await eventually(() => expect(engine.served.extensions).toHaveLength(1));
      knownToBeServed(engine, '201');
      fail('203.0.113.9', 3);
      await eventually(async () => expect(await banned()).toEqual(['203.0.113.9']));
      await eventually(async () =>
        expect((await as(far, 'GET', '/sip/201:getStatus')).failed_logins).toMatchObject([
          { ip: '203.0.113.9' },
        ]),
      );
      await as(far, 'POST', '/firewall:unbanIp', { ip: '203.0.113.9' });
      fail('203.0.113.9', 2);
      fail('203.0.113.10', 3);
      await eventually(async () => expect(await banned()).toEqual(['203.0.113.10']));
      fail('203.0.113.9', 1);
      await eventually(async () => expect(await banned()).toEqual(['203.0.113.10', '203.0.113.9']));
    } finally {
      await Promise.all([near.close(), far.close()]);
      await stores.stop();
    }
  });
});
