import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LegState } from './leg.ts';
import { blankLeg } from './leg-beginnings.ts';
import { createSilentProviders } from './silent-providers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createRig() {
  const source = {
    channelId: 'a',
    channel: 'PJSIP/201-00000001',
    number: '201',
    name: '',
    callId: '',
    provider: '',
    did: '',
    legId: '',
    linkedId: 'a',
  };
  const blank = blankLeg({ id: 'a-1', linkedId: 'a', startedAt: Date.now(), source });
  let waiting: LegState[] = [];
  const hungUp: string[] = [];
  /** The engine's state of the channel: 3 = only "trying" so far, 5 = rings. */
  let state = '3';
  const watch = createSilentProviders({
    clock: { now: () => Date.now() },
    waiting: () => waiting,
    ami: {
      list: async () => [{ ChannelState: state, Variable: 'CHANNEL(rtp,dest)=0.0.0.0:0' }],
      action: async (name, { Channel, Cause } = {}) => {
        hungUp.push(`${name} ${Channel} ${Cause}`);
        waiting = [];
        return {};
      },
    },
  });
  return {
    watch,
    hungUp,
    says: (channelState: string) => {
      state = channelState;
    },
    /** The same leg with another channel. */
    tries: (channel: string) => {
      waiting = [{ ...blank, toProvider: 'P', destination: { ...blank.destination, channel } }];
    },
    rests: () => {
      waiting = [];
    },
  };
}

test('contract 23.5: a provider that has only sent "trying" is given up after 12 s', async () => {
  const { watch, hungUp, tries } = createRig();
  tries('PJSIP/P-00000001');
  await vi.advanceTimersByTimeAsync(12_000);
  expect(hungUp).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(hungUp).toEqual(['Hangup PJSIP/P-00000001 34']);
  watch.close();
});

test('a provider that rings is not given up', async () => {
  const { watch, hungUp, tries, says } = createRig();
  tries('PJSIP/P-00000001');
  says('5');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hungUp).toEqual([]);
  watch.close();
});

test('contract 23.5, 29.1.4: each attempt on a member of a queue has its own 12 s, although all are one leg', async () => {
  const { watch, hungUp, tries, says, rests } = createRig();
  tries('PJSIP/P-00000001');
  says('5');
  await vi.advanceTimersByTimeAsync(15_000);
  rests();
  await vi.advanceTimersByTimeAsync(1000);
  tries('PJSIP/P-00000002');
  says('3');
  await vi.advanceTimersByTimeAsync(12_000);
  expect(hungUp).toEqual([]);
  // The next provider follows at once.
  tries('PJSIP/Q-00000003');
  await vi.advanceTimersByTimeAsync(12_000);
  expect(hungUp).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(hungUp).toEqual(['Hangup PJSIP/Q-00000003 34']);
  watch.close();
});
