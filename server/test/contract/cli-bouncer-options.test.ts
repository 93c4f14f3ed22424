import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../make-app.ts';
import { pbxcore, startService } from '../real/pbxcore-process.ts';

test('API keys made for a client get decisions in its format, and that can be changed', async () => {
  const stores = await openEmbedded();
  const { settings } = stores;
  const service = await startService(settings);
  onTestFinished(async () => {
    await service.end('SIGKILL');
    await stores.stop();
  });
  const run = (...args: string[]) => pbxcore(args, settings);

  const make = ['api-key', 'create', '--description', 'web', '--preset', 'bouncer', '--client'];
  const refused = await run(...make, 'nginx');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^pbxcore: client: must be .*traefik/);

  const { stdout } = await run(...make, 'traefik', '--bouncer-option', 'duration_format=go');
  expect(stdout).toMatch(/^# API key 1 "web" for the client traefik: /);
  const setting = (name: string) =>
    new RegExp(`^ +crowdsecLapi${name}: "?([^\\s"]+)"?$`, 'm').exec(stdout)?.[1] ?? '';
  expect((await run('bans', 'add', '203.0.113.7', '--seconds', '600')).code).toBe(0);
  const durations = async () => {
    const url = `${setting('Scheme')}://${setting('Host')}${setting('Path')}v1/decisions/stream`;
    const answer = await fetch(url, { headers: { 'x-api-key': setting('Key') } });
    const { new: told } = (await answer.json()) as { new: { duration: string }[] };
    return told.map(({ duration }) => duration);
  };
  expect(await durations()).toEqual([expect.stringMatching(/^\d+m\d+s$/)]);
  expect((await run('api-key', 'list')).stdout).toMatch(/ traefik duration_format=go /);

  const changed = await run('api-key', 'options', '1', '--client', 'express', '--json');
  expect(JSON.parse(changed.stdout)).toMatchObject({
    client: 'express',
    bouncer_options: { duration_format: 'go_fraction', deleted_excludes_present: false },
  });
  expect(await durations()).toEqual([expect.stringMatching(/^\d+m\d+\.5s$/)]);
  expect((await run('api-key', 'options', '1')).stdout).toBe('API key 1 "web": express\n');
  expect((await run('api-key', 'options', '1', '--client', '')).stdout).toBe(
    'API key 1 "web": as specified\n',
  );
});
