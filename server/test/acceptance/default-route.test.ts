import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp, type Stores, type TestApp } from '../make-app.ts';
import { availablePairs } from './use-app.ts';

describe.each(availablePairs)('M1, M2: the default route and its setting on $name', ({ open }) => {
  const settings: Record<string, string> = {};
  let stores: Stores;
  let app: TestApp;
  beforeAll(async () => {
    stores = await open();
    Object.assign(settings, { PBXCORE_INBOUND_EXTENSION: '250', PBXCORE_LOG_LEVEL: 'warn' });
    app = await makeApp(stores, settings);
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });
  const ask = async (method: string, path: string, body?: unknown) =>
    (await app.call(method, path, { token: await app.admin(), ...(body !== undefined && { body }) })).body
      .data;
  const route = () => ask('GET', '/incoming-routes/1');
  const about = async () => ({
    log: (await ask('GET', '/system:getLog?lines=1000')).filter((entry: unknown) =>
      JSON.stringify(entry).includes('PBXCORE_INBOUND_EXTENSION'),
    ).length,
    findings: (await ask('GET', '/system:getInfo')).findings
      .map(({ text }: { text: string }) => text)
      .filter((text: string) => text.includes('PBXCORE_INBOUND_EXTENSION')),
  });

  test('the route is created once from the setting, and nothing is reported while both are the same', async () => {
    expect(await route()).toMatchObject({ extension: '250', did_to_extension: true, timeout: 0 });
    await app.restart();
    expect(await about()).toEqual({ log: 0, findings: [] });
  });

  test('storing the number of the setting again warns that calls to it are refused, not dialled outside', async () => {
    const { body } = await app.call('PATCH', '/incoming-routes/1', {
      token: await app.admin(),
      body: { extension: '250' },
    });
    expect(body.messages.warning).toEqual(["extension: 250 is nobody's number here, such calls are refused"]);
    const explained = await ask('GET', '/incoming-routes:explain?number=999');
    expect(explained.ends).toMatchObject({ dialstatus: 'NOROUTE', sip: 404 });
  });

  test('contract C2: a copy warns that nobody’s number is dialled outside', async () => {
    const token = await app.admin();
    const { status, body } = await app.call('POST', '/incoming-routes/1:copy', { token });
    const warning = ["extension: 250 is nobody's number here, it would be dialled outside"];
    expect([status, body.messages.warning]).toEqual([201, warning]);
    const path = `/incoming-routes/${body.data.id}`;
    const again = await app.call('PATCH', path, { token, body: { extension: '250' } });
    expect(again.body.messages.warning).toEqual(warning);
    await ask('DELETE', path);
  });

  test('afterwards the setting is ignored; if it differs, the log and the doctor say which is in force', async () => {
    settings.PBXCORE_INBOUND_EXTENSION = '260';
    await app.restart();
    expect(await route()).toMatchObject({ extension: '250' });
    expect(await about()).toEqual({
      log: 1,
      findings: [
        'PBXCORE_INBOUND_EXTENSION is 260, but the default incoming route is in force, which leads to 250',
      ],
    });
    await ask('PATCH', '/incoming-routes/1', { extension: '' });
    await app.restart();
    expect((await about()).findings[0]).toMatch(/which leads nowhere$/);
    delete settings.PBXCORE_INBOUND_EXTENSION;
    await app.restart();
    expect(await about()).toEqual({ log: 0, findings: [] });
    expect(await route()).toMatchObject({ extension: '' });
  });
});
