import { beforeAll, describe, expect, test } from 'vitest';
import { registerOnce } from '../real/sip-registration.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { connect, LOUD, talk, useExchange } from './use-exchange.ts';

const ODD_SECRETS = [
  ['211', ' blanks at both ends '],
  ['212', 'semicolon; #comment "quotes" \'single\''],
  ['213', 'Ümläüte-日本-\\back=slash'],
  ['214', '[section](!) ${SHELL(id)} => ,|&'],
] as const;

describe.skipIf(!telephonyAvailable())('which phones are let in', () => {
  const held = useExchange([
    ...['201', '202', '203', '204'].map((number) => ({ number })),
    ...ODD_SECRETS.map(([number, sip_secret]) => ({ number, sip_secret })),
    { number: '221', user_username: '"Bobby"; [tables] <script>, ${EXTEN}' },
  ]);
  const register = (number: string, secret = secretOf(number), address = held.exchange.net.next()) =>
    registerOnce({ number, secret, server: held.exchange.address, address });
  let inside: string;
  beforeAll(() => {
    inside = held.exchange.net.next();
  });

  test.each(ODD_SECRETS)(
    '%s registers with a secret that is awkward in files: %s',
    async (number, secret) => {
      expect(await register(number, secret)).toBe(200);
      expect(await register(number, `${secret}x`)).toBe(401);
    },
  );

  test('a name that is awkward in files breaks no call', async () => {
    const [caller, callee] = [await held.phone('221', { hz: 440 }), await held.phone('201')];
    await connect(caller, callee);
    await talk(1200);
    await caller.hangUp();
    await callee.next('CALL_CLOSED');
    expect((await callee.heard()).strength(440)).toBeGreaterThan(LOUD);
    const [call] = await held.exchange.callsOf('221');
    expect(call).toMatchObject({ disposition: 'ANSWERED', src_num: '221', dst_num: '201' });
  });

  test('an employee bound to a network can register only from there, with the same secret', async () => {
    const { id } = await held.exchange.admin('POST', '/firewall', {
      network: inside,
      subnet: 32,
      description: 'office',
    });
    const [{ id: employee }] = (await held.exchange.admin('GET', '/employees?search=202')).data;
    await held.exchange.admin('PATCH', `/employees/${employee}`, { sip_networkfilterid: id });
    await held.exchange.settled();
    expect(await register('202', secretOf('202'), inside)).toBe(200);
    expect(await register('202')).not.toBe(200);
    // No other employee is bound to a filter.
    expect(await register('203')).toBe(200);
  });

  test('changing one employee does not disturb the call of another', async () => {
    const [anna, boris] = [await held.phone('203', { hz: 440 }), await held.phone('204', { hz: 1000 })];
    await connect(anna, boris);
    const [{ id }] = (await held.exchange.admin('GET', '/employees?search=201')).data;
    await held.exchange.admin('PATCH', `/employees/${id}`, { sip_secret: 'another-one-2' });
    await held.exchange.settled();
    await soon(async () => expect(await register('201', 'another-one-2')).toBe(200));
    await talk(1200);
    expect(anna.events.at(-1)?.type).not.toBe('CALL_CLOSED');
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    expect((await boris.heard()).strength(440)).toBeGreaterThan(LOUD);
    expect((await anna.heard()).strength(1000)).toBeGreaterThan(LOUD);
  });
});
