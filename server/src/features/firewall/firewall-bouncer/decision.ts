import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DurationFormat } from '../../../lib/bouncer-options.ts';
import { byteOrder } from '../../../lib/network.ts';
import { durationText } from './duration.ts';

/** This order breaks ties (contract 8.3). */
export const SCENARIOS = ['pbx/sip', 'pbx/http', 'pbx/ami', 'pbx/iax', 'pbx/manual'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** An exported ban. Immutable: a renewed ban is a new decision with the same identity (value, scenario). */
export interface Decision {
  readonly value: string;
  readonly scenario: Scenario;
  /** Milliseconds, `Infinity` for a ban without end. */
  readonly expiresAt: number;
}

/** The wire form, keys in this order (contract 8.2). */
export interface DecisionObject {
  readonly id: number;
  readonly origin: 'pbx-fail2ban' | 'pbx-networkfilters';
  readonly type: 'ban';
  readonly scope: 'Ip' | 'Range';
  readonly value: string;
  readonly duration: string;
  readonly scenario: Scenario;
}

export const identity = (value: string, scenario: Scenario): string => `${value} ${scenario}`;

/** crc32 of value + scenario, top bit cleared, never 0 (contract 8.2). Two decisions may share an id. */
export const decisionId = (value: string, scenario: Scenario): number =>
  crc32(value + scenario) & 0x7fffffff || 1;

export const originOf = (scenario: Scenario): DecisionObject['origin'] =>
  scenario === 'pbx/manual' ? 'pbx-networkfilters' : 'pbx-fail2ban';

export function decisionObject(
  decision: Decision,
  at: number,
  format: DurationFormat = 'seconds',
): DecisionObject {
  const { value, scenario, expiresAt } = decision;
  return {
    id: decisionId(value, scenario),
    origin: originOf(scenario),
    type: 'ban',
    scope: value.includes('/') ? 'Range' : 'Ip',
    value,
    duration: durationText(expiresAt, at, format),
    scenario,
  };
}

/** Value, then remaining time, then scenario: for one address the longest ban comes last (contract 8.3). */
export function compareDecisions(a: Decision, b: Decision): number {
  if (a.value !== b.value) return byteOrder(a.value, b.value);
  if (a.expiresAt !== b.expiresAt) return a.expiresAt < b.expiresAt ? -1 : 1;
  return SCENARIOS.indexOf(a.scenario) - SCENARIOS.indexOf(b.scenario);
}

/** Two numbers whose XOR over a set identifies its membership. */
export function membershipHash(value: string, scenario: Scenario): [number, number] {
  const digest = hash('sha1', identity(value, scenario), 'buffer');
  return [digest.readInt32BE(0), digest.readInt32BE(4)];
}
