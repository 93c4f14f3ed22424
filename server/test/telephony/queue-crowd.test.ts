import { describe, expect, test } from 'vitest';
import { telephonyAvailable } from './exchange.ts';
import { runCrowd } from './queue-crowd.ts';
import { judgeCrowd, waitOf } from './queue-crowd-verdict.ts';
import { useExchange } from './use-exchange.ts';

// The same with 300 callers for two minutes: `npm run bench:queues`.
const PLAN = { queues: 2, members: 5, callers: 15, gapMs: 50, talkMs: [3000, 5000] } as const;

describe.skipIf(!telephonyAvailable())('a crowd in queues', () => {
  const held = useExchange([{ number: '199' }], { PBXCORE_TIMEZONE: 'UTC' });

  test('contract 27.1: 30 callers and 10 members: each caller is served in turn, and records and board match what phones saw', async () => {
    const facts = await runCrowd(held.exchange, PLAN);
    const { problems, served, early } = judgeCrowd(facts);
    expect(problems).toEqual([]);
    expect(served).toHaveLength(PLAN.queues * PLAN.callers);
    // There were more than could be served at once.
    expect(facts.most).toBeGreaterThan(PLAN.queues * PLAN.members);
    expect(served.some((one) => waitOf(one) > 1500)).toBe(true);
    console.log(
      `${served.length} callers, ${facts.most} at once, ${early} passed another, ${facts.calls.flatMap(({ records }) => records).length} legs`,
    );
  });
});
