import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiError, createClient } from '@pbxcore/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { insertLegs, leg } from '../acceptance/cdr-rig.ts';
import { eventually } from '../eventually.ts';
import { makeApp, type Stores, storePairs } from '../make-app.ts';
import { createOutsider } from '../outsider.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'examples', 'crm', 'crm.ts');
const GRANTS = {
  '/api/v3/employees': 'write',
  '/api/v3/cdr': 'read',
  '/api/v3/sip': 'read',
  '/api/v3/pbx-status': 'read',
};

async function openCrm(open: () => Promise<Stores>) {
  const stores = await open();
  const engine = createFakeEngine();
  const app = await makeApp(stores, {}, engine);
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-crm-'));
  onTestFinished(async () => {
    await app.close();
    await Promise.all([stores.stop(), rm(folder, { recursive: true, force: true })]);
  });
  const { key } = await app.createKey({ allowed_paths: GRANTS });
  const file = join(folder, 'crm.json');
  const env = { PATH: process.env.PATH ?? '', PBX_URL: app.origin, PBX_KEY: key, CRM_FILE: file };
  /** The lines that the sample prints, also if it fails. */
  async function crm(...words: string[]): Promise<string[]> {
    const ran = promisify(execFile)(process.execPath, [SAMPLE, ...words], { env });
    const { stdout, stderr } = await ran.catch((error) => error);
    return `${stdout}${stderr}`.trimEnd().split('\n');
  }
  return { stores, engine, app, key, crm, history: async () => JSON.parse(await readFile(file, 'utf8')) };
}

describe.each(storePairs.filter(({ available }) => available))('on $name', ({ open }) => {
  test('the sample hires employees, reads each leg of the history once, and shows who can be called', async () => {
    const { stores, engine, crm, history } = await openCrm(open);

    expect(await crm('hire', 'Anna Example', 'anna@example.org')).toEqual(['Anna Example has number 200']);
    expect(await crm('hire', 'Ben Example')).toEqual(['Ben Example has number 201']);
    expect(await crm('hire')).toEqual(['not done (400): user_username: must not be empty']);

    expect(await crm('sync')).toEqual(['0 legs known']);
    // More than a page, and one call whose second leg arrives later.
    const many = Array.from({ length: 103 }, (_, n) => leg({ src_num: String(1000 + n) }));
    await insertLegs(stores, leg({ linkedid: 'late.1', disposition: 'BUSY' }), ...many);
    await eventually(async () => expect((await crm('sync')).at(-1)).toBe('104 legs known'));
    await insertLegs(stores, leg({ linkedid: 'late.1', dst_num: '203' }));
    await eventually(async () =>
      expect(await crm('sync')).toEqual([
        '2026-05-04 09:00:00.000 201 -> 203 ANSWERED 7 s',
        '105 legs known',
      ]),
    );
    expect(await crm('sync')).toEqual(['105 legs known']);
    const { legs, lastId } = await history();
    expect(legs.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 105 }, (_, n) => n + 1));
    expect(lastId).toBe(105);
    await createOutsider(stores).sql(`delete from cdr_general where id in (3, 104)`);
    expect(await crm('sync')).toEqual(['103 legs known']);
    expect(await crm('sync')).toEqual(['103 legs known']);

    await eventually(() => expect(engine.served.extensions).toHaveLength(2));
    engine.register('200');
    expect(await crm('who')).toEqual(['200 Anna Example: available', '201 Ben Example: unavailable']);
    engine.startLeg({
      id: 'leg-1',
      linkedId: 'call-1',
      startedAt: 1000,
      answeredAt: 2000,
      source: { channel: 'SIP/200', number: '200', name: '' },
      destination: { channel: 'SIP/trunk', number: '4930123', name: '' },
      did: '',
    });
    expect((await crm('who'))[0]).toBe('200 Anna Example: on the phone');
  });
});

test('the generated client throws on refusals, with status and messages of the service', async () => {
  const { open } = storePairs[0] as (typeof storePairs)[0];
  const { app, key, crm } = await openCrm(open);
  const client = createClient({ url: app.origin, credential: () => key });
  const refused = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error) => error as ApiError,
    );

  const missing = await refused(client.employees.getRecord('12345'));
  expect(missing).toBeInstanceOf(ApiError);
  expect(missing).toMatchObject({ status: 404, messages: { error: [missing?.message] } });
  const wrong = await refused(
    client.employees.create({ number: '2', user_username: '', sip_secret: 'correct-horse' }),
  );
  expect(wrong).toMatchObject({ status: 400, messages: { error: [expect.any(String), expect.any(String)] } });
  expect(await refused(client.apiKeys.getList())).toMatchObject({ status: 403 });
  expect(await refused(createClient({ url: app.origin }).employees.getList())).toMatchObject({ status: 401 });

  // Not JSON: returned unparsed. An id may contain anything.
  expect(await (await client.cdr.export({ format: 'csv' })).text()).toContain('recordingfile');
  expect(await refused(client.cdr.getRecord('a b?c/d'))).toMatchObject({ status: 404 });
  expect(await crm('dance')).toEqual(['not done: say hire <name> [<e-mail>], sync or who']);
});
