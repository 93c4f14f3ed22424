import { describe, expect, test } from 'vitest';
import { useFirewall } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

const SERVICES = ['SIP', 'IAX', 'WEB', 'SSH', 'AMI', 'AJAM', 'ICMP'];

describe.each(storePairs)('contract 7.1: network filters on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { call, done } = firewall;
  const rule = test.skipIf(!pair.available);

  const office = (fields = {}) =>
    firewall.deny('203.0.113.7', {
      network: '192.0.2.0',
      subnet: 24,
      description: 'Office',
      currentRules: { SSH: false, ICMP: { action: false } },
      ...fields,
    });

  rule('the list holds items with exactly the six declared fields', async () => {
    const id = await office();
    const { items, ...page } = await done('GET', '/network-filters');
    expect(page).toEqual({ total: 1, offset: 0, limit: 1 });
    expect(items).toEqual([
      {
        id,
        permit: '192.0.2.0/24',
        description: 'Office',
        represent: 'Office (192.0.2.0/24)',
        active_rules: SERVICES.filter((name) => name !== 'SSH' && name !== 'ICMP'),
        search_index: 'office 192.0.2.0/24',
      },
    ]);
  });

  rule('search looks into description and permit, in any letter case', async () => {
    const id = await office();
    await office({ network: '198.51.100.0', description: 'Warehouse' });
    const find = async (search: string) =>
      (await done('GET', `/network-filters?search=${search}`)).items.map((item: { id: string }) => item.id);
    expect(await find('OFFI')).toEqual([id]);
    expect(await find('192.0.2')).toEqual([id]);
    expect(await find('203.0.113.7'), 'deny is not searched').toEqual([]);
    expect(await find('')).toHaveLength(2);
  });

  rule(
    'limit and offset page through all filters without overlap, and a page past the end is empty',
    async () => {
      for (let i = 0; i < 5; i++) await office({ description: `Office ${i}` });
      const page = async (query: string) => {
        const { items, ...rest } = await done('GET', `/network-filters?${query}`);
        return { names: items.map((item: { description: string }) => item.description.slice(-1)), ...rest };
      };
      expect(await page('limit=2')).toEqual({ names: ['0', '1'], total: 5, offset: 0, limit: 2 });
      expect(await page('limit=2&offset=4')).toEqual({ names: ['4'], total: 5, offset: 4, limit: 2 });
      expect(await page('offset=1')).toEqual({ names: ['1', '2', '3', '4'], total: 5, offset: 1, limit: 50 });
      expect(await page('offset=99')).toMatchObject({ names: [], total: 5 });
      expect((await call('GET', '/network-filters?offset=-1')).status).toBe(400);
    },
  );

  rule('a filter is shown with its lists, and flags as booleans', async () => {
    const id = await office({ newer_block_ip: true });
    expect(await done('GET', `/network-filters/${id}`)).toEqual({
      id,
      permit: '192.0.2.0/24',
      deny: '203.0.113.7',
      description: 'Office',
      newer_block_ip: true,
      local_network: false,
      rules: Object.fromEntries(SERVICES.map((name) => [name, name !== 'SSH' && name !== 'ICMP'])),
      represent: 'Office (192.0.2.0/24)',
      search_index: 'office 192.0.2.0/24',
    });
  });

  rule('a row of another tool that is NULL throughout is shown with empty texts', async () => {
    const [row] = await firewall.outsider.sql(
      'insert into "m_NetworkFilters" (permit, deny, description, newer_block_ip, local_network, priority) ' +
        'values (null, null, null, null, null, null) returning id',
    );
    expect(await done('GET', `/network-filters/${row?.id}`)).toMatchObject({
      permit: '',
      deny: '',
      description: '',
      newer_block_ip: false,
    });
  });

  rule('an unknown id is 404 and says "not found", an id that is no number is no route', async () => {
    const missing = await call('GET', '/network-filters/4711');
    expect(missing).toMatchObject({ status: 404, body: { function: 'getRecord' } });
    expect(missing.body.messages.error[0]).toContain('not found');
    expect(await call('GET', '/network-filters/none')).toMatchObject({ status: 404, body: { function: '' } });
  });

  rule('choices begin with none, then localhost when asked, then every filter with its network', async () => {
    const id = await office();
    const choices = await done('GET', '/network-filters:getForSelect?categories[]=WEB&categories[]=AJAM');
    expect(choices[0]).toMatchObject({ value: 'none' });
    expect(choices[1]).toEqual({
      value: id,
      represent: 'Office (192.0.2.0/24)',
      name: 'Office (192.0.2.0/24)',
      text: 'Office (192.0.2.0/24)',
      network: '192.0.2.0/24',
    });
    const asked = await done('GET', '/network-filters:getForSelect?includeLocalhost=TRUE');
    expect(asked.map(({ value }: { value: string }) => value)).toEqual(['none', 'localhost', id]);
    for (const choice of asked) expect(Object.values(choice)).not.toContain('');
    const declined = await done('GET', '/network-filters:getForSelect?includeLocalhost=maybe');
    expect(declined.map(({ value }: { value: string }) => value)).toEqual(['none', id]);
  });

  rule('any write is 405', async () => {
    const id = await office();
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}`],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', ':getForSelect'],
    ] as const) {
      const refused = await call(method, `/network-filters${path}`, {});
      expect(refused.status, `${method} ${path}`).toBe(405);
      expect(refused.headers.get('allow')).toBe('GET');
      expect(refused.body.messages.error[0]).toContain('not supported');
    }
  });
});
