import type { Static } from 'typebox';
import { holds } from '../../../http/access.ts';
import type { Caller } from '../../../http/caller.ts';
import { SECRET_MASK } from '../../../http/fields.ts';
import type { Resource } from '../../../http/route.ts';
import { isoWithOffset } from '../../../lib/local-time.ts';
import type { TargetWord } from '../../../lib/target.ts';
import { type Employee, mobileOf } from './employee.ts';
import type { EmployeeFields } from './employee-fields.ts';
import type { ListedEmployee } from './employee-list.ts';
import type { EmployeeFullItem, EmployeeListItem, EmployeeRecord } from './employees.schema.ts';

export const employeeResource: Resource = {
  path: '/api/v3/employees',
  label: 'Employees Management',
  description: 'Employees: their numbers, SIP accounts and forwards',
  levels: ['read', 'write'],
};

interface RecordParts {
  readonly extensionLength: number;
  readonly timezone: string;
  readonly describeFilter: (id: string) => string | undefined;
  readonly byNumber: (number: string) => Pick<Employee, 'user_username'> | undefined;
}

/** Before it is stored it has no id and no times. */
interface MaybeStored {
  readonly id: number | '';
  readonly created_at?: number;
  readonly updated_at?: number;
}

const TARGET_LABELS: Readonly<Record<TargetWord, string>> = {
  hangup: 'Hang up',
  busy: 'Busy',
  did2user: 'By direct number',
  voicemail: 'Voicemail',
};

/** Turns employees into the records of contract 3.2. */
export function createEmployeeRecord({ extensionLength, timezone, describeFilter, byNumber }: RecordParts) {
  const filterLabel = (id: string): string =>
    id === 'none' ? 'No restriction' : (describeFilter(id) ?? `Filter ${id} does not exist`);

  function targetLabel(target: string): string {
    if (Object.hasOwn(TARGET_LABELS, target)) return TARGET_LABELS[target as keyof typeof TARGET_LABELS];
    const colleague = byNumber(target);
    return colleague ? `${colleague.user_username} <${target}>` : target;
  }

  const shownTime = (at = 0): string => (at === 0 ? '' : isoWithOffset(at, timezone));

  return (
    { id, created_at, updated_at, ...fields }: EmployeeFields & MaybeStored,
    caller: Caller | undefined,
  ): Static<typeof EmployeeRecord> => ({
    ...fields,
    id: String(id),
    sip_secret: caller && holds(caller, employeeResource.path, 'write') ? fields.sip_secret : SECRET_MASK,
    user_avatar: '',
    sip_networkfilterid_represent: filterLabel(fields.sip_networkfilterid),
    fwd_forwarding_represent: targetLabel(fields.fwd_forwarding),
    fwd_forwardingonbusy_represent: targetLabel(fields.fwd_forwardingonbusy),
    fwd_forwardingonunavailable_represent: targetLabel(fields.fwd_forwardingonunavailable),
    extensions_length: extensionLength,
    created_at: shownTime(created_at),
    updated_at: shownTime(updated_at),
  });
}

export type ToEmployeeRecord = ReturnType<typeof createEmployeeRecord>;

/** An item with `fields=full`: everything but the secret, which no list has (contract 3.4). */
export function toFullItem(record: Static<typeof EmployeeRecord>): Static<typeof EmployeeFullItem> {
  const { sip_secret: _, ...shown } = record;
  return { ...shown, mobile: mobileOf(record), avatar: '', disabled: false };
}

export const toListItem = (employee: ListedEmployee): Static<typeof EmployeeListItem> => ({
  id: String(employee.id),
  number: employee.number,
  user_username: employee.user_username,
  user_email: employee.user_email,
  mobile: mobileOf(employee),
  avatar: '',
  disabled: false,
});
