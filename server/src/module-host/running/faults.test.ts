import { expect, test } from 'vitest';
import { createFaults } from './faults.ts';
import type { Wanted } from './wanted.ts';

const wantedWith = (settings: Record<string, unknown>): Wanted =>
  new Map([['A', { settings, data: { place: 'A', version: '', since: '' }, accepted: undefined }]]);

test('a fault with some settings does not count against a module that is to run with others', () => {
  const faults = createFaults();
  faults.trying('A', { tries: 7 });
  faults.set('A', 'more than five tries');
  faults.keepFor(wantedWith({ tries: 7 }));
  expect(faults.get('A')).toBe('more than five tries');
  faults.keepFor(wantedWith({ tries: 2 }));
  expect(faults.has('A')).toBe(false);
});

test('a module that is not to run has no fault, and one that never began keeps its fault', () => {
  const faults = createFaults();
  faults.set('A', 'its folder was missing');
  faults.keepFor(wantedWith({ tries: 2 }));
  expect(faults.has('A')).toBe(true);
  faults.keepFor(new Map());
  expect(faults.has('A')).toBe(false);
});
