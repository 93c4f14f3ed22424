import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { activeLeg } from './active-leg.ts';

const codeOf = (slug: string) => `
const act = (name, handle) => ({ name, verb: 'POST', handle });
export default {
  resources: [{
    path: '/pbxcore/api/v3/module-${slug}/calls', permission: 'x', channels: ['bearer_token'],
    actions: [
      act('originate', async ({ body }, { calls }) => ({ call: await calls.originate(body) })),
      act('hangup', async ({ body }, { calls }) => ({ said: (await calls.hangup(body.call)) ?? 'nothing' })),
      act('transfer', async ({ body: { call, to, ...options } }, { calls }) => ({ said: (await calls.transfer(call, to, options)) ?? 'nothing' })),
    ],
  }],
};
`;

const outside = { channel: 'PJSIP/SIP-1-00000001', number: '201', name: '' };
const phone = (number: string) => ({ channel: `PJSIP/${number}`, number, name: '' });

describe('acts of modules on calls', () => {
  const engine = createFakeEngine();
  const running = useModules({
    engine,
    settings: { PBXCORE_LOG_LEVEL: 'info' },
    async write(dir) {
      await dir.write(manifestOf('All', { acts: ['originate', 'hangup', 'transfer'] }), codeOf('all'));
      await dir.write(manifestOf('Busy', { acts: ['originate'] }), codeOf('busy'));
      await dir.write(manifestOf('None'), codeOf('none'));
    },
    enable: ['All', 'Busy', 'None'],
  });
  const act = async (name: string, body: object, slug = 'all') => {
    const { status, body: answer } = await running.asAdmin('POST', `/module-${slug}/calls:${name}`, body);
    return { status, data: answer.data, reason: answer.messages.error[0] };
  };
  const calls = async () => (await running.asAdmin('GET', '/pbx-status:getActiveCalls')).body.data;
  /** Creates an employee whom the engine serves, with a registered phone. */
  async function hire(number: string): Promise<void> {
    await running.asAdmin('POST', '/employees', {
      number,
      user_username: number,
      sip_secret: 'hush-hush-hush',
    });
    await eventually(() => engine.register(number));
    await eventually(async () =>
      expect((await running.asAdmin('GET', `/sip/${number}:getStatus`)).body.data.status).toBe('Available'),
    );
  }

  test('an act without the right is refused by name, and the record of a module lists its acts', async () => {
    for (const name of ['originate', 'hangup', 'transfer'])
      expect(await act(name, { from: '201', to: '202', call: 'c1' }, 'none')).toMatchObject({
        status: 403,
        reason: `module.json does not name ${name} among its acts`,
      });
    expect((await act('hangup', { call: 'c1' }, 'busy')).status).toBe(403);
    expect((await running.asAdmin('GET', '/modules/Busy')).body.data.acts).toEqual(['originate']);
    expect((await running.asAdmin('GET', '/modules/None')).body.data.acts).toEqual([]);
    expect((await running.asAdmin('POST', '/modules/All:check')).body.data.acts).toEqual([
      'originate',
      'hangup',
      'transfer',
    ]);
  });

  test('a manifest that names an unknown act is refused', async () => {
    await running.dir.write(manifestOf('Odd', { acts: ['record'] }));
    const { body } = await running.asAdmin('GET', '/modules/Odd');
    expect(body.data.broken.reason).toBe('acts: "record" is not one of originate, hangup, transfer');
  });

  test('originate calls an employee; unknown, absent and malformed ones are refused with the reason', async () => {
    await hire('201');
    expect(await act('originate', { from: '299', to: '202' })).toMatchObject({
      status: 404,
      reason: 'extension 299 not found',
    });
    await running.asAdmin('POST', '/employees', {
      number: '202',
      user_username: 'Ben',
      sip_secret: 'hush-hush-hush',
    });
    expect(await act('originate', { from: '202', to: '201' })).toMatchObject({
      status: 409,
      reason: 'no phone of 202 is registered',
    });
    const malformed = { from: '20x', to: '2;01', ringSeconds: 500 };
    const { body, status } = await running.asAdmin('POST', '/module-all/calls:originate', malformed);
    expect(status).toBe(422);
    expect(body.messages.error).toEqual([
      'from: must be an extension of 1..20 digits',
      'to: must be 1..40 digits, * and #, + allowed before them',
      'ringSeconds: must be an integer of 5..120',
    ]);
    const { data } = await act('originate', { from: '201', to: '+4930123' });
    expect(await calls()).toMatchObject([{ linkedid: data.call, src_num: '201', dst_num: '+4930123' }]);
    expect(await act('hangup', { call: data.call })).toMatchObject({
      status: 200,
      data: { said: 'nothing' },
    });
    expect(await calls()).toEqual([]);
  });

  test('an ended call or an emergency call is not touched', async () => {
    for (const name of ['hangup', 'transfer'])
      expect(await act(name, { call: 'gone-1.1', to: '201' })).toMatchObject({
        status: 404,
        reason: 'call gone-1.1 not found',
      });
    expect((await act('hangup', { call: 'a\r\nAction: Logoff' })).status).toBe(422);
    engine.startLeg(activeLeg('help', { source: phone('201'), destination: { ...outside, number: '112' } }));
    const [{ linkedid: call }] = await calls();
    for (const name of ['hangup', 'transfer'])
      expect(await act(name, { call, to: '201' })).toMatchObject({
        status: 409,
        reason: 'this is a call with an emergency number',
      });
    engine.endLeg('help', { endedAt: running.app.now() });
    engine.endCall(call);
  });

  test('only an employee in the call can transfer it, not a caller who shows the number of one', async () => {
    const talk = { answeredAt: running.app.now(), linkedId: 'talk-1.1' };
    engine.startLeg(activeLeg('t1', { ...talk, source: outside, destination: phone('203') }));
    expect(await act('transfer', { call: 'talk-1.1', to: '202', by: '201' })).toMatchObject({
      status: 409,
      reason: '201 is not talking in call talk-1.1',
    });
    expect((await act('transfer', { call: 'talk-1.1', to: '202' })).status).toBe(200);
    expect(await calls()).toMatchObject([{ src_num: '201', dst_num: '202' }]);
    // It is still ringing; nobody talks yet.
    expect((await act('transfer', { call: 'talk-1.1', to: '201' })).reason).toBe(
      'no employee is talking in call talk-1.1',
    );
    await act('hangup', { call: 'talk-1.1' });
  });

  test('a module has at most ten calls under way, and each module has its own limit', async () => {
    const make = (slug: string) => act('originate', { from: '201', to: '0301234' }, slug);
    const made: string[] = [];
    for (let i = 0; i < 10; i++) made.push((await make('busy')).data.call);
    expect(await make('busy')).toMatchObject({
      status: 429,
      reason: 'originate: at most 10 calls of a module at a time',
    });
    made.push((await make('all')).data.call);
    expect((await act('hangup', { call: made[0] })).status).toBe(200);
    expect((await make('busy')).status).toBe(200);
    for (const { linkedid: call } of await calls()) await act('hangup', { call });
  });

  test('each act is logged for its module with its outcome', async () => {
    const figures = (await running.asAdmin('GET', '/modules:getFigures')).body.data;
    // Eleven attempts, one of which was refused.
    expect(figures).toContainEqual(expect.objectContaining({ id: 'Busy', acts: 11 }));
    await act('hangup', { call: 'gone-1.1' });
    const { body } = await running.asAdmin('GET', '/modules/All:getLog?lines=1');
    expect(body.data).toMatchObject([
      {
        text: 'acts on calls: hangup',
        fields: { details: { call: 'gone-1.1', refused: 'call gone-1.1 not found' } },
      },
    ]);
  });

  test('while the engine is down every act is 503', async () => {
    engine.goDown();
    for (const name of ['originate', 'hangup', 'transfer'])
      expect(await act(name, { from: '201', to: '202', call: 'c1' })).toMatchObject({
        status: 503,
        reason: 'the telephony engine cannot be reached',
      });
    engine.comeUp();
  });
});
