import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp, type Stores, type TestApp } from '../make-app.ts';
import { createOutsider, quoted } from '../outsider.ts';
import { availablePairs } from './use-app.ts';

/** For each kind, a field that an older record may lack, with the value read in its place. */
const LATER = {
  'incoming-routes': { path: '/incoming-routes', without: 'match', body: { extension: 'busy' }, is: 'exact' },
  'outbound-routes': {
    path: '/outbound-routes',
    without: 'callerid_forwarded',
    body: { rulename: 'All', providerid: 'SIP-1' },
    is: 'caller',
  },
  'sound-files': { path: '/sound-files', without: 'normalize', body: { name: 'Music' }, is: true },
  'ivr-menu': { path: '/ivr-menu', without: 'actions', body: { name: 'Main', extension: '700' }, is: [] },
  'off-work-times': {
    path: '/off-work-times',
    without: 'incomingRouteIds',
    body: { extension: 'busy' },
    is: [],
  },
  'call-queues': {
    path: '/call-queues',
    without: 'seconds_after_reject',
    body: { name: 'Support', extension: '600' },
    is: 60,
  },
};

describe.each(availablePairs)('records stored before a field was introduced, on $name', ({ open }) => {
  let stores: Stores;
  let app: TestApp;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.call(method, path, {
      token: await app.admin(),
      ...(body !== undefined && { body }),
    });
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer.body.data;
  };
  const ids = new Map<string, string>();

  beforeAll(async () => {
    stores = await open();
    app = await makeApp(stores);
    await call('POST', '/sip-providers', {
      id: 'SIP-1',
      description: 'P',
      host: 'sip.example',
      username: 'u',
      secret: 'a-long-secret',
    });
    for (const [kind, { path, body }] of Object.entries(LATER))
      ids.set(kind, (await call('POST', path, body)).id);
    const outsider = createOutsider(stores);
    for (const [kind, { without }] of Object.entries(LATER)) {
      const where = `kind = '${kind}' and id = '${ids.get(kind)}'`;
      const [row] = await outsider.sql(`select fields from call_flow_records where ${where}`);
      const { [without]: _, ...fields } = JSON.parse(String(row?.fields));
      await outsider.sql(
        `update call_flow_records set fields = ${quoted(JSON.stringify(fields))} where ${where}`,
      );
    }
    await app.restart();
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });

  test.each(Object.entries(LATER))('%s have the field’s default', async (kind, { path, without, is }) => {
    const id = ids.get(kind);
    expect(await call('GET', `${path}/${id}`)).toMatchObject({ [without]: is });
    expect(await call('GET', path)).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
    expect(await call('PATCH', `${path}/${id}`, {})).toMatchObject({ [without]: is });
  });

  test('calls are explained with that default', async () => {
    for (const number of ['600', '700', '4930111'])
      expect((await call('GET', `/incoming-routes:explain?number=${number}`)).steps.length).toBeGreaterThan(
        1,
      );
    expect(await call('GET', '/off-work-times:getState')).toMatchObject({ state: 'closed' });
  });
});
