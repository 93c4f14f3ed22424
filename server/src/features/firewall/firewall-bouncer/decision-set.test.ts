import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareDecisions, type Decision, SCENARIOS, type Scenario } from './decision.ts';
import { createDecisionSet } from './decision-set.ts';

const values = ['10.0.0.1', '10.0.0.2', '10.0.0.0/24', '2001:db8::1'];
const change = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    value: fc.constantFrom(...values),
    scenario: fc.constantFrom(...SCENARIOS),
    end: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(Infinity)),
  }),
  fc.record({
    do: fc.constant('remove' as const),
    value: fc.constantFrom(...values),
    scenario: fc.constantFrom(...SCENARIOS),
  }),
  fc.record({ do: fc.constant('expire' as const), by: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ do: fc.constant('look' as const) }),
);
const nameOf = ({ value, scenario }: { value: string; scenario: Scenario }) => `${value} ${scenario}`;

describe('a decision set', () => {
  test('equals a plain map, in order, and reports what was added and removed since every earlier state', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const set = createDecisionSet();
        const model = new Map<string, Decision>();
        const states: { id: string; held: Map<string, Decision> }[] = [];
        let now = 0;
        for (const step of changes) {
          if (step.do === 'put') {
            const decision = { value: step.value, scenario: step.scenario, expiresAt: now + step.end };
            set.put(decision.value, decision.scenario, decision.expiresAt);
            model.set(nameOf(decision), decision);
          } else if (step.do === 'remove') {
            set.remove(step.value, step.scenario);
            model.delete(nameOf(step));
          } else if (step.do === 'expire') {
            now += step.by;
            set.expire(now);
            for (const [name, { expiresAt }] of model) if (expiresAt < now) model.delete(name);
          } else {
            expect(set.sorted()).toEqual([...model.values()].sort(compareDecisions));
            expect(set.size()).toBe(model.size);
            states.push({ id: set.stateId(), held: new Map(model) });
          }
          const counts = set.countsSince(states.map(({ id }) => id));
          for (const { id, held } of states) {
            const gone = [...held].filter(([name]) => !model.has(name)).map(([, decision]) => decision);
            const since = set.changesSince(id);
            expect(since?.gone.toSorted(compareDecisions)).toEqual(gone.sort(compareDecisions));
            expect(since?.added.toSorted()).toEqual(
              [...model.keys()].filter((name) => !held.has(name)).sort(),
            );
            expect(counts.get(id)).toEqual({ gone: since?.gone.length, added: since?.added.length });
          }
        }
      }),
    );
  });

  test('returns the same array until something changes', () => {
    const set = createDecisionSet();
    set.put('10.0.0.1', 'pbx/sip', 5);
    const sorted = set.sorted();
    set.put('10.0.0.1', 'pbx/sip', 5);
    set.remove('10.0.0.2', 'pbx/sip');
    expect(set.sorted()).toBe(sorted);
    set.put('10.0.0.1', 'pbx/sip', 6);
    expect(set.sorted()).not.toBe(sorted);
    expect(sorted, 'and what was given out stays as it was').toEqual([
      { value: '10.0.0.1', scenario: 'pbx/sip', expiresAt: 5 },
    ]);
  });

  test('contract 8.6: the membership has the same id on every node, whatever its history and durations', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...values), fc.constantFrom(...SCENARIOS)), {
          selector: String,
        }),
        (members) => {
          const [one, other] = [createDecisionSet(), createDecisionSet()];
          for (const [value, scenario] of members) one.put(value, scenario, 5);
          other.put('192.0.2.1', 'pbx/sip', 1);
          for (const [value, scenario] of members.toReversed()) other.put(value, scenario, 100);
          expect(other.membershipId()).not.toBe(one.membershipId());
          other.remove('192.0.2.1', 'pbx/sip');
          expect(other.membershipId()).toBe(one.membershipId());
          expect(one.membershipId()).toMatch(/^[0-9a-f-]+$/);
        },
      ),
    );
  });

  test('a ban that ends in this very millisecond is still included (contract 14.2: 0 ms left is 1s)', () => {
    const set = createDecisionSet();
    set.put('10.0.0.1', 'pbx/sip', 1000);
    set.expire(1000);
    expect(set.size()).toBe(1);
    set.expire(1001);
    expect(set.size()).toBe(0);
  });

  test('does not recognize a state of another set or an invalid one', () => {
    const set = createDecisionSet();
    const other = createDecisionSet();
    expect(set.changesSince(other.stateId())).toBeUndefined();
    for (const id of ['', 'x.1', `${set.stateId()}9`, set.stateId().replace(/\d+$/, '-1')])
      expect(set.changesSince(id), id).toBeUndefined();
  });

  test('forgets a state older than the journal, but not a younger one', () => {
    const set = createDecisionSet();
    const first = set.stateId();
    for (let i = 0; i < 100_001; i++) set.put('10.0.0.1', 'pbx/sip', i + 1);
    expect(set.changesSince(first)).toBeUndefined();
    const recent = set.stateId();
    set.remove('10.0.0.1', 'pbx/sip');
    expect(set.changesSince(recent)?.gone).toEqual([
      { value: '10.0.0.1', scenario: 'pbx/sip', expiresAt: 100_001 },
    ]);
  });
});
