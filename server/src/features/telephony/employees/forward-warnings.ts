import { bare } from '../../../lib/mobile-number.ts';
import { forwardsOf, numbersOnRings, ringFrom, ringText } from '../../../lib/rings.ts';
import { targetWarning } from '../../../lib/target.ts';
import type { Directory } from '../directory/directory.ts';
import { type EmployeeChange, FORWARDS } from './employee.ts';
import type { EmployeeDirectory } from './employee-directory.ts';
import type { EmployeeFields } from './employee-fields.ts';

interface ForwardParts {
  readonly employees: Pick<EmployeeDirectory, 'settle' | 'byNumber' | 'hasMobile'>;
  readonly numbers: Pick<Directory, 'records' | 'holderOf'>;
}

type Forwarding = Pick<EmployeeFields, 'number' | 'mobile_number' | (typeof FORWARDS)[number]>;

/** Most rings reported in one answer: each may be as long as a chain of thousands. */
const MOST_TOLD = 20;

/** Whether its forwards, or the rings it is on, may have changed. */
export const changesForwards = (sent: EmployeeChange): boolean =>
  sent.number !== undefined || FORWARDS.some((field) => sent[field] !== undefined);

/** Warns of forwards that are allowed but do not do what they seem to (contract 21), or lead a call back (21.3). */
export function createForwardWarnings({ employees, numbers }: ForwardParts) {
  const { records, holderOf } = numbers;

  function next(number: string): readonly string[] {
    const employee = employees.byNumber(number);
    return employee ? forwardsOf(employee) : records.goesOnTo(number);
  }

  /** Warnings by number, for employees as they are or would be. */
  function warnings(changed: readonly Forwarding[]): ReadonlyMap<string, readonly string[]> {
    const given = new Set(changed.flatMap(({ number, mobile_number: mobile }) => [number, bare(mobile)]));
    const isSomebodys = (number: string): boolean =>
      given.has(bare(number)) ||
      employees.byNumber(number) !== undefined ||
      holderOf(number) !== undefined ||
      employees.hasMobile(number);
    const rings = ringWarnings(changed);
    return new Map(
      changed.map((employee) => [
        employee.number,
        [
          ...FORWARDS.flatMap((field) => {
            const warning = targetWarning(employee[field], isSomebodys);
            return warning === undefined ? [] : [`${field}: ${warning}`];
          }),
          ...(rings.get(employee.number) ?? []),
        ],
      ]),
    );
  }

  /** Reports each ring for the first employee on it. */
  function ringWarnings(changed: readonly Forwarding[]): ReadonlyMap<string, readonly string[]> {
    const given = new Map(changed.map((employee) => [employee.number, forwardsOf(employee)]));
    const nextGiven = (number: string) => given.get(number) ?? next(number);
    const onRings = numbersOnRings(given.keys(), nextGiven);
    const told = new Map<string, string[]>();
    const known = new Set<string>();
    for (const employee of changed) {
      const { number } = employee;
      if (!onRings.has(number) || known.has(number) || told.size >= MOST_TOLD) continue;
      const ring = ringFrom(number, nextGiven);
      for (const one of ring) known.add(one);
      const field = FORWARDS.find((name) => employee[name] === ring[1]);
      told.set(number, [`${field}: ${ringText(ring)}`]);
    }
    return told;
  }

  /** A replacement may lead back to itself. */
  function warningsAt(number: string | undefined): string[] {
    const ring = number === undefined ? [] : ringFrom(number, next);
    return ring.length === 0 ? [] : [ringText(ring)];
  }

  return {
    /** Called before a write, which must not fail once it is done; resolves to the checks to call then. */
    async look() {
      await Promise.all([employees.settle(), records.settle()]);
      return { warnings, warningsAt };
    },
  };
}
