import { describe, expect, test } from 'vitest';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, talk, useExchange } from './use-exchange.ts';

const numbers = [
  '201',
  '202',
  '203',
  '204',
  '205',
  '206',
  '207',
  '208',
  '209',
  '210',
  '211',
  '212',
  '213',
  '214',
];

describe.skipIf(!telephonyAvailable())('everything recovers by itself', () => {
  const held = useExchange(numbers.map((number) => ({ number })));
  const activeCount = async () => (await held.exchange.admin('GET', '/pbx-status:getActiveCalls')).length;

  test('after a killed engine the interface still answers, a new one serves everybody, and the lost call has a record', async () => {
    const { exchange } = held;
    const [anna, boris] = [await held.phone('201'), await held.phone('202')];
    await connect(anna, boris);
    await soon(async () => expect(await activeCount()).toBe(1));
    const pid = await exchange.enginePid();
    const killedAt = new Date();
    process.kill(pid, 'SIGKILL');
    expect(await exchange.admin('GET', '/employees')).toBeTruthy();
    await exchange.engineUp(pid);
    await exchange.settled(killedAt);
    await soon(async () => expect(await activeCount()).toBe(0));
    const [lost] = await exchange.callsOf('201');
    expect(lost).toMatchObject({ dst_num: '202', disposition: 'ANSWERED' });

    const [cora, dan] = [await held.phone('211'), await held.phone('212')];
    await connect(cora, dan);
    await cora.hangUp();
    expect(await exchange.callsOf('211')).toMatchObject([{ dst_num: '212', disposition: 'ANSWERED' }]);
  });

  test('after a killed service the call goes on, the next service finds it and records its end', async () => {
    const { exchange } = held;
    const pid = await exchange.enginePid();
    const [anna, boris] = [await held.phone('203'), await held.phone('204')];
    await connect(anna, boris);
    await soon(async () => expect(await activeCount()).toBe(1));
    await exchange.service.kill();
    await talk(500);
    await exchange.service.start();
    await exchange.engineUp();
    expect(await exchange.enginePid()).toBe(pid);
    await soon(async () => expect(await activeCount()).toBe(1));
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    const calls = await exchange.callsOf('203');
    expect(calls).toMatchObject([{ dst_num: '204', disposition: 'ANSWERED' }]);
    await soon(async () => expect(await activeCount()).toBe(0));
  });

  test('a call that began and ended without the service is recorded once', async () => {
    const { exchange } = held;
    const [anna, boris] = [await held.phone('205'), await held.phone('206')];
    await exchange.service.kill();
    await connect(anna, boris);
    await talk(300);
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    await anna.dial('206');
    await boris.next('CALL_INCOMING');
    await boris.hangUp();
    await anna.next('CALL_CLOSED');
    await exchange.service.start();
    await exchange.engineUp();
    const calls = await exchange.callsOf('205', 2);
    expect(calls.map(({ disposition }) => disposition)).toEqual(['ANSWERED', 'BUSY']);
  });

  test('after both are killed at once, a start makes statuses and records correct again', async () => {
    const { exchange } = held;
    const before = (await exchange.allCalls()).length;
    const [anna, boris] = [await held.phone('207'), await held.phone('208')];
    await connect(anna, boris);
    await talk(500);
    const pid = await exchange.enginePid();
    const killedAt = new Date();
    process.kill(pid, 'SIGKILL');
    await exchange.service.kill();
    await exchange.service.start();
    await exchange.engineUp(pid);
    await exchange.settled(killedAt);
    const calls = await exchange.callsOf('207');
    expect(calls).toMatchObject([{ dst_num: '208', disposition: 'ANSWERED' }]);
    expect(await exchange.allCalls()).toHaveLength(before + 1);
    await soon(async () => expect(await activeCount()).toBe(0));
    const statuses = await exchange.admin('GET', '/sip:getStatuses');
    expect(Object.keys(statuses)).toBeTruthy();
  });

  test('a stopped service hangs up a call after three seconds, and it is recorded once', async () => {
    const { exchange } = held;
    const [anna, boris] = [await held.phone('209'), await held.phone('210')];
    await connect(anna, boris);
    await soon(async () => expect(await activeCount()).toBe(1));
    const asked = performance.now();
    const stopped = exchange.service.stop();
    await Promise.all([anna.next('CALL_CLOSED'), boris.next('CALL_CLOSED')]);
    expect(performance.now() - asked).toBeGreaterThan(2900);
    expect(await stopped).toMatchObject({ code: 0 });
    await exchange.service.start();
    await exchange.engineUp();
    const calls = await exchange.callsOf('209');
    expect(calls).toMatchObject([{ dst_num: '210', disposition: 'ANSWERED' }]);
  });

  test('contract 17.14: a frozen engine is reported away within 15 s, without its calls; thawed, it continues them', async () => {
    const { exchange } = held;
    const pid = await exchange.enginePid();
    const [anna, boris] = [await held.phone('213'), await held.phone('214')];
    await connect(anna, boris);
    await soon(async () => expect(await activeCount()).toBe(1));
    process.kill(pid, 'SIGSTOP');
    try {
      await soon(async () => await expect(activeCount()).rejects.toThrow('503'), 15_000);
      await soon(async () => expect(await exchange.engineState()).toBe('away'));
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await soon(async () => expect(await activeCount()).toBe(1));
    expect(await exchange.enginePid()).toBe(pid);
    await anna.hangUp();
    await boris.next('CALL_CLOSED');
    expect(await exchange.callsOf('213')).toMatchObject([{ dst_num: '214', disposition: 'ANSWERED' }]);
  });
});
