import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AS_SPECIFIED, type BouncerOptions, DURATION_FORMATS } from '../../../lib/bouncer-options.ts';
import { contains, type Network, parseNetwork } from '../../../lib/network.ts';
import { unpackSnapshot } from './cursor.ts';
import { orderAt } from './cursors.store.ts';
import { compareDecisions, type Decision, decisionObject, originOf, SCENARIOS } from './decision.ts';
import { createDecisionSet } from './decision-set.ts';
import { createDecisionViews } from './decision-views.ts';
import { findDifference, type Told } from './difference.ts';
import { plainParts } from './stream-body.ts';
import { isTold, withholdPresent } from './withheld-removals.ts';

const START = 1_777_000_000_000;
const VALUES = [
  '10.0.0.1',
  '10.0.0.1/32',
  '10.0.0.2',
  '10.0.0.0/24',
  '10.0.0.0/8',
  '2001:db8::1',
  '2001:db8::/32',
];
const ALLOWED = ['10.0.0.1', '10.0.0.0/24', '10.0.0.0/16', '2001:db8::1', '2001:db8::/16', '192.0.2.1'];
const networkOf = (text: string) => parseNetwork(text) as Network;
const nameOf = ({ value, scenario }: Decision) => `${value} ${scenario}`;

/** A set filled by hand, with a clock and an allow-list that the test controls. */
function createRig() {
  const base = createDecisionSet();
  let now = START;
  let allowed: string[] = [];
  let changed = () => {};
  const view = createDecisionViews({
    base,
    settle: async () => {},
    allowList: {
      settle: async () => {},
      entries: () => allowed.map((text) => ({ network: networkOf(text) })),
      texts: () => allowed,
      onChange: (listener) => {
        changed = listener;
      },
    },
    clock: { now: () => now },
  });
  return {
    base,
    view,
    now: () => now,
    allowed: () => allowed,
    advance(ms: number) {
      now += ms;
    },
    allow(texts: string[]) {
      allowed = texts;
      changed();
    },
  };
}

/** The rows that a key with these options gets for these decisions, computed in the simplest way. */
function expectedRows(
  all: readonly Decision[],
  allowed: readonly string[],
  options: BouncerOptions,
): Decision[] {
  const seen = all
    .filter(
      ({ value }) =>
        !options.subtract_whitelist || !allowed.some((text) => contains(networkOf(text), networkOf(value))),
    )
    .toSorted(compareDecisions);
  if (!options.one_per_address) return seen;
  return seen.filter(({ value }, i) => seen[i + 1]?.value !== value);
}

interface Key {
  options: BouncerOptions;
  position?: Told;
  /** Decisions sent to the key and not yet reported as removed. */
  told: Decision[];
  /** Entries of a client that applies `deleted` last, keeps one per value and origin, and expires none by itself. */
  held: Set<string>;
}

const options = fc.record({
  deleted_excludes_present: fc.constant(false),
  one_per_address: fc.boolean(),
  duration_format: fc.constantFrom(...DURATION_FORMATS),
  subtract_whitelist: fc.boolean(),
});
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      value: fc.constantFrom(...VALUES),
      scenario: fc.constantFrom(...SCENARIOS),
      seconds: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(Infinity)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('remove' as const),
      value: fc.constantFrom(...VALUES),
      scenario: fc.constantFrom(...SCENARIOS),
    }),
  },
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 900, 60_000, 600_000) }),
  fc.record({ do: fc.constant('allow' as const), texts: fc.subarray(ALLOWED, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('options' as const), key: fc.nat(3), options }),
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('poll' as const), key: fc.nat(3), onOtherNode: fc.boolean() }),
  },
);

