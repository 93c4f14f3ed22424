import { describe, expect, test } from 'vitest';
import { startPhone } from '../real/baresip.ts';
import { registerMany } from '../real/sipp.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { connect, LOUD, talk, useExchange } from './use-exchange.ts';

describe.skipIf(!telephonyAvailable())('registration of phones', () => {
  const held = useExchange([
    { number: '201' },
    { number: '202', sip_transport: 'tcp' },
    { number: '203', sip_transport: 'tls' },
    { number: '204', sip_transport: 'udp' },
    { number: '205' },
    { number: '206' },
    { number: '207' },
    { number: '208' },
    { number: '209', sip_transport: 'tls', sip_manualattributes: 'media_encryption=sdes' },
    { number: '210' },
  ]);
  const statusOf = (number: string) => held.exchange.admin('GET', `/sip/${number}:getStatus`);
  const expectStatus = (number: string, status: string) =>
    soon(async () => expect(await statusOf(number)).toMatchObject({ extension: number, status }));

  test.each([
    ['201', 'udp'],
    ['202', 'tcp'],
    ['203', 'tls'],
  ] as const)(
    '%s registers over %s, is available with its device, and is gone after it unregisters',
    async (number, transport) => {
      await expectStatus(number, 'Unavailable');
      const address = held.exchange.net.next();
      const server = transport === 'tls' ? `${held.exchange.address}:5061` : held.exchange.address;
      const phone = await startPhone({ number, secret: secretOf(number), address, server, transport });
      expect(phone.events.at(-1)?.type).toBe('REGISTER_OK');
      await expectStatus(number, 'Available');
      const { devices } = await statusOf(number);
      expect(devices).toMatchObject([{ user_agent: expect.stringContaining('baresip') }]);
      // Over other transports, baresip lets the kernel choose the source address.
      if (transport === 'udp') expect(devices).toMatchObject([{ ip: address, port: 5060 }]);
      await phone.leave();
      await expectStatus(number, 'Unavailable');
    },
  );

  test('a phone on TCP and one on TLS talk with one on UDP', async () => {
    const udp = await held.phone('201', { hz: 440 });
    const tcp = await held.phone('202', { hz: 1000, transport: 'tcp' });
    const tls = await held.phone('203', {
      hz: 1500,
      transport: 'tls',
      server: `${held.exchange.address}:5061`,
    });
    for (const [other, hz] of [
      [tcp, 1000],
      [tls, 1500],
    ] as const) {
      await connect(udp, other);
      await talk(1200);
      await udp.hangUp();
      await other.next('CALL_CLOSED');
      await udp.next('CALL_CLOSED');
      expect((await udp.heard()).strength(hz)).toBeGreaterThan(LOUD);
      expect((await other.heard()).strength(440)).toBeGreaterThan(LOUD);
    }
  });

  test('a phone with encrypted voice talks with one without', async () => {
    const plain = await held.phone('210', { hz: 440 });
    const secret = await held.phone('209', {
      hz: 1500,
      transport: 'tls',
      server: `${held.exchange.address}:5061`,
      encryptsMedia: true,
    });
    await connect(secret, plain);
    await talk(1200);
    await plain.hangUp();
    await secret.next('CALL_CLOSED');
    expect(secret.trace.some((line) => line.startsWith('a=crypto:'))).toBe(true);
    expect((await plain.heard()).strength(1500)).toBeGreaterThan(LOUD);
    expect((await secret.heard()).strength(440)).toBeGreaterThan(LOUD);
  });

  test('a wrong secret does not register', async () => {
    const phone = await startPhone({
      number: '204',
      secret: 'not the secret',
      address: held.exchange.net.next(),
      server: held.exchange.address,
    });
    held.defer(() => phone.unplug());
    expect(phone.events.at(-1)).toMatchObject({ type: 'REGISTER_FAIL' });
    await expectStatus('204', 'Unavailable');
  });

  test.each(['deleted and hired again', 'given another secret'])(
    'a phone that registered before the number was %s is no longer reached',
    async (how) => {
      const number = how.startsWith('deleted') ? '211' : '212';
      await held.exchange.hire({ number });
      const old = await held.phone(number);
      held.defer(() => old.unplug());
      await expectStatus(number, 'Available');
      const [{ id }] = (await held.exchange.admin('GET', `/employees?search=${number}`)).data;
      const since = new Date();
      if (how.startsWith('deleted')) {
        await held.exchange.admin('DELETE', `/employees/${id}`);
        await held.exchange.settled(since);
        await held.exchange.hire({ number, sip_secret: 'another-secret-1' });
      } else {
        await held.exchange.admin('PATCH', `/employees/${id}`, { sip_secret: 'another-secret-1' });
        await held.exchange.settled(since);
      }
      await expectStatus(number, 'Unavailable');
    },
  );

  test('both devices of an employee ring, and the one that answers has the call', async () => {
    const caller = await held.phone('205');
    const [desk, sofa] = [await held.phone('206'), await held.phone('206')];
    await soon(async () => expect((await statusOf('206')).devices).toHaveLength(2));
    await caller.dial('206');
    await Promise.all([desk.next('CALL_INCOMING'), sofa.next('CALL_INCOMING')]);
    await sofa.answer();
    await caller.next('CALL_ESTABLISHED');
    await desk.next('CALL_CLOSED');
    await caller.hangUp();
    await sofa.next('CALL_CLOSED');
    const calls = await held.exchange.callsOf('205');
    expect(calls).toMatchObject([{ dst_num: '206', disposition: 'ANSWERED' }]);
  });

  test('a new secret locks out the phone with the old one without disturbing any other', async () => {
    const other = await held.phone('208');
    const [employee] = (await held.exchange.admin('GET', '/employees?search=207')).data;
    await held.exchange.admin('PATCH', `/employees/${employee.id}`, { sip_secret: 'another-secret' });
    await held.exchange.settled();
    const place = { address: held.exchange.net.next(), server: held.exchange.address };
    await registerMany(place, [{ number: '207', secret: secretOf('207') }], { outcome: 401 });
    await registerMany(place, [{ number: '207', secret: 'another-secret' }]);
    await expectStatus('207', 'Available');
    expect(other.events.map(({ type }) => type)).not.toContain('REGISTER_FAIL');
    await expectStatus('208', 'Available');
  });

  test('a deleted employee can no longer register', async () => {
    const [employee] = (await held.exchange.admin('GET', '/employees?search=208')).data;
    await held.exchange.admin('DELETE', `/employees/${employee.id}`);
    await held.exchange.settled();
    const place = { address: held.exchange.net.next(), server: held.exchange.address };
    await registerMany(place, [{ number: '208', secret: secretOf('208') }], { outcome: 401 });
  });
});
