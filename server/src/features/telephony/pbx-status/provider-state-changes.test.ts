import { expect, test } from 'vitest';
import type { KnownProvider } from '../../../engine/engine-view.ts';
import { followProviderStateChanges } from './provider-state-changes.ts';

test('the history records each state change in order, `unknown` included, and continues after a failure', async () => {
  let tell: (provider: KnownProvider) => void = () => {};
  const recorded: string[] = [];
  const failures: unknown[] = [];
  const done = Promise.withResolvers<void>();
  followProviderStateChanges({
    view: {
      onProviderStateChange: (listener) => {
        tell = listener;
      },
    },
    async record(id, state) {
      if (state === 'rejected') throw new Error('no disk');
      recorded.push(`${id} ${state}`);
      if (state === 'OK') done.resolve();
    },
    onError: (error) => failures.push(error),
  });
  for (const state of ['registered', 'rejected', 'unknown', 'reachable'] as const)
    tell({ id: 'SIP-1', state, rttMs: null, addresses: [], since: 0 });
  await done.promise;
  expect(recorded).toEqual(['SIP-1 registered', 'SIP-1 UNKNOWN', 'SIP-1 OK']);
  expect(failures).toHaveLength(1);
});
