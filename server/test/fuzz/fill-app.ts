import { expect } from 'vitest';
import type { FakeEngine } from '../../src/engine/fake-engine.ts';
import { insertLegs, leg, writeRecording } from '../acceptance/cdr-rig.ts';
import { toneFile, upload } from '../acceptance/sound-rig.ts';
import { eventually } from '../eventually.ts';
import type { Stores, TestApp } from '../make-app.ts';

interface FillParts {
  readonly app: TestApp;
  readonly stores: Stores;
  readonly engine: FakeEngine;
}

/** Creates data to find: a few records of every kind, calls with recordings, an active call. */
export async function fillApp({ app, stores, engine }: FillParts): Promise<void> {
  const create = async (path: string, body: object) => {
    const answer = await app.call('POST', path, { token: await app.admin(), body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  };
  for (let n = 10; n < 30; n++) {
    await create('/employees', {
      number: `2${n}`,
      user_username: `Employee ${n}`,
      sip_secret: 'correct-horse',
    });
    const providerid = await create('/sip-providers', { description: `Provider ${n}`, host: `192.0.2.${n}` });
    await create('/firewall', { network: `10.${n}.0.0`, subnet: 16, description: `Filter ${n}` });
    await create('/api-keys', { description: `Key ${n}` });
    const weekend = { weekday_from: 6, weekday_to: 7, extension: `2${n}` };
    await create('/off-work-times', { description: `Rule ${n}`, ...weekend });
    // 210, which requests name, is in every queue.
    const members = [...new Set([`2${n}`, '210'])].map((extension) => ({ extension }));
    await create('/call-queues', { name: `Queue ${n}`, extension: `3${n}`, members });
    const actions = [{ digits: '1', extension: `3${n}` }];
    await create('/ivr-menu', { name: `Menu ${n}`, extension: `4${n}`, actions });
    await create('/incoming-routes', { number: `49301${n}`, providerid, extension: `4${n}` });
    await create('/outbound-routes', { rulename: `Route ${n}`, providerid, numberbeginswith: `${n}` });
    expect((await upload(app, toneFile())).status).toBe(201);
  }

  const legs = Array.from({ length: 300 }, (_, n) => leg({ recordingfile: n % 2 ? '' : `${n}.wav` }));
  for (const { recordingfile } of legs) if (recordingfile) await writeRecording(stores, `${recordingfile}`);
  await insertLegs(stores, ...legs);
  await eventually(async () => {
    const { body } = await app.call('GET', '/cdr', { token: await app.admin() });
    expect(body.data.pagination.total).toBe(legs.length);
  });

  engine.register('210');
  engine.startLeg({
    id: 'leg-1',
    linkedId: 'call-1',
    startedAt: app.now(),
    answeredAt: null,
    source: { channel: 'SIP/210', number: '210', name: '' },
    destination: { channel: 'SIP/trunk', number: '4930123', name: '' },
    did: '',
  });
}