describe('views of the decisions', () => {
  test('contract 17.20: through any changes, each key gets what its options select and every removal of it', async () => {
    let polls = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 100, size: 'max' }), async (steps) => {
        const rig = createRig();
        const model = new Map<string, Decision>();
        const keys = [false, false, true, true].map(
          (deleted_excludes_present): Key => ({
            options: { ...AS_SPECIFIED, deleted_excludes_present },
            told: [],
            held: new Set(),
          }),
        );
        for (const one of steps) {
          if (one.do === 'put') {
            const expiresAt = rig.now() + one.seconds * 1000;
            rig.base.put(one.value, one.scenario, expiresAt);
            const decision = { value: one.value, scenario: one.scenario, expiresAt };
            model.set(nameOf(decision), decision);
          } else if (one.do === 'remove') {
            rig.base.remove(one.value, one.scenario);
            model.delete(`${one.value} ${one.scenario}`);
          } else if (one.do === 'wait') rig.advance(one.ms);
          else if (one.do === 'allow') rig.allow(one.texts);
          else {
            const key = keys[one.key] as Key;
            if (one.do === 'options') {
              const { deleted_excludes_present } = key.options;
              key.options = { ...one.options, deleted_excludes_present };
              continue;
            }
            for (const [name, { expiresAt }] of model) if (expiresAt < rig.now()) model.delete(name);
            await poll(rig, key, [...model.values()], one.onOtherNode);
            polls++;
          }
        }
      }),
      { numRuns: 300 },
    );
    console.log(`polls compared with the model: ${polls}`);
  });

  async function poll(
    rig: ReturnType<typeof createRig>,
    key: Key,
    all: Decision[],
    onOtherNode: boolean,
  ): Promise<void> {
    const view = rig.view(key.options);
    await view.settle();
    const snapshot = view.snapshot();
    const rows = expectedRows(all, rig.allowed(), key.options);
    const { at } = snapshot.rendering;
    const body = Buffer.concat(plainParts(snapshot.rendering, []).map((part) => Buffer.from(part)));
    expect(JSON.parse(body.toString()).new).toEqual(
      rows.map((decision) => decisionObject(decision, at, key.options.duration_format)),
    );

    // Like the service: by the state when it is remembered, otherwise by the snapshot in the cursor.
    const { position } = key;
    const isKnown = position && !onOtherNode && view.changesSince(position.cursor.stateId);
    const told = position ? [isKnown ? { cursor: position.cursor } : position] : [];
    const present = { ...view, decisions: snapshot.rendering.decisions };
    const gone = findDifference(told, present, orderAt(rig.now())).removals;
    const removals = key.options.deleted_excludes_present ? withholdPresent(gone, view.withValue) : gone;
    const telling = removals.filter(isTold).map(({ decision }) => decision);

    const listed = new Map(rows.map((row) => [nameOf(row), row]));
    const values = new Set(rows.map(({ value }) => value));
    const origins = new Set(rows.map(({ value, scenario }) => `${value} ${originOf(scenario)}`));
    const missing = key.told.filter((row) => !listed.has(nameOf(row))).toSorted(compareDecisions);
    const excludes = key.options.deleted_excludes_present;
    const deleted = excludes ? missing.filter(({ value }) => !values.has(value)) : missing;
    expect(telling).toEqual(deleted);
    const withheld = missing.filter(
      ({ value, scenario }) => values.has(value) && !origins.has(`${value} ${originOf(scenario)}`),
    );
    key.told = [...rows, ...(excludes ? withheld : [])];
    // The client has shown that it read the answer, so reported removals are not kept.
    const note = { removals: removals.filter((removal) => !isTold(removal)), unseen: [] };
    key.position = {
      cursor: { order: orderAt(rig.now()), stateId: snapshot.stateId, ...note },
      decisions: unpackSnapshot(snapshot.packed()),
    };

    for (const entry of origins) key.held.add(entry);
    for (const { value, scenario } of telling) key.held.delete(`${value} ${originOf(scenario)}`);
    if (excludes)
      expect(new Set([...key.held].map((entry) => entry.split(' ')[0])), 'blocked by the client').toEqual(
        values,
      );
  }

  test('keys with equal options share one rendering, and another duration format has another ETag', () => {
    const { base, view } = createRig();
    base.put('10.0.0.1', 'pbx/sip', Infinity);
    const one = { ...AS_SPECIFIED, one_per_address: true };
    expect(view(one)).toBe(view({ ...one }));
    const json = (wanted: BouncerOptions) => view(wanted).snapshot().rendering.json;
    expect(json({ ...one, deleted_excludes_present: true }).buffer).toBe(json(one).buffer);
    expect(view(one).etag(), 'the same membership').toBe(view(AS_SPECIFIED).etag());
    expect(view({ ...one, duration_format: 'go' }).etag()).not.toBe(view(one).etag());
  });

  test('an unused view is dropped; a view in use and the view as specified are kept', () => {
    const { view, advance } = createRig();
    const used = { ...AS_SPECIFIED, one_per_address: true };
    const tried = { ...AS_SPECIFIED, subtract_whitelist: true };
    const stateOf = (wanted: BouncerOptions) => view(wanted).snapshot().stateId;
    const [first, trial, specified] = [stateOf(used), stateOf(tried), stateOf(AS_SPECIFIED)];
    for (let minutes = 0; minutes < 30; minutes += 5) {
      advance(300_000);
      expect(stateOf(used)).toBe(first);
    }
    expect(stateOf(tried), 'a new set').not.toBe(trial);
    expect(stateOf(AS_SPECIFIED)).toBe(specified);
  });

  test('a lookup does not find an allow-listed address, although a banned range around it is sent', () => {
    const { base, view, allow } = createRig();
    base.put('10.0.0.0/24', 'pbx/sip', Infinity);
    base.put('10.0.0.1', 'pbx/sip', Infinity);
    allow(['10.0.0.1']);
    const subtracting = view({ ...AS_SPECIFIED, subtract_whitelist: true });
    expect(subtracting.snapshot().rendering.decisions.map(({ value }) => value)).toEqual(['10.0.0.0/24']);
    expect(subtracting.covering(networkOf('10.0.0.1'))).toEqual([]);
    expect(subtracting.covering(networkOf('10.0.0.2'))).toHaveLength(1);
    expect(view(AS_SPECIFIED).covering(networkOf('10.0.0.1'))).toHaveLength(2);
  });
});
