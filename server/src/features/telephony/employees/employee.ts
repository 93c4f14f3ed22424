import { randomInt } from 'node:crypto';
import { type Failure, RuleBroken } from '../../../lib/errors.ts';
import { DEFAULTS, type EmployeeFields } from './employee-fields.ts';

export const FORWARDS = ['fwd_forwarding', 'fwd_forwardingonbusy', 'fwd_forwardingonunavailable'] as const;

export interface Employee extends EmployeeFields {
  readonly id: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Without easily confused characters: people type it into phones. */
const SECRET_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export const generateSecret = (): string =>
  Array.from({ length: 20 }, () => SECRET_ALPHABET[randomInt(SECRET_ALPHABET.length)]).join('');

const RING_WITH_FORWARD = { min: 3, max: 180 };
const ringIsGood = (seconds: number): boolean =>
  seconds >= RING_WITH_FORWARD.min && seconds <= RING_WITH_FORWARD.max;

/** An empty secret means the stored one. */
export type EmployeeChange = Partial<EmployeeFields>;

/** The stored employee with only the sent fields changed, and what follows from them (contract 3.3). */
export function patched(stored: EmployeeFields, sent: EmployeeChange): EmployeeFields {
  const next = { ...stored, ...sent, sip_secret: sent.sip_secret || stored.sip_secret };
  if (sent.mobile_number === '' && stored.mobile_number !== '' && sent.mobile_dialstring === undefined) {
    next.mobile_dialstring = '';
  }
  if (sent.fwd_forwarding !== undefined && sent.fwd_ringlength === undefined) {
    if (sent.fwd_forwarding === '') next.fwd_ringlength = 0;
    else if (!ringIsGood(stored.fwd_ringlength)) next.fwd_ringlength = DEFAULTS.fwd_ringlength;
  }
  return next;
}

/** Violated rules across fields, in words (contract 3.3). */
function brokenRules(employee: EmployeeFields, stored: Numbered | undefined): string[] {
  const broken: string[] = [];
  if (employee.fwd_forwarding !== '' && !ringIsGood(employee.fwd_ringlength)) {
    broken.push(`fwd_ringlength: must be 3-180 seconds with fwd_forwarding (got ${employee.fwd_ringlength})`);
  }
  if (employee.sip_media_encryption === 'sdes' && employee.sip_transport !== 'tls') {
    broken.push(
      `sip_media_encryption: sdes needs sip_transport tls, or its keys would be sent in clear (got ${employee.sip_transport})`,
    );
  }
  for (const name of FORWARDS) {
    // A forward to its old number would follow to the new one (contract 20.9).
    if (employee[name] === employee.number || (stored && employee[name] === stored.number))
      broken.push(`${name}: must not be the own number`);
  }
  return broken;
}

export const NUMBER_TAKEN = 'number: already taken';

type Numbered = Pick<EmployeeFields, 'number'>;

/**
 * In the order of contract 1.1: problems of its numbers first, then rules across fields (step 10). `stored` is the
 * employee before the change.
 */
export function refusal(
  employee: EmployeeFields,
  ofNumbers: Failure | undefined,
  stored?: Numbered,
): Failure | undefined {
  if (ofNumbers) return ofNumbers;
  const broken = brokenRules(employee, stored);
  return broken.length > 0 ? new RuleBroken(broken) : undefined;
}

/** Problems of the network filter, given those that exist (contract 17.8). */
export function filterProblems(
  { sip_networkfilterid: id = 'none' }: EmployeeChange,
  existing: ReadonlySet<string>,
): string[] {
  return id === 'none' || existing.has(id) ? [] : [`sip_networkfilterid: network filter ${id} not found`];
}

/** What is allowed but unwise. */
export function secretWarnings({ sip_secret, number }: EmployeeFields): string[] {
  if (sip_secret === number) return ['sip_secret: is the number, which is easy to guess'];
  return [...sip_secret].length < 8 ? ['sip_secret: has fewer than 8 characters'] : [];
}

/** The mobile number that people dial or see. */
export const mobileOf = (employee: Pick<Employee, 'mobile_number' | 'mobile_dialstring'>): string =>
  employee.mobile_dialstring || employee.mobile_number;
