import { expect, test } from 'vitest';
import { createFaults } from './faults.ts';
import type { Wanted } from './wanted.ts';

const wantedWith = (settings: Record<string, unknown>): Wanted =>
  new Map([['A', { settings, data: { place: 'A', version: '', since: '' }, accepted: undefined }]]);

test('what failed with some settings is not held against a module that shall run with others', () => {
  const faults = createFaults();
  faults.trying('A', { tries: 7 });
  faults.set('A', 'more than five tries');
  faults.keepFor(wantedWith({ tries: 7 }));
  expect(faults.get('A')).toBe('more than five tries');
  faults.keepFor(wantedWith({ tries: 2 }));
  expect(faults.has('A')).toBe(false);
});

test('a module that shall not run has no fault, and one that was never begun keeps its own whatever its settings are', () => {
  const faults = createFaults();
  faults.set('A', 'its folder was missing');
  faults.keepFor(wantedWith({ tries: 2 }));
  expect(faults.has('A')).toBe(true);
  faults.keepFor(new Map());
  expect(faults.has('A')).toBe(false);
});
