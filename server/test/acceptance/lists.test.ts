import { beforeAll, describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 1.7: lists on $name', ({ open }) => {
  const running = useApp(open);
  const COUNT = 57;
  beforeAll(async () => {
    await running.app.admin();
    const numbers = Array.from({ length: COUNT }, (_, n) => n);
    // Some descriptions are equal; the order must still be total.
    await Promise.all(numbers.map((n) => running.app.createKey({ description: `key ${n % 5}` })));
    await Promise.all(
      numbers.map((n) => running.asAdmin('POST', '/firewall', { network: `10.0.${n}.0`, subnet: 24 })),
    );
  });
  const itemsOf = (data: { items?: { id: string }[] } & { id: string }[]) => data.items ?? data;
  const list = async (path: string, query = '') => {
    const { status, body } = await running.asAdmin('GET', path + query);
    expect(status).toBe(200);
    return itemsOf(body.data);
  };

  test('/api-keys is an array; /network-filters and /firewall carry their totals', async () => {
    expect(Array.isArray((await running.asAdmin('GET', '/api-keys')).body.data)).toBe(true);
    const filters = (await running.asAdmin('GET', '/network-filters?limit=2&offset=3')).body.data;
    expect(filters).toMatchObject({ total: COUNT, offset: 3, limit: 2 });
    const firewall = (await running.asAdmin('GET', '/firewall?limit=2')).body.data;
    expect(firewall).toMatchObject({
      total: COUNT,
      firewallEnabled: true,
      fail2banEnabled: true,
      invalidEntries: [],
    });
  });

  test('/network-filters returns the limit it applied', async () => {
    const limit = async (query: string) =>
      (await running.asAdmin('GET', `/network-filters${query}`)).body.data.limit;
    expect(await limit('')).toBe(COUNT);
    expect(await limit('?offset=55')).toBe(50);
    expect(await limit('?limit=abc')).toBe(50);
    expect(await limit('?limit=5000')).toBe(1000);
  });

  describe.each(['/api-keys', '/firewall', '/network-filters'])('%s', (path) => {
    test.each([
      ['', COUNT],
      ['?offset=0', 50],
      ['?offset=50', COUNT - 50],
      ['?limit=10', 10],
      ['?limit=0', 1],
      ['?limit=-5', 1],
      ['?limit=1', 1],
      ['?limit=1000', COUNT],
      ['?limit=1001', COUNT],
      ['?limit=99999999999999999999999', COUNT],
      ['?limit=abc', 50],
      ['?limit=5.5', 50],
      ['?limit=', 50],
      ['?limit=10&offset=55', 2],
      [`?offset=${COUNT}`, 0],
      ['?offset=1000000', 0],
      ['?offset=9007199254740993', 0],
      [`?offset=${'9'.repeat(400)}`, 0],
    ])('%j gives %i records', async (query, count) => {
      expect(await list(path, query)).toHaveLength(count);
    });

    test.each(['-1', 'abc', '1.5', '', '1e3', '%00', '０'])(
      'offset "%s" is 400 with an error that names it',
      async (offset) => {
        const { status, body } = await running.asAdmin('GET', `${path}?offset=${offset}`);
        expect(status).toBe(400);
        expect(body.messages.error[0]).toMatch(/^offset: /);
      },
    );

    test('a client that reads until a short page sees every record once', async () => {
      const seen: string[] = [];
      for (let offset = 0; ; offset += 10) {
        const page = await list(path, `?limit=10&offset=${offset}`);
        seen.push(...page.map(({ id }) => id));
        if (page.length < 10) break;
      }
      expect(seen).toEqual((await list(path)).map(({ id }) => id));
      expect(new Set(seen).size).toBe(COUNT);
    });
  });

  test('/api-keys is ordered by description, ties by id', async () => {
    const { body } = await running.asAdmin('GET', '/api-keys');
    const order = body.data.map(
      ({ description, id }: { description: string; id: string }) => `${description} ${id.padStart(9, '0')}`,
    );
    expect(order).toEqual([...order].sort());
  });
});
