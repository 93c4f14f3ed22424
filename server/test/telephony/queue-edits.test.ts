import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { queueSection } from '../../src/engine/asterisk/config/queues.ts';
import { queue } from '../../src/engine/engine.suite.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { members, shown, useQueues } from './queue-rig.ts';

const numbers = [
  '201',
  '202',
  '203',
  '211',
  '212',
  '213',
  '221',
  '222',
  '223',
  '224',
  '231',
  '232',
  '233',
  '241',
  '242',
  '243',
];
const WRAP_UP_SECONDS = 8;
/** The engine counts whole seconds. */
const PAST_WRAP_UP_MS = (WRAP_UP_SECONDS - 1) * 1000;

describe.skipIf(!telephonyAvailable())('queues edited while in use', () => {
  const rig = useQueues(numbers.map((number) => ({ number })));
  const memberOf = async (queueId: string, number: string) => {
    const status = (await rig.engine.queueStatuses()).find((known) => known.queueId === queueId);
    return status?.members.find((member) => member.number === number);
  };

  test('contract 27.15, 27.21: wrap-up time and last call of a member survive an edit of the queue', async () => {
    const before = queue('600', { members: members('201'), wrapUpSeconds: WRAP_UP_SECONDS });
    await rig.serve([before]);
    const [anna, caller] = [await rig.phone('201'), await rig.phone('203')];
    await caller.dial('600');
    await anna.next('CALL_INCOMING');
    await anna.answer();
    await caller.next('CALL_ESTABLISHED');
    const hungUpAt = Date.now();
    await caller.hangUp();
    await anna.next('CALL_CLOSED');
    await caller.next('CALL_CLOSED');
    await rig.serve([{ ...before, revision: 2, members: members('201', '202') }]);
    const edited = await memberOf('QUEUE-600', '201');
    expect(edited).toMatchObject({ device: 'wrapup' });
    expect(Math.abs((edited?.lastCallAt ?? 0) - hungUpAt)).toBeLessThan(3000);
    await caller.dial('600');
    await anna.next('CALL_INCOMING');
    expect(Date.now() - hungUpAt).toBeGreaterThan(PAST_WRAP_UP_MS);
    await caller.hangUp();
  });

  test('contract 27.15: wrap-up time counts in other queues of the member, also after an edit, and ends early if shortened', async () => {
    const long = queue('610', { members: members('211'), wrapUpSeconds: 300 });
    const none = queue('611', {
      members: members('211', '212'),
      strategy: 'linear',
      ringSeconds: 3,
      wrapUpSeconds: 0,
    });
    await rig.serve([long, none]);
    const [anna, boris, caller] = [await rig.phone('211'), await rig.phone('212'), await rig.phone('213')];
    await caller.dial('610');
    await anna.next('CALL_INCOMING');
    await anna.answer();
    await caller.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await Promise.all([anna.next('CALL_CLOSED'), caller.next('CALL_CLOSED')]);
    const third = queue('612', { members: members('223') });
    await rig.serve([long, none, third]);
    await caller.dial('611');
    // Anna would otherwise be first.
    await boris.next('CALL_INCOMING');
    expect(anna.events.filter(({ type }) => type === 'CALL_INCOMING')).toHaveLength(1);
    expect(await memberOf('QUEUE-611', '211')).toMatchObject({ device: 'wrapup' });
    await rig.serve([{ ...long, wrapUpSeconds: 0 }, none, third]);
    await anna.next('CALL_INCOMING');
    await caller.hangUp();
  });

  test('a member who picks up but does not get the caller has no wrap-up time', async () => {
    const support = queue('640', { members: members('241', '242'), wrapUpSeconds: 300 });
    await rig.serve([support]);
    const [anna, boris, caller] = [await rig.phone('241'), await rig.phone('242'), await rig.phone('243')];
    await caller.dial('640');
    await Promise.all([anna.next('CALL_INCOMING'), boris.next('CALL_INCOMING')]);
    await Promise.all([anna.answer(), boris.answer()]);
    await caller.next('CALL_ESTABLISHED');
    await caller.hangUp();
    const legs = await rig.legsOf('243');
    const taken = legs.filter(({ isApplication, answeredAt }) => !isApplication && answeredAt !== null);
    expect(taken).toHaveLength(1);
    const [one, other] = taken[0]?.destination.number === '241' ? ['241', '242'] : ['242', '241'];
    await rig.serve([{ ...support, revision: 2, members: members('242', '241') }]);
    expect(await memberOf('QUEUE-640', one)).toMatchObject({ device: 'wrapup' });
    await caller.dial('640');
    await soon(async () =>
      expect(await memberOf('QUEUE-640', other)).toMatchObject({ device: 'ringing', lastCallAt: null }),
    );
    await caller.hangUp();
  });

  test('contract 27.12: callers who have waited since before an edit count as waiting', async () => {
    const before = queue('620', { members: members('223'), maxWaiting: 1, onFull: 'busy' });
    await rig.serve([before]);
    const [first, second] = [await rig.phone('221'), await rig.phone('222')];
    await first.dial('620');
    await first.next('CALL_RINGING');
    await rig.serve([{ ...before, revision: 2, members: members('223', '224') }]);
    await second.dial('620');
    expect((await second.next('CALL_CLOSED')).param).toMatch(/^486/);
    expect((await rig.legsOf('222')).map(shown)).toEqual(['620 queue NO ANSWER/FULL']);
    await first.hangUp();
    await rig.legsOf('221');
    await second.dial('620');
    await second.next('CALL_RINGING');
    await second.hangUp();
  });

  test('contract 27.17: the engine keeps the queue of a talk until the talk is over', async () => {
    const before = queue('630', { members: members('231'), wrapUpSeconds: 0 });
    const after = { ...before, revision: 2, members: members('231', '232') };
    const served = async () =>
      (await readFile(join(rig.dataDir, 'engine/etc/queues.conf'), 'utf8')).includes(queueSection(before));
    await rig.serve([before]);
    const [anna, caller] = [await rig.phone('231'), await rig.phone('233')];
    await caller.dial('630');
    await anna.next('CALL_INCOMING');
    await anna.answer();
    await caller.next('CALL_ESTABLISHED');
    // Each apply checks it again.
    for (let time = 0; time < 4; time++) await rig.serve([after]);
    expect(await served()).toBe(true);
    await caller.hangUp();
    await anna.next('CALL_CLOSED');
    await soon(async () => {
      await rig.serve([after]);
      expect(await served()).toBe(false);
    });
  });
});
