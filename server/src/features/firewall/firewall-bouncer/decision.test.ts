import { describe, expect, test } from 'vitest';
import {
  compareDecisions,
  type Decision,
  decisionId,
  decisionObject,
  SCENARIOS,
  type Scenario,
} from './decision.ts';

describe('contract 14.1: decision ids', () => {
  test.each([
    ['203.0.113.7', 'pbx/sip', 2102261364],
    ['203.0.113.7', 'pbx/http', 580404187],
    ['203.0.113.7', 'pbx/ami', 1659432110],
    ['203.0.113.7', 'pbx/iax', 721343208],
    ['203.0.113.7', 'pbx/manual', 897627997],
    ['192.0.2.10', 'pbx/sip', 2017483008],
    ['192.0.2.10', 'pbx/manual', 827763535],
    ['198.51.100.0/24', 'pbx/manual', 1196898333],
    ['198.51.100.0/24', 'pbx/sip', 640087468],
    ['2001:db8::1', 'pbx/http', 1656034868],
    ['2001:db8::/32', 'pbx/manual', 1235827826],
    ['198.18.5.203', 'pbx/manual', 21186452],
    ['198.18.70.156', 'pbx/http', 21186452],
  ] as const)('%s %s is %i', (value, scenario, id) => expect(decisionId(value, scenario)).toBe(id));

  test('a checksum of 0, or one with only the top bit set, becomes 1', () => {
    expect(decisionId('2001:db8::1982:d60e', 'pbx/http')).toBe(1);
    expect(decisionId('2001:db8::409e:8ca0', 'pbx/iax')).toBe(1);
  });
});

test('contract 8.2: the keys of a decision object come in a fixed order', () => {
  const object = decisionObject({ value: '198.51.100.0/24', scenario: 'pbx/manual', expiresAt: Infinity }, 0);
  expect(JSON.stringify(object)).toBe(
    '{"id":1196898333,"origin":"pbx-networkfilters","type":"ban","scope":"Range",' +
      '"value":"198.51.100.0/24","duration":"596h","scenario":"pbx/manual"}',
  );
});

test('contract 8.3: decisions are ordered by value in byte order, then remaining time, then scenario', () => {
  const of = (value: string, scenario: Scenario, expiresAt: number): Decision => ({
    value,
    scenario,
    expiresAt,
  });
  const inOrder = [
    of('10.0.0.10', 'pbx/manual', 5),
    of('10.0.0.9', 'pbx/iax', 5),
    of('10.0.0.9', 'pbx/sip', 6),
    ...SCENARIOS.map((scenario) => of('2001:db8::1', scenario, Infinity)),
    of('9.0.0.1', 'pbx/sip', 1),
  ];
  expect(inOrder.toReversed().sort(compareDecisions)).toEqual(inOrder);
});
