import { expect, test } from 'vitest';
import { testOutbound } from './outbound-test.ts';

const QUEUE = { number: '600', type: 'QUEUE', name: '', recordId: 'QUEUE-1', reason: 'taken' } as const;

test.each([
  ['45', '45600', 'feature'],
  ['45', '45601', 'nobody'],
  ['45', '4512345678', 'nobody'],
  ['45', '45600600', 'nobody'],
  ['*45', '*45600', 'feature'],
  ['*45', '*45601', 'feature'],
])('contract 27.19: with the queue member code %s, %s is %s', (code, number, kind) =>
  expect(
    testOutbound(
      { number, employee: '' },
      {
        employees: [],
        holderOf: (asked) => (asked === QUEUE.number ? QUEUE : undefined),
        features: { 'queue-login': code, 'queue-pause': '' },
        routes: [],
        providers: [],
      },
    ).kind,
  ).toBe(kind),
);
