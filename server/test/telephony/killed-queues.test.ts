import { beforeAll, describe, expect, test } from 'vitest';
import { startOutside } from '../real/outside-caller.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { talk, useExchange } from './use-exchange.ts';

const LINE = '4930700';

/** Legs of a queue overlap, so their order is ignored. */
const story = (call: CallRecord | undefined) =>
  call?.records
    .map(({ dst_num, appname, is_app, disposition, dtmf_digits }) =>
      [dst_num, is_app === '1' ? appname : '', disposition, appname === 'ivr' ? dtmf_digits : '']
        .filter((part) => part !== '')
        .join(' '),
    )
    .sort();

describe.skipIf(!telephonyAvailable())('queues while service and engine are killed', () => {
  const held = useExchange(['201', '202', '203'].map((number) => ({ number })));
  const admin: typeof held.exchange.admin = (...asked) => held.exchange.admin(...asked);
  let outside: Awaited<ReturnType<typeof startOutside>>;
  let queueId: string;

  beforeAll(async () => {
    const { net, address } = held.exchange;
    outside = await startOutside(net.next(), address);
    held.outlive(() => outside.stop());
    await admin('POST', '/sip-providers', { description: 'P', host: outside.address });
    const queue = { caller_hear: 'moh', seconds_to_ring_each_member: 60, seconds_for_wrapup: 0 };
    const members = [{ extension: '201' }, { extension: '202' }, { extension: '203' }];
    queueId = (await admin('POST', '/call-queues', { ...queue, name: 'Support', extension: '600', members }))
      .id;
    const actions = [{ digits: '1', extension: '600' }];
    await admin('POST', '/ivr-menu', { name: 'Main', extension: '700', timeout: 30, actions });
    await admin('POST', '/incoming-routes', { number: LINE, extension: '700' });
    await held.exchange.settled();
  });

  async function enter(caller: string) {
    const made = outside.call(LINE, { caller, hasKeys: true });
    expect(await made.outcome()).toBe(200);
    await made.press('1');
    return made;
  }
  const recorded = (caller: string, legs: readonly string[]) =>
    soon(async () => {
      const [found] = await held.exchange.callsOf(caller);
      expect(story(found)).toEqual(legs);
      return found;
    });
  const states = async (): Promise<Record<string, string>> => {
    const { members } = await admin('GET', `/call-queues/${queueId}`);
    return Object.fromEntries(
      members.map(({ extension, state }: { extension: string; state: string }) => [extension, state]),
    );
  };

  test('V18: menu and queue work without the service, which later has records and members as if it had run', async () => {
    const [anna, boris, clara] = [await held.phone('201'), await held.phone('202'), await held.phone('203')];
    await held.exchange.service.kill();
    await clara.dial('*46');
    await clara.next('CALL_CLOSED');
    const made = await enter('+49170103');
    await anna.next('CALL_INCOMING');
    await boris.next('CALL_INCOMING');
    await anna.hangUp();
    await anna.next('CALL_CLOSED');
    await boris.answer();
    await boris.next('CALL_ESTABLISHED');
    await talk();
    await made.hangUp();
    await boris.next('CALL_CLOSED');
    expect(clara.events.some(({ type }) => type === 'CALL_INCOMING')).toBe(false);
    await held.exchange.service.start();
    await held.exchange.engineUp();
    const record = await recorded('+49170103', [
      '201 BUSY',
      '202 ANSWERED',
      '600 queue ANSWERED',
      '700 ivr NO ANSWER 1',
    ]);
    expect(record).toMatchObject({ disposition: 'ANSWERED', did: LINE });
    expect(record?.totalBillsec).toBeGreaterThanOrEqual(1);
    await soon(async () => expect(await states()).toEqual({ 201: 'in', 202: 'in', 203: 'paused' }));
  });

  test('a service killed while a caller waits still shows the caller after a restart, and records who answers', async () => {
    const boris = await held.phone('202');
    const made = await enter('+49170104');
    await boris.next('CALL_INCOMING');
    await held.exchange.service.kill();
    await held.exchange.service.start();
    await held.exchange.engineUp();
    const active = () => admin('GET', '/pbx-status:getActiveCalls');
    await soon(async () => expect(await active()).toMatchObject([{ dst_num: '600', answer: '' }]));
    await boris.answer();
    await boris.next('CALL_ESTABLISHED');
    await soon(async () => expect(await active()).toMatchObject([{ dst_num: '202' }]));
    await made.hangUp();
    await recorded('+49170104', ['202 ANSWERED', '600 queue ANSWERED', '700 ivr NO ANSWER 1']);
  });

  test('an engine killed while a caller waits leaves a missed call, and the next engine serves the queue with its member states', async () => {
    const boris = await held.phone('202');
    await enter('+49170105');
    await boris.next('CALL_INCOMING');
    const active = () => admin('GET', '/pbx-status:getActiveCalls');
    await soon(async () => expect(await active()).toMatchObject([{ dst_num: '600' }]));
    const pid = await held.exchange.enginePid();
    const killedAt = new Date();
    process.kill(pid, 'SIGKILL');
    await held.exchange.engineUp(pid);
    await held.exchange.settled(killedAt);
    const record = await recorded('+49170105', [
      '202 NO ANSWER',
      '600 queue NO ANSWER',
      '700 ivr NO ANSWER 1',
    ]);
    expect(record).toMatchObject({ disposition: 'NO ANSWER', totalBillsec: 0 });
    await soon(async () => expect(await active()).toEqual([]));
    expect(await states()).toEqual({ 201: 'in', 202: 'in', 203: 'paused' });
    const [anna, clara] = [await held.phone('201'), await held.phone('203')];
    const made = await enter('+49170106');
    await anna.next('CALL_INCOMING');
    await anna.answer();
    await anna.next('CALL_ESTABLISHED');
    await made.hangUp();
    await soon(async () => {
      const [found] = await held.exchange.callsOf('+49170106');
      expect(story(found)).toEqual(expect.arrayContaining(['201 ANSWERED', '600 queue ANSWERED']));
    });
    expect(clara.events.some(({ type }) => type === 'CALL_INCOMING')).toBe(false);
  });
});
