import { describe, expect, test } from 'vitest';
import { brief, useFirewall } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

const SERVICES = ['SIP', 'IAX', 'WEB', 'SSH', 'AMI', 'AJAM', 'ICMP'];
const open = (closed: string[] = []) =>
  Object.fromEntries(SERVICES.map((name) => [name, { name, action: !closed.includes(name), ports: [] }]));

describe.each(storePairs)('contract 7.2 and 7.3: firewall rules on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { call, done } = firewall;
  const rule = test.skipIf(!pair.available);
  const create = (fields: object = {}) =>
    call('POST', '/firewall', { network: '10.1.2.3', subnet: 16, ...fields });

  rule('a record made of the two required fields has every default', async () => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      network: '10.1.0.0',
      subnet: 16,
      permit: '10.1.0.0/16',
      deny: '0.0.0.0/0',
      description: '',
      newer_block_ip: false,
      local_network: false,
      priority: 0,
      rules: open(),
      permanent: false,
    });
    expect(await done('GET', `/firewall/${made.body.data.id}`)).toEqual(made.body.data);
  });

  rule('every field that is sent is stored and read back', async () => {
    const fields = {
      network: '2001:DB8:0::1',
      subnet: '48',
      deny: '203.0.113.7; 198.51.100.77/24\n2001:DB8:1::/48',
      description: ' Zürich <b>office</b> ',
      newer_block_ip: '1',
      local_network: 1,
      priority: '-5',
      currentRules: { SSH: false, AMI: { action: '0' }, WEB: { action: true } },
    };
    const { data } = (await create(fields)).body;
    expect(data).toMatchObject({
      network: '2001:db8::',
      subnet: 48,
      permit: '2001:db8::/48',
      deny: '203.0.113.7,198.51.100.0/24,2001:db8:1::/48',
      description: 'Zürich <b>office</b>',
      newer_block_ip: true,
      local_network: true,
      priority: -5,
      rules: open(['SSH', 'AMI']),
    });
  });

  rule.each([
    ['network missing', { network: undefined }, 'network'],
    ['network a CIDR', { network: '10.0.0.0/8' }, 'network'],
    ['network with a leading zero', { network: '010.0.0.1' }, 'network'],
    ['network a name', { network: 'example.org' }, 'network'],
    ['subnet missing', { subnet: undefined }, 'subnet'],
    ['subnet 33 for IPv4', { subnet: 33 }, 'subnet'],
    ['subnet 129 for IPv6', { network: '2001:db8::1', subnet: 129 }, 'subnet'],
    ['subnet a fraction', { subnet: 8.5 }, 'subnet'],
    ['subnet negative', { subnet: -1 }, 'subnet'],
    ['deny with a name', { deny: '10.0.0.1 example.org' }, 'deny'],
    ['deny above 4096 characters', { deny: '203.0.113.7 '.repeat(341).padEnd(4097, ',') }, 'deny'],
    ['description above 255', { description: 'x'.repeat(256) }, 'description'],
    ['newer_block_ip not a boolean', { newer_block_ip: 'yes' }, 'newer_block_ip'],
    ['local_network not a boolean', { local_network: 2 }, 'local_network'],
    ['priority not an integer', { priority: 'high' }, 'priority'],
    ['currentRules with an unknown category', { currentRules: { FTP: true } }, 'currentRules'],
    ['currentRules not an object', { currentRules: [] }, 'currentRules'],
    ['currentRules with a bad flag', { currentRules: { SIP: 'on' } }, 'currentRules'],
  ])('%s is 400 naming the field, and nothing is stored', async (_, fields, named) => {
    const refused = await create(fields);
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.messages.error.join()).toContain(`${named}: `);
    expect((await done('GET', '/firewall')).total).toBe(0);
  });

  rule.each([
    ['IPv4 /0', '10.0.0.1', 0, '0.0.0.0/0'],
    ['IPv4 /32', '10.0.0.1', 32, '10.0.0.1/32'],
    ['IPv6 /0', '2001:db8::1', 0, '::/0'],
    ['IPv6 /128', '2001:db8::1', 128, '2001:db8::1/128'],
    ['an IPv4-mapped address', '::ffff:192.0.2.9', 24, '192.0.2.0/24'],
  ])('%s is a network with its host bits zeroed', async (_, network, subnet, permit) => {
    expect((await create({ network, subnet })).body.data.permit).toBe(permit);
  });

  rule('a deny of 4096 characters is stored', async () => {
    const made = await create({ deny: '203.0.113.7 '.repeat(341).padEnd(4096, ',') });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.deny).toBe('203.0.113.7');
  });

  rule('PUT replaces: what is not sent returns to its default', async () => {
    const { id } = (
      await create({ description: 'Office', deny: '203.0.113.7', currentRules: { SSH: false } })
    ).body.data;
    const put = await done('PUT', `/firewall/${id}`, { network: '10.2.0.0', subnet: 16 });
    expect(put).toMatchObject({
      id,
      permit: '10.2.0.0/16',
      deny: '0.0.0.0/0',
      description: '',
      rules: open(),
    });
    expect((await call('PUT', `/firewall/${id}`, { description: 'x' })).status).toBe(400);
  });

  rule('PATCH changes only what is sent', async () => {
    const { id } = (
      await create({ description: 'Office', deny: '203.0.113.7', currentRules: { SSH: false } })
    ).body.data;
    const patch = (fields: object) => done('PATCH', `/firewall/${id}`, fields);
    expect(await patch({})).toMatchObject({
      permit: '10.1.0.0/16',
      deny: '203.0.113.7',
      description: 'Office',
    });
    expect(await patch({ subnet: 24 })).toMatchObject({ permit: '10.1.0.0/24' });
    expect(await patch({ network: '10.9.8.7' })).toMatchObject({
      permit: '10.9.8.0/24',
      description: 'Office',
    });
    expect(await patch({ currentRules: { AMI: false } })).toMatchObject({ rules: open(['SSH', 'AMI']) });
    expect(await patch({ deny: '' })).toMatchObject({ deny: '', rules: open(['SSH', 'AMI']) });
    expect(await patch({ deny: null, description: null })).toMatchObject({ deny: '', description: 'Office' });
  });

  rule('a record that was read can be put back unchanged, without warning', async () => {
    const { data } = (await create({ description: 'Office', deny: '203.0.113.7' })).body;
    const put = await call('PUT', `/firewall/${data.id}`, data);
    expect(put.body.messages.warning).toEqual([]);
    expect(put.body.data).toEqual(data);
  });

  rule('an unknown field is ignored and named in a warning', async () => {
    const made = await create({ colour: 'red' });
    expect(made.status).toBe(201);
    expect(made.body.messages.warning.join()).toContain('colour');
  });

  rule('the list holds stored rows only, the switches, and page parameters are honoured', async () => {
    expect(await done('GET', '/firewall')).toEqual({
      items: [],
      total: 0,
      firewallEnabled: true,
      fail2banEnabled: true,
      invalidEntries: [],
    });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await create()).body.data.id);
    const listed = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id);
    expect(listed(await done('GET', '/firewall'))).toEqual(ids);
    expect(listed(await done('GET', '/firewall?limit=1&offset=1'))).toEqual([ids[1]]);
    expect(await done('GET', '/firewall?offset=9')).toMatchObject({ items: [], total: 3 });
    expect((await call('GET', '/firewall?offset=x')).status).toBe(400);
  });

  rule('getDefault shows the defaults and stores nothing', async () => {
    expect(await done('GET', '/firewall:getDefault')).toMatchObject({
      id: '',
      deny: '0.0.0.0/0',
      newer_block_ip: false,
      rules: open(),
      permanent: false,
    });
    expect((await done('GET', '/firewall')).total).toBe(0);
  });

  rule('an unknown id is 404 for every verb, before its fields are looked at', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const missing = await call(method, '/firewall/4711', method === 'GET' ? undefined : { subnet: 'x' });
      expect(missing.status, method).toBe(404);
      expect(missing.body.messages.error[0]).toContain('not found');
    }
  });

  rule('DELETE answers the id, and its deny entries leave the export', async () => {
    const id = await firewall.deny('203.0.113.7');
    expect(brief((await firewall.poll()).new)).toEqual(['203.0.113.7 manual 596h']);
    expect(await done('DELETE', `/firewall/${id}`)).toEqual({ id });
    expect((await call('GET', `/firewall/${id}`)).status).toBe(404);
    const { new: now, deleted } = await firewall.poll();
    expect([brief(now), brief(deleted)]).toEqual([[], ['203.0.113.7 manual 596h']]);
  });

  rule('DELETE is 409 while an API key refers to the row, and names it', async () => {
    const { id } = (await create()).body.data;
    const key = await firewall.app.createKey({ description: 'CRM of the office', networkfilterid: id });
    const refused = await call('DELETE', `/firewall/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.messages.error[0]).toContain('CRM of the office');
    expect((await call('GET', `/firewall/${id}`)).status).toBe(200);
    await done('DELETE', `/api-keys/${key.id}`);
    expect((await call('DELETE', `/firewall/${id}`)).status).toBe(200);
  });

  rule('enable and disable set firewallEnabled, survive a restart, and do not touch the export', async () => {
    await firewall.ban('203.0.113.7', 600);
    expect(await done('POST', '/firewall:disable')).toMatchObject({ firewallEnabled: false });
    expect((await done('GET', '/firewall')).firewallEnabled).toBe(false);
    expect(brief((await firewall.poll()).new)).toEqual(['203.0.113.7 sip 600s']);
    await firewall.app.restart();
    expect((await done('GET', '/firewall')).firewallEnabled).toBe(false);
    await done('POST', '/firewall:enable');
    expect((await done('GET', '/firewall')).firewallEnabled).toBe(true);
  });
});
