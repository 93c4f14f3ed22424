import { expect, test } from 'vitest';
import { unaccepted } from './accepted-rights.ts';

const nothing = { reads: [], writes: [], acts: [] };

test.each([
  { wanted: { ...nothing, reads: ['calls'] }, says: '' },
  { wanted: { ...nothing, writes: ['firewall'] }, says: 'changes firewall' },
  { wanted: { ...nothing, reads: ['calls'], acts: ['hangup'] }, says: 'acts on calls (hangup)' },
])('for a module enabled before rights were stored, $wanted needs: "$says"', ({ wanted, says }) => {
  expect(unaccepted(wanted, undefined)).toBe(says && `this version also ${says}: enable it to accept that`);
});

test('fewer rights than were accepted need nothing', () => {
  expect(unaccepted(nothing, { reads: ['calls'], writes: ['firewall'], acts: ['hangup'] })).toBe('');
});
