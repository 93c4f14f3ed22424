import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, type Network, parseNetwork } from './network.ts';
import { createNetworkIndex } from './network-index.ts';

const network = fc
  .oneof(
    fc.tuple(
      fc.constantFrom('10.0.0.1', '10.0.0.2', '10.1.0.0', '192.0.2.1'),
      fc.integer({ min: 1, max: 32 }),
    ),
    fc.tuple(fc.constantFrom('2001:db8::1', '2001:db8:1::', '::1'), fc.integer({ min: 1, max: 128 })),
  )
  .map(([text, prefix]) => parseNetwork(`${text}/${prefix}`) as Network);

test('an index of networks finds what a walk along all of them finds', () => {
  fc.assert(
    fc.property(fc.array(network, { maxLength: 8 }), network, (entries, asked) => {
      expect(createNetworkIndex(entries).covers(asked)).toBe(entries.some((entry) => contains(entry, asked)));
    }),
  );
});
