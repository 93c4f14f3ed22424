import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp, type Stores, type TestApp } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs } from './use-app.ts';

describe.each(availablePairs)('numbers assigned before they were forbidden, on $name', ({ open }) => {
  const settings: Record<string, string> = { PBXCORE_EMERGENCY_NUMBERS: 'none' };
  let stores: Stores;
  let app: TestApp;
  beforeAll(async () => {
    stores = await open();
    app = await makeApp(stores, settings);
    for (const [number, user_username] of [
      ['112', 'Anna'],
      ['201', 'Boris'],
    ])
      await ask('POST', '/employees', { number, user_username, sip_secret: 'a-long-secret' });
    await ask('POST', '/ivr-menu', { name: 'Menu', extension: '911' });
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await app.call(method, path, {
      token: await app.admin(),
      ...(body !== undefined && { body }),
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.data;
  };
  const findings = async () =>
    (await ask('GET', '/system:getInfo')).findings
      .map(({ text }: { text: string }) => text)
      .filter((text: string) => /emergency|mobile/.test(text));

  test('20.4: the doctor names blocked emergency numbers and what blocks them', async () => {
    expect(await findings()).toEqual([]);
    delete settings.PBXCORE_EMERGENCY_NUMBERS;
    await app.restart();
    expect(await findings()).toEqual([
      expect.stringMatching(/^Menu has the emergency number 911 as its extension: /),
      expect.stringMatching(/^Anna has the emergency number 112 as its extension: /),
    ]);
  });

  test('M4: the doctor names mobile numbers that are the number of somebody else', async () => {
    await createOutsider(stores).sql(`update employees set mobile_number = '+911' where number = '201'`);
    await app.restart();
    expect(await findings()).toContain(
      'the mobile number of Boris <201> is +911, which is that of Menu <911>: without a plus the mobile is never called',
    );
  });

  test('20.4, 23.10: a mobile number blocks no emergency number, and the doctor names it', async () => {
    settings.PBXCORE_EMERGENCY_NUMBERS = '110';
    await createOutsider(stores).sql(`update employees set mobile_number = '110' where number = '201'`);
    await app.restart();
    expect(await findings()).toEqual([
      'the mobile number of Boris <201> is the emergency number 110: phones here call it for help, never the mobile',
    ]);
    expect(await ask('GET', '/outbound-routes:test?number=110')).toMatchObject({ kind: 'emergency' });
  });
});
