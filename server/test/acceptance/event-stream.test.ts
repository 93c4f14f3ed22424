import { afterEach, describe, expect, test } from 'vitest';
import { type EventReader, openEvents } from '../event-reader.ts';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('the stream of events on $name', ({ open }) => {
  const held = useApp(open);
  const opened: EventReader[] = [];
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
  });
  async function follow(options: Parameters<typeof openEvents>[1] = {}) {
    const reader = await openEvents(held.app.port, options);
    opened.push(reader);
    return reader;
  }
  const asAdmin = async (options: Parameters<typeof openEvents>[1] = {}) =>
    follow({ token: await held.app.admin(), ...options });
  let numbers = 200;
  const employ = async () => {
    const number = String(++numbers);
    const body = { number, user_username: `E${number}`, sip_secret: `secret-of-${number}` };
    return (await held.asAdmin('POST', '/employees', body)).body.data.id as string;
  };
  const recordOf = (reader: EventReader, id: string) =>
    reader.event('record', (data) => data.resource === 'employees' && String(data.id) === String(id));

  test('30.1: without a credential it is 401', async () => {
    expect((await follow()).status).toBe(401);
  });

  test('30.2: an unknown topic is 400 with the known topics, a topic that may not be read is 403', async () => {
    const token = await held.app.admin();
    const unknown = await held.call('GET', '/events?topics=calls,weather', { token });
    expect([unknown.status, unknown.body.messages.error]).toEqual([
      400,
      [
        'topics: must be one of calls, extensions, providers, bans, bouncers, engine, modules, hours, queues, records',
      ],
    ]);
    const key = await held.keyFor({ '/api/v3/pbx-status': 'read' });
    const refused = await held.call('GET', '/events?topics=calls,bans', { key });
    expect(refused.status).toBe(403);
    expect(refused.body.messages.error[0]).toContain('/api/v3/firewall');
  });

  test('30.1: a key receives only topics that it may read, and only records of those resources', async () => {
    const key = await held.keyFor({ '/api/v3/pbx-status': 'read', '/api/v3/firewall': 'read' });
    const reader = await follow({ key });
    await reader.snapshot('records');
    expect(reader.events.map(({ data }) => data.topic)).toEqual(['calls', 'bans', 'engine', 'records']);
    await employ();
    const rule = { network: '192.0.2.0', subnet: 24 };
    expect((await held.asAdmin('POST', '/firewall', rule)).status).toBe(201);
    const told = await reader.event('record');
    expect(told.data).toMatchObject({ resource: 'firewall', change: 'created' });
  });

  test('30.1: the stream of a revoked key ends', async () => {
    const { id, key } = await held.app.createKey();
    const reader = await follow({ key });
    await held.asAdmin('DELETE', `/api-keys/${id}`);
    await reader.ended();
    expect(reader.events.at(-1)).toMatchObject({ event: 'bye', data: { reason: 'credential' } });
  });

  test('30.1: a change of permissions ends the stream of a key, and the next stream has the new ones', async () => {
    const { id, key } = await held.app.createKey({ allowed_paths: { '/api/v3/firewall': 'read' } });
    const reader = await follow({ key });
    await held.asAdmin('PATCH', `/api-keys/${id}`, { allowed_paths: { '/api/v3/sip': 'read' } });
    await reader.ended();
    expect((await follow({ key, topics: 'bans' })).status).toBe(403);
    expect((await follow({ key, topics: 'extensions' })).status).toBe(200);
  });

  test('30.1: the stream of a session ends when it logs out', async () => {
    const login = await held.call('POST', '/auth:login', {
      body: { login: 'admin', password: ADMIN_PASSWORD },
    });
    const token = login.body.data.accessToken;
    const reader = await follow({ token });
    await held.call('POST', '/auth:logout', { token });
    await reader.ended();
    expect(reader.events.at(-1)).toMatchObject({ event: 'bye', data: { reason: 'credential' } });
  });

  test('30.5: a client that returns with the last id receives everything after it, once and in order', async () => {
    const reader = await asAdmin({ topics: 'records' });
    const ids = [await employ(), await employ()];
    await recordOf(reader, ids[1] as string);
    reader.close();
    ids.push(await employ(), await employ());
    const told = (events: EventReader['events']) =>
      events.flatMap(({ event, data }) =>
        event === 'record' && data.resource === 'employees' ? String(data.id) : [],
      );
    const again = await asAdmin({ topics: 'records', lastEventId: reader.lastId() });
    await recordOf(again, ids[3] as string);
    const all = [...told(reader.events), ...told(again.events)];
    expect(all.slice(-4)).toEqual(ids.map(String));
    expect(again.events.map(({ event }) => event)).not.toContain('snapshot');
    const path = `/pbxcore/api/v3/events?topics=records&lastEventId=${again.lastId()}`;
    const byQuery = await asAdmin({ path });
    const last = await employ();
    await recordOf(byQuery, last);
    expect(told(byQuery.events)).toEqual([String(last)]);
  });

  test('30.5: an id that is no longer kept leads to a gap and snapshots', async () => {
    const reader = await asAdmin({ topics: 'records' });
    const first = await employ();
    await recordOf(reader, first);
    const old = reader.lastId();
    await recordOf(reader, await employ());
    await held.app.advance(601_000);
    for (const [lastEventId, reason] of [
      [old, 'expired'],
      ['0-0', 'expired'],
      ['of-nobody', 'node'],
    ] as const) {
      const again = await asAdmin({ topics: 'records,bans', lastEventId });
      await again.snapshot('records');
      expect(again.events.map(({ event, data }) => [event, data.reason ?? data.topic])).toEqual([
        ['gap', reason],
        ['snapshot', 'bans'],
        ['snapshot', 'records'],
      ]);
      expect(again.events.map(({ id }) => id === '0-0')).toEqual([true, true, false]);
    }
  });

  test('30.8: the sixth stream of a caller is 429, while another caller may open its own', async () => {
    const { key } = await held.app.createKey();
    const readers = await Promise.all(Array.from({ length: 5 }, () => follow({ key })));
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await follow({ key });
    expect([sixth.status, sixth.headers['retry-after']]).toEqual([429, '5']);
    expect((await follow({ key: (await held.app.createKey()).key })).status).toBe(200);
    readers[0]?.close();
    await expect.poll(async () => (await follow({ key })).status, { timeout: 10_000 }).toBe(200);
  });

  test('30.8: when the service stops, streams end with a bye; after a restart no loss is silent', async () => {
    const reader = await asAdmin({ topics: 'records,bans' });
    await reader.snapshot('records');
    const stalled = await asAdmin({ topics: 'records' });
    stalled.response.pause();
    const last = reader.lastId();
    await held.app.restart();
    await reader.ended();
    expect(reader.events.at(-1)).toMatchObject({ event: 'bye', data: { reason: 'stopping' } });
    const again = await asAdmin({ topics: 'records', lastEventId: last });
    const id = await employ();
    await recordOf(again, id);
    const [first] = again.events;
    // Events in memory do not survive a restart; with Redis there is no gap.
    if (held.app.config.redisUrl) expect(first?.event).toBe('record');
    else expect(first).toMatchObject({ event: 'gap', data: { reason: 'node' } });
  });
});
