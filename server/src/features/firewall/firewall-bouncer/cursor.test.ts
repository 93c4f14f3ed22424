import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packSnapshot, unpackSnapshot } from './cursor.ts';
import { compareDecisions, type Decision, SCENARIOS } from './decision.ts';

const decision = fc.record({
  value: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('198.51.100.0/24', '2001:db8::/32')),
  scenario: fc.constantFrom(...SCENARIOS),
  expiresAt: fc.oneof(fc.integer({ min: 0, max: 2 ** 47 }), fc.constant(Infinity)),
});
const snapshot = fc
  .uniqueArray(decision, { selector: ({ value, scenario }) => `${value} ${scenario}`, maxLength: 50 })
  .map((decisions) => decisions.sort(compareDecisions));

test('contract 8.4: a packed snapshot gives back every decision', () => {
  fc.assert(
    fc.property(snapshot, (decisions) => {
      expect(unpackSnapshot(packSnapshot(decisions, undefined).bytes)).toEqual(decisions);
    }),
  );
});

test('packing after a change gives the same bytes as packing from scratch', () => {
  fc.assert(
    fc.property(snapshot, snapshot, fc.infiniteStream(fc.boolean()), (first, more, keep) => {
      const kept = first.filter(() => keep.next().value);
      const names = new Set(kept.map(({ value, scenario }) => `${value} ${scenario}`));
      const fresh = more.filter(({ value, scenario }) => !names.has(`${value} ${scenario}`));
      const next: Decision[] = [...kept, ...fresh].sort(compareDecisions);
      const packed = packSnapshot(next, packSnapshot(first, undefined));
      expect(packed.bytes).toEqual(packSnapshot(next, undefined).bytes);
      expect(unpackSnapshot(packed.bytes)).toEqual(next);
    }),
  );
});

test('no bytes are read as an empty snapshot', () => expect(unpackSnapshot(Buffer.alloc(0))).toEqual([]));

test('truncated bytes, and bytes that begin with no scenario, are not a snapshot', () => {
  const { bytes } = packSnapshot([{ value: '203.0.113.7', scenario: 'pbx/sip', expiresAt: 5 }], undefined);
  for (let length = 1; length < bytes.length; length++)
    expect(unpackSnapshot(bytes.subarray(0, length)), `${length} bytes`).toBeUndefined();
  expect(unpackSnapshot(Buffer.from('{"new":[]}'))).toBeUndefined();
  expect(unpackSnapshot(Buffer.concat([bytes, Buffer.from([9])]))).toBeUndefined();
});

test('any bytes at all are read without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void unpackSnapshot(Buffer.from(bytes))),
  );
});
