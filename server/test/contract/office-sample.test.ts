import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { waveOf } from '../../src/features/call-flow/sound-files/audio/waves.suite.ts';
import { eventually } from '../eventually.ts';
import { makeApp, type Stores, storePairs } from '../make-app.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'examples', 'office', 'set-up.ts');
const GRANTS = {
  '/api/v3/sip-providers': 'write',
  '/api/v3/employees': 'write',
  '/api/v3/sound-files': 'write',
  '/api/v3/call-queues': 'write',
  '/api/v3/ivr-menu': 'write',
  '/api/v3/incoming-routes': 'write',
  '/api/v3/off-work-times': 'write',
  '/api/v3/outbound-routes': 'write',
};

async function openOffice(open: () => Promise<Stores>) {
  const stores = await open();
  const engine = createFakeEngine();
  const app = await makeApp(stores, { PBXCORE_COUNTRY_CODE: '49' }, engine);
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-office-'));
  onTestFinished(async () => {
    await app.close();
    await Promise.all([stores.stop(), rm(folder, { recursive: true, force: true })]);
  });
  const { key } = await app.createKey({ allowed_paths: GRANTS });
  const env = { PATH: process.env.PATH ?? '', PBX_URL: app.origin, PBX_KEY: key, OFFICE_SOUNDS: folder };
  /** The lines that the sample prints, also if it fails. */
  async function setUp(changed: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const ran = promisify(execFile)(process.execPath, [SAMPLE], { env: { ...env, ...changed } });
    const { stdout, stderr } = await ran.catch((error) => error);
    return `${stdout}${stderr}`.trimEnd().split('\n');
  }
  async function get(path: string) {
    const answer = await app.call('GET', path, { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  }
  return { engine, folder, setUp, get };
}

/** Half a second. */
const GREETING = waveOf({ data: Buffer.alloc(8000, 17) });
const OFFICE = [
  'line City Telecom',
  'line World Voice',
  'employee Anna Sales <301>',
  'employee Boris Berg <302>',
  'employee Workshop <303>',
  'employee Clara Sales <304>',
  'queue Sales <600>',
  'menu Front desk <700>',
  'incoming route City line',
  'incoming route World line',
  'default route',
  'closed Weekend',
  'closed Nights',
  'outbound route Own country with +49',
  'outbound route Abroad',
  'outbound route Own country',
  'outbound route Own country while City is down',
];
const STANDS = 'the office is set up, and is open now until 2026-05-04 18:00:00';

describe.each(storePairs.filter(({ available }) => available))('on $name', ({ open }) => {
  test('the sample sets up the office of the chapter "Where calls go", and changes nothing on a second run', async () => {
    const { engine, folder, setUp, get } = await openOffice(open);
    await writeFile(join(folder, 'greeting.wav'), GREETING);

    const first = await setUp();
    expect(first.filter((line) => line.startsWith('created  ')).map((line) => line.slice(10))).toEqual(
      OFFICE.filter((what) => what !== 'default route'),
    );
    expect(first).toContain('uploaded  sound Greeting');
    expect(first).toContain('changed   default route');
    expect(first.at(-1)).toBe(STANDS);
    expect((await setUp()).filter((line) => !line.startsWith('no '))).toEqual([
      ...OFFICE.map((what) => `unchanged ${what}`),
      STANDS,
    ]);

    // Calls from outside.
    const [city, world, ...others] = await get('/incoming-routes');
    expect([city, world, others]).toMatchObject([
      { number: '4930111', providerid: 'SIP-CITY', extension_represent: 'Front desk <700>' },
      { number: '4930222', providerid: 'SIP-WORLD', extension_represent: 'Front desk <700>' },
      [],
    ]);
    expect(await get('/incoming-routes:getDefaultRoute')).toMatchObject({ extension: '600' });
    expect(await get('/call-queues/QUEUE-SALES')).toMatchObject({
      members: [{ represent: 'Anna Sales <301>' }, { represent: 'Clara Sales <304>' }],
      timeout_extension_represent: 'Boris Berg <302>',
    });
    expect(await get('/ivr-menu/IVR-FRONT-DESK')).toMatchObject({
      audio_message_id_represent: 'Greeting',
      actions: [
        { digits: '1', extension_represent: 'Sales <600>' },
        { digits: '2', extension_represent: 'Boris Berg <302>' },
      ],
    });

    // Opening hours.
    const at = async (moment: string) => get(`/off-work-times:getState?at=${moment}`);
    expect(await at('2026-05-04T08:59:00')).toMatchObject({ state: 'closed', ruleName: 'Nights' });
    expect(await at('2026-05-04T09:00:00')).toMatchObject({ state: 'open', until: '2026-05-04 18:00:00' });
    expect(await at('2026-05-09T10:00:00')).toMatchObject({
      state: 'closed',
      ruleName: 'Weekend',
      until: '2026-05-11 09:00:00',
    });

    // What would happen to callers.
    const explained = async (at: string, digits = '') => {
      const call = { provider: 'SIP-CITY', number: '+4930111', caller: '+491701234567', at, digits };
      const { steps } = await get(`/incoming-routes:explain?${new URLSearchParams(call)}`);
      return steps.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`.trim());
    };
    const entered = ['provider City Telecom', 'route City line', 'menu Front desk'];
    const tuesday = '2026-05-05T10:00:00';
    expect(await explained(tuesday, '1')).toEqual([...entered, 'queue Sales', 'employee Boris Berg', 'end']);
    expect(await explained(tuesday, '2')).toEqual([...entered, 'employee Boris Berg', 'end']);
    expect(await explained(tuesday, '303')).toEqual([...entered, 'employee Workshop', 'end']);
    expect(await explained('2026-05-09T10:00:00')).toEqual([
      'provider City Telecom',
      'route City line',
      'hours Weekend',
      'message Attention tone',
      'end',
    ]);

    // Outbound calls, once the engine serves the providers.
    await eventually(() => expect(engine.served.providers).toHaveLength(2));
    const dialled = async (number: string, employee: string) => {
      const query = new URLSearchParams({ number, employee });
      const { kind, allowed, attempts } = await get(`/outbound-routes:test?${query}`);
      const used = attempts.filter(({ skipped }: { skipped: string }) => skipped === '');
      return [
        kind,
        allowed,
        ...used.map((one: Record<string, string>) => `${one.provider} ${one.dials} ${one.callerid}`),
      ];
    };
    expect(await dialled('0301234567', '302')).toEqual([
      'outside',
      true,
      'City Telecom 0301234567 +4930111',
      'World Voice 0301234567 +4930222',
    ]);
    expect(await dialled('+49301234567', '301')).toEqual([
      'outside',
      true,
      'City Telecom 0301234567 +4930111',
      'World Voice +49301234567 +4930222',
    ]);
    expect(await dialled('00441632960000', '301')).toEqual([
      'outside',
      true,
      'World Voice 00441632960000 +4930222',
    ]);
    expect(await dialled('00441632960000', '302'), 'Boris may not call abroad').toEqual(['outside', false]);
    expect(await dialled('0301234567', '303'), 'the workshop calls inside').toEqual(['outside', false]);
    expect(await dialled('302', '303')).toEqual(['internal', true]);
    expect(await dialled('112', '303')).toEqual([
      'emergency',
      true,
      expect.stringMatching(/^City Telecom 112 /),
      expect.stringMatching(/^World Voice 112 /),
    ]);
  });
});

test('the sample says why a step failed, and does the rest on the next run', async () => {
  const { folder, setUp } = await openOffice((storePairs[0] as (typeof storePairs)[0]).open);
  expect(await setUp({ PBX_KEY: 'wrong' })).toEqual([expect.stringMatching(/^not done \(401\): /)]);
  expect(await setUp({ PBX_URL: 'http://127.0.0.1:9' })).toEqual([
    expect.stringMatching(/^not done: fetch failed: ./),
  ]);
  await writeFile(join(folder, 'greeting.wav'), 'no sound at all');
  expect((await setUp()).at(-1)).toMatch(/^not done \(4\d\d\): /);
  await writeFile(join(folder, 'greeting.wav'), GREETING);
  const again = await setUp();
  expect(again[0]).toBe('unchanged line City Telecom');
  expect(again.at(-1)).toBe(STANDS);
});
