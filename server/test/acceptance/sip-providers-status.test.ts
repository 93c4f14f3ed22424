import { beforeEach, describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 4.4: states of providers on $name', ({ open }) => {
  const running = useApp(open);
  const at = (id: string, action = '') => `/sip-providers/${id}${action}`;
  const get = async (path: string) => (await running.asAdmin('GET', path)).body.data;
  const seconds = () => Math.floor(running.app.now() / 1000);
  const create = async (fields: object = {}) => {
    const { body } = await running.asAdmin('POST', '/sip-providers', {
      description: 'Trunk',
      host: 'sip.example.org',
      username: 'u',
      secret: 's',
      ...fields,
    });
    return body.data.id as string;
  };
  const switchOff = (id: string, disabled: unknown) =>
    running.asAdmin('POST', at(id, ':updateStatus'), { disabled });
  beforeEach(() => running.app.advance(1000));

  test('getStatuses holds every provider, disabled ones too, keyed by id', async () => {
    const [on, off] = [await create(), await create({ disabled: true })];
    for (const path of ['/sip-providers', '/providers']) {
      const { sip, iax } = await get(`${path}:getStatuses?forceCheck=true&refreshFromAmi=1`);
      expect(iax).toEqual({});
      expect(sip[on]).toEqual(await get(`${path}/${on}:getStatus`));
      expect(sip[off]).toMatchObject({ state: 'OFF', stateColor: 'grey' });
      expect(sip).not.toHaveProperty('undefined');
    }
  });

  test('without a telephony engine an enabled provider is unregistered', async () => {
    const id = await create();
    await running.app.advance(90_000);
    expect(await get(at(id, ':getStatus'))).toEqual({
      id,
      type: 'sip',
      state: 'unregistered',
      stateText: 'Not registered',
      stateDescription: 'No telephony engine is configured',
      stateColor: 'red',
      description: 'Trunk',
      username: 'u',
      host: 'sip.example.org',
      lastUpdate: seconds(),
      lastChange: seconds() - 90,
      stateStartTime: seconds() - 90,
      stateDuration: 90,
      rtt: null,
    });
  });

  test('a provider that lacks its credentials is unregistered, with the reason', async () => {
    const id = await create({ registration_type: 'inbound', secret: '' });
    expect(await get(at(id, ':getStatus'))).toMatchObject({
      state: 'unregistered',
      stateDescription: expect.stringContaining('Not in service'),
    });
  });

  test('updateStatus disables and enables a provider on both resources', async () => {
    const id = await create();
    expect((await switchOff(id, true)).body.data).toEqual({
      id,
      type: 'SIP',
      disabled: true,
      description: 'Trunk',
    });
    expect(await get(at(id, ':getStatus'))).toMatchObject({ state: 'OFF', stateStartTime: seconds() });
    expect(await get(at(id))).toMatchObject({ disabled: true });
    const on = await running.asAdmin('POST', `/providers/${id}:updateStatus`, { disabled: '0' });
    expect(on.body.data).toMatchObject({ disabled: false });
    expect(await get(at(id, ':getStatus'))).toMatchObject({ state: 'unregistered' });
  });

  test.each([undefined, null, 'on', '', 2, []])('updateStatus with disabled %j is 400', async (disabled) => {
    const { status, body } = await switchOff(await create(), disabled);
    expect(status).toBe(400);
    expect(body.messages.error[0]).toMatch(/^disabled: /);
  });

  test('history lists the changes of state, newest first, without those from or to UNKNOWN', async () => {
    const id = await create();
    const moments: number[] = [];
    for (const disabled of [true, false, true, true]) {
      await running.app.advance(10_000);
      moments.push(seconds());
      // A PATCH counts like updateStatus.
      await (disabled ? switchOff(id, true) : running.asAdmin('PATCH', at(id), { disabled }));
    }
    for (const path of ['/sip-providers', '/providers']) {
      expect(await get(`${path}/${id}:getHistory`)).toEqual({
        provider: id,
        events: [
          { timestamp: moments[2], state: 'OFF', previousState: 'unregistered' },
          { timestamp: moments[0], state: 'OFF', previousState: 'unregistered' },
        ],
        count: 2,
        limit: 100,
      });
    }
    expect(await get(at(id, ':getHistory?limit=1'))).toMatchObject({ count: 1, limit: 1 });
  });

  test.each([
    ['', 100],
    ['?limit=0', 1],
    ['?limit=-5', 1],
    ['?limit=1000', 1000],
    ['?limit=1001', 1000],
    ['?limit=abc', 100],
    ['?limit=5.5', 100],
  ])('history%s has limit %i, and is empty for an id that does not exist', async (query, limit) => {
    expect(await get(at('SIP-MISSING', `:getHistory${query}`))).toEqual({
      provider: 'SIP-MISSING',
      events: [],
      count: 0,
      limit,
    });
  });

  test('history is deleted with its provider: a new one with the same id starts empty', async () => {
    const id = await create({ id: 'SIP-AGAIN' });
    await switchOff(id, true);
    await running.asAdmin('DELETE', at(id));
    await create({ id });
    expect(await get(at(id, ':getHistory'))).toMatchObject({ count: 0 });
  });

  test('statistics give the time in each state', async () => {
    const id = await create();
    await running.app.advance(3_600_000);
    await switchOff(id, true);
    await running.app.advance(1_800_000);
    for (const path of ['/sip-providers', '/providers']) {
      expect(await get(`${path}/${id}:getStats`)).toEqual({
        provider: id,
        aggregated: {
          availability: 0,
          changes: 1,
          states: {
            unregistered: { seconds: 3600, share: 0.6667 },
            OFF: { seconds: 1800, share: 0.3333 },
          },
        },
        daily: [],
        period: { from: seconds() - 5400, to: seconds() },
      });
    }
  });

  test('forceCheck returns a status record; item actions of an unknown id are 404', async () => {
    const id = await create();
    const { status, body } = await running.asAdmin('POST', at(id, ':forceCheck'));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, state: 'unregistered' });
    for (const [method, action] of [
      ['POST', ':forceCheck'],
      ['POST', ':updateStatus'],
      ['GET', ':getStatus'],
      ['GET', ':getStats'],
    ] as const)
      expect((await running.asAdmin(method, at('SIP-MISSING', action))).status).toBe(404);
  });

  test('an item action called on the collection is 400, after authentication', async () => {
    expect((await running.asAdmin('POST', '/sip-providers:forceCheck')).status).toBe(400);
    expect((await running.asAdmin('GET', '/providers:getStatus')).status).toBe(400);
    expect((await running.call('POST', '/sip-providers:forceCheck')).status).toBe(401);
  });
});
