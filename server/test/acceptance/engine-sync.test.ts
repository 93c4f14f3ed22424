import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('what the engine serves, on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  const served = () => engine.served.extensions.map(({ number }) => number);
  const trunks = () => engine.served.providers.map(({ id }) => id);
  const employee = (number: string, fields: object = {}) => ({
    number,
    user_username: `Employee ${number}`,
    sip_secret: `secret-of-${number}`,
    ...fields,
  });

  test('a created employee is served as stored until it is deleted', async () => {
    const created = await held.asAdmin(
      'POST',
      '/employees',
      employee('201', { sip_transport: 'udp,tcp', fwd_forwarding: '202', fwd_ringlength: 20 }),
    );
    expect(created.status).toBe(201);
    await eventually(() => expect(served()).toEqual(['201']));
    expect(engine.served.extensions[0]).toMatchObject({
      name: 'Employee 201',
      secret: 'secret-of-201',
      transports: ['udp', 'tcp'],
      isRecorded: true,
      ringSeconds: 20,
      forward: { onNoAnswer: '202', onBusy: '', onUnavailable: '' },
    });
    const path = `/employees/${created.body.data.id}`;
    await held.asAdmin('PATCH', path, { sip_secret: 'another secret' });
    await eventually(() => expect(engine.served.extensions[0]?.secret).toBe('another secret'));
    await held.asAdmin('DELETE', path);
    await eventually(() => expect(served()).toEqual([]));
  });

  test('only providers in service are served: enabled, and with what their kind needs', async () => {
    const trunk = { description: 'Trunk', host: '192.0.2.80', registration_type: 'outbound' };
    const created = await held.asAdmin('POST', '/sip-providers', { ...trunk, username: 'u' });
    const { id } = created.body.data;
    const path = `/sip-providers/${id}`;
    await held.asAdmin('PATCH', path, { secret: 'trunk-secret' });
    await eventually(() => expect(trunks()).toEqual([id]));
    expect(engine.served.providers[0]).toMatchObject({
      registration: 'outbound',
      host: '192.0.2.80',
      port: 5060,
      username: 'u',
      secret: 'trunk-secret',
      qualifySeconds: 60,
      callerIdRule: { source: 'default' },
    });
    await held.asAdmin('POST', `${path}:updateStatus`, { disabled: true });
    await eventually(() => expect(trunks()).toEqual([]));
    await held.asAdmin('DELETE', path);
  });

  test('a changed network filter reaches the accounts that are bound to it', async () => {
    const filter = await held.asAdmin('POST', '/firewall', { network: '10.1.0.0', subnet: 16 });
    const created = await held.asAdmin(
      'POST',
      '/employees',
      employee('203', { sip_networkfilterid: filter.body.data.id }),
    );
    await eventually(() => expect(engine.served.extensions[0]?.filter?.permit).toBe('10.1.0.0/16'));
    await held.asAdmin('PATCH', `/firewall/${filter.body.data.id}`, { network: '10.2.0.0' });
    await eventually(() => expect(engine.served.extensions[0]?.filter?.permit).toBe('10.2.0.0/16'));
    await held.asAdmin('DELETE', `/employees/${created.body.data.id}`);
    await eventually(() => expect(served()).toEqual([]));
  });

  test('the engine refuses addresses banned from telephony until the ban ends', async () => {
    const ban = (ip: string, category: string, seconds = 600) =>
      held.asAdmin('POST', '/firewall:banIp', { ip, category, seconds });
    await ban('203.0.113.7', 'sip');
    await ban('198.51.100.0/24', 'sip', 60);
    await ban('203.0.113.8', 'http');
    const refused = () => engine.served.refusedSources;
    await eventually(() => expect(refused()).toEqual(['198.51.100.0/24', '203.0.113.7']));
    await held.app.advance(61_000);
    await held.asAdmin('GET', '/firewall:getBannedIps');
    await eventually(() => expect(refused()).toEqual(['203.0.113.7']));
    await held.asAdmin('POST', '/firewall:unbanIp', { ip: '203.0.113.7' });
    await eventually(() => expect(refused()).toEqual([]));
  });

  test('a warning names every line of manual attributes that the engine does not get', async () => {
    const sip_manualattributes =
      'direct_media=yes\n[aor]\ncontact=sip:evil@example.org\nmax_contacts=2\n[transport]';
    const created = await held.asAdmin('POST', '/employees', employee('206', { sip_manualattributes }));
    expect(created.body.data.sip_manualattributes).toBe(sip_manualattributes);
    expect(created.body.messages.warning).toEqual([
      'sip_manualattributes: not used: "contact=sip:evil@example.org" (contact cannot be set here)',
      'sip_manualattributes: not used: "[transport]" (only [endpoint], [aor] and [auth] are known)',
    ]);
    const path = `/employees/${created.body.data.id}`;
    const patched = await held.asAdmin('PATCH', path, { sip_manualattributes: 'type=x' });
    expect(patched.body.messages.warning).toEqual([
      'sip_manualattributes: not used: "type=x" (type cannot be set here)',
    ]);
    await held.asAdmin('DELETE', path);
    const trunk = { description: 'Trunk', host: '192.0.2.80', manualattributes: 'context=x\nsend_pai=yes' };
    const provider = await held.asAdmin('POST', '/sip-providers', trunk);
    expect(provider.body.messages.warning).toEqual([
      'manualattributes: not used: "context=x" (context cannot be set here)',
    ]);
    await held.asAdmin('DELETE', `/sip-providers/${provider.body.data.id}`);
    await eventually(() => expect([served(), trunks()]).toEqual([[], []]));
  });

  test('changes stored while the engine is away are served as soon as it is back', async () => {
    engine.goDown();
    const created = await held.asAdmin('POST', '/employees', employee('204'));
    expect(created.status, 'the interface does not wait for the engine').toBe(201);
    engine.comeUp();
    await eventually(() => expect(served()).toEqual(['204']));
    engine.goDown();
    engine.comeUp();
    await eventually(() => expect(served(), 'it had forgotten everything').toEqual(['204']));
  });

  test('changes that the engine refuses at first are offered again', async () => {
    engine.refuseApply(2);
    expect((await held.asAdmin('POST', '/employees', employee('205'))).status).toBe(201);
    await eventually(() => expect(served()).toEqual(['204', '205']));
  });
});
