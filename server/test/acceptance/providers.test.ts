import { beforeAll, describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

const ID = 'SIP-TRUNK-0A1B2C3D';

describe.each(availablePairs)('contract 4.1: lists of providers on $name', ({ open }) => {
  const running = useApp(open);
  const COUNT = 57;
  beforeAll(async () => {
    await running.app.admin();
    const create = (fields: object) =>
      running.asAdmin('POST', '/sip-providers', { description: 'b', host: '192.0.2.1', ...fields });
    await create({ id: ID, description: 'First', note: 'N', username: 'u', secret: 'hush', port: 5070 });
    await create({ id: 'SIP-OFF', description: 'Away', disabled: true });
    // Some descriptions are equal; the order must still be total.
    await Promise.all(Array.from({ length: COUNT - 1 }, (_, n) => create({ description: `t${n % 5}` })));
  });
  const list = async (path: string) => {
    const { status, body } = await running.asAdmin('GET', path);
    expect(status).toBe(200);
    return body.data as { id: string; description: string; value: string }[];
  };

  describe.each(['/sip-providers', '/providers'])('%s', (path) => {
    test('an item has the fields of the table and no secret', async () => {
      const item = (await list(path)).find(({ id }) => id === ID);
      expect(item).toEqual({
        id: ID,
        description: 'First',
        type: 'SIP',
        note: 'N',
        disabled: false,
        represent: 'First (192.0.2.1)',
        username: 'u',
        host: '192.0.2.1',
        port: 5070,
        registration_type: 'outbound',
        transport: 'udp,tcp',
        statusClass: '',
        search_index: 'first sip-trunk-0a1b2c3d u 192.0.2.1 n',
      });
    });

    test.each([
      ['', false],
      ['?includeDisabled=true', true],
      ['?includeDisabled=1', true],
      ['?includeDisabled=TRUE', true],
      ['?includeDisabled=false', false],
      ['?includeDisabled=yes', false],
    ])('%j shows disabled providers: %j', async (query, isShown) => {
      const items = await list(path + query);
      expect(items).toHaveLength(COUNT + (isShown ? 1 : 0));
      const off = items.find(({ id }) => id === 'SIP-OFF');
      if (isShown) expect(off).toMatchObject({ disabled: true, statusClass: 'grey' });
      else expect(off).toBeUndefined();
    });

    test('a disabled provider can always be read by its id', async () => {
      expect((await running.asAdmin('GET', `${path}/SIP-OFF`)).body.data).toMatchObject({ disabled: true });
    });

    test('the order is by description, ties by id', async () => {
      const order = (await list(path)).map(({ description, id }) => `${description} ${id}`);
      expect(order).toEqual([...order].sort());
    });

    test.each([
      ['?offset=0', 50],
      ['?offset=50', COUNT - 50],
      ['?limit=10', 10],
      ['?limit=0', 1],
      ['?limit=-5', 1],
      ['?limit=1001', COUNT],
      ['?limit=abc', 50],
      ['?limit=5.5', 50],
      ['?limit=10&offset=55', 2],
      ['?offset=1000000', 0],
    ])('%j gives %i records', async (query, count) => {
      expect(await list(path + query)).toHaveLength(count);
    });

    test.each(['-1', 'abc', '1.5', ''])('offset %j is 400 with an error that names it', async (offset) => {
      const { status, body } = await running.asAdmin('GET', `${path}?offset=${offset}`);
      expect(status).toBe(400);
      expect(body.messages.error[0]).toMatch(/^offset: /);
    });

    test('pages never overlap', async () => {
      const pages = [];
      for (let offset = 0; offset < COUNT; offset += 10)
        pages.push(...(await list(`${path}?limit=10&offset=${offset}`)));
      expect(pages).toEqual(await list(path));
    });
  });

  test('getForSelect gives choices', async () => {
    const choices = await list('/providers:getForSelect');
    expect(choices).toHaveLength(COUNT);
    expect(choices[0]).toEqual({
      value: ID,
      name: 'First (192.0.2.1)',
      text: 'First (192.0.2.1)',
      type: 'SIP',
    });
    expect(await list('/providers:getForSelect?includeDisabled=1')).toHaveLength(COUNT + 1);
  });

  test('/providers gives the same record, and every write but updateStatus is 405', async () => {
    const record = (await running.asAdmin('GET', `/providers/${ID}`)).body.data;
    expect(record).toEqual((await running.asAdmin('GET', `/sip-providers/${ID}`)).body.data);
    for (const [method, path] of [
      ['POST', '/providers'],
      ['PUT', `/providers/${ID}`],
      ['PATCH', `/providers/${ID}`],
      ['DELETE', `/providers/${ID}`],
    ] as const) {
      const { status, headers, body } = await running.call(method, path, { body: record });
      expect({ method, status, allow: headers.get('allow') }).toEqual({ method, status: 405, allow: 'GET' });
      expect(body.messages.error[0]).toContain('not supported');
    }
    expect((await running.asAdmin('POST', `/providers/${ID}:forceCheck`)).status).toBe(404);
    expect((await running.asAdmin('GET', '/providers/SIP-MISSING')).status).toBe(404);
  });

  test('both are resources that can be granted to a key', () => {
    const labels = running.app.app.routes.flatMap(({ access }) =>
      access.kind === 'resource'
        ? [`${access.resource.path} ${access.resource.label} ${access.resource.levels}`]
        : [],
    );
    expect(labels).toContain('/api/v3/sip-providers SIP Providers read,write');
    expect(labels).toContain('/api/v3/providers Providers read,write');
  });

  test('IAX providers do not exist', async () => {
    for (const path of [
      '/iax-providers',
      '/iax-providers/IAX-1',
      '/iax-providers:getStatuses',
      '/providers/IAX-1',
    ])
      for (const method of ['GET', 'POST', 'PUT'])
        expect((await running.call(method, path)).status, path).toBe(404);
  });

  test.each([
    [
      { '/api/v3/sip-providers': 'write' },
      ['GET /sip-providers', 'POST /sip-providers', `POST /sip-providers/${ID}:updateStatus`],
      ['GET /providers', 'GET /providers:getStatuses', `POST /providers/${ID}:updateStatus`],
    ],
    [
      { '/api/v3/sip-providers': 'read' },
      [
        'GET /sip-providers',
        'GET /sip-providers:getDefault',
        'GET /sip-providers:getStatuses',
        `GET /sip-providers/${ID}`,
        `GET /sip-providers/${ID}:copy`,
        `GET /sip-providers/${ID}:getStatus`,
      ],
      [
        'POST /sip-providers',
        `PUT /sip-providers/${ID}`,
        `PATCH /sip-providers/${ID}`,
        `DELETE /sip-providers/${ID}`,
        `POST /sip-providers/${ID}:forceCheck`,
        `POST /sip-providers/${ID}:updateStatus`,
      ],
    ],
    [
      { '/api/v3/sip': 'write', '/api/v3/providers': 'read' },
      ['GET /providers', 'GET /providers:getForSelect', `GET /providers/${ID}`],
      ['GET /sip-providers', 'GET /sip-providers:getStatuses', `POST /providers/${ID}:updateStatus`],
    ],
  ])('contract 14.5: %j opens %j and not %j', async (grant, allowed, refused) => {
    const key = await running.keyFor(grant as Record<string, string>);
    const statusOf = async (request: string) => {
      const [method = '', path = ''] = request.split(' ');
      return (await running.call(method, path, { key })).status;
    };
    for (const request of allowed) expect([200, 400], request).toContain(await statusOf(request));
    for (const request of refused)
      expect({ request, status: await statusOf(request) }).toEqual({ request, status: 403 });
  });
});
