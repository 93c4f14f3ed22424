import { expect, test } from 'vitest';
import { createEmbeddedEventLog } from './embedded-event-log.ts';
import { eventLogSuite } from './event-log.suite.ts';

const clock = { now: () => 1_000_000 };

eventLogSuite('embedded log of events', async () => {
  let now = 0;
  const log = createEmbeddedEventLog({ clock, steady: { now: () => now } });
  return {
    open: async () => log,
    advance(ms) {
      now += ms;
    },
    close: log.close,
  };
});

test('an id of an earlier life is known as such', async () => {
  const earlier = createEmbeddedEventLog({ clock, steady: clock });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const log = createEmbeddedEventLog({ clock, steady: clock });
  expect(await log.placeAfter(earlier.headId)).toBe('node');
});
