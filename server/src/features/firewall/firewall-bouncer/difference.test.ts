import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noteText, parseNote } from './cursor-note.ts';
import { type Cursor, orderAt } from './cursors.store.ts';
import { type Decision, identity, SCENARIOS } from './decision.ts';
import { createDecisionSet } from './decision-set.ts';
import { findDifference, type Told } from './difference.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 17);
const decision = fc.record({
  value: fc.constantFrom('203.0.113.7', '198.51.100.0/24', '2001:db8::1', '192.0.2.10'),
  scenario: fc.constantFrom(...SCENARIOS),
  expiresAt: fc.constantFrom(START + HOUR_MS, Infinity),
});
const decisions = fc.uniqueArray(decision, { selector: nameOf, maxLength: 12 });

function nameOf({ value, scenario }: Decision): string {
  return identity(value, scenario);
}
const names = (list: readonly Decision[]) => list.map(nameOf).sort();

/** Like the service: from the journal when `remembered`, otherwise from the snapshot. */
function compare(cursor: Cursor, before: readonly Decision[], now: readonly Decision[], remembered: boolean) {
  const set = createDecisionSet();
  for (const { value, scenario, expiresAt } of before) set.put(value, scenario, expiresAt);
  const told: Told = remembered
    ? { cursor: { ...cursor, stateId: set.stateId() } }
    : { cursor, decisions: before };
  for (const { value, scenario } of before) set.remove(value, scenario);
  for (const { value, scenario, expiresAt } of now) set.put(value, scenario, expiresAt);
  const present = {
    decisions: set.sorted(),
    holds: ({ value, scenario }: Decision) => set.get(value, scenario) !== undefined,
    changesSince: set.changesSince,
  };
  return findDifference([told], present, orderAt(START + 10));
}

test('contract 17.16: removals list what the key may hold and is gone, unseen what it does not hold yet', () => {
  fc.assert(
    fc.property(
      decisions,
      decisions,
      decisions,
      fc.func(fc.boolean()),
      fc.boolean(),
      (before, now, gone, isUnseen, remembered) => {
        const removals = gone
          .filter((one) => !names(before).includes(nameOf(one)))
          .map((one) => ({ decision: one, toldAt: START, order: orderAt(START) + 3 }));
        const unseen = names(before).filter((name) => isUnseen(name));
        const cursor: Cursor = { order: orderAt(START), stateId: 'before', removals, unseen };
        const held = new Set([
          ...names(before).filter((name) => !unseen.includes(name)),
          ...removals.map((removal) => nameOf(removal.decision)),
        ]);

        const difference = compare(cursor, before, now, remembered);

        const told = difference.removals.map((removal) => nameOf(removal.decision));
        expect(told.toSorted()).toEqual([...held].filter((name) => !names(now).includes(name)).sort());
        const missing = [...difference.unseen()].filter((name) => names(now).includes(name));
        expect([...new Set(missing)].sort()).toEqual(names(now).filter((name) => !held.has(name)));
        const note = { removals: difference.removals, unseen };
        expect(parseNote(noteText(note))).toEqual(note);
      },
    ),
    { numRuns: 500 },
  );
});

test('an unconfirmed removal is sent for an hour', () => {
  const gone = { value: '203.0.113.7', scenario: 'pbx/sip' as const, expiresAt: Infinity };
  const told = (ago: number): Cursor => ({
    order: orderAt(START),
    stateId: 'before',
    removals: [{ decision: gone, toldAt: START - ago, order: orderAt(START - ago) }],
    unseen: [],
  });
  expect(compare(told(HOUR_MS - 60_000), [], [], false).removals).toHaveLength(1);
  expect(compare(told(HOUR_MS), [], [], false).removals).toEqual([]);
});

test('a text that is not a note is not read as one', () => {
  for (const text of [
    'x',
    '{}',
    '[]',
    '[[],3]',
    '[[[1,0,null,1,1]],[]]',
    '[[["a",9,null,1,1]],[]]',
    '[[["a",0,"b",1,1]],[]]',
    '[[],[1]]',
  ])
    expect(parseNote(text), text).toBeUndefined();
  expect(parseNote('[[],"all"]')).toEqual({ removals: [], unseen: 'all' });
});
