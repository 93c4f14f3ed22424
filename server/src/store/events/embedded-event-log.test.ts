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

test('an id of an earlier run is recognized as such, even if both began in the same millisecond', async () => {
  const ahead = Date.now() + 1_000_000;
  const standing = { now: () => ahead };
  const earlier = createEmbeddedEventLog({ clock: standing, steady: clock });
  const log = createEmbeddedEventLog({ clock: standing, steady: clock });
  expect(await log.placeAfter(earlier.headId)).toBe('node');
});
