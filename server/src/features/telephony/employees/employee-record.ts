import type { Static } from 'typebox';
import { holds } from '../../../http/access.ts';
import type { Caller } from '../../../http/caller.ts';
import type { Resource } from '../../../http/route.ts';
import { isoWithOffset } from '../../../lib/local-time.ts';
import { SECRET_MASK } from '../../../lib/secret-mask.ts';
import { type Employee, type EmployeeFields, mobileOf, type SPECIAL_TARGETS } from './employee.ts';
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

const TARGET_LABELS: Readonly<Record<(typeof SPECIAL_TARGETS)[number], string>> = {
  hangup: 'Hang up',
  busy: 'Busy',
  did2user: 'By direct number',
  voicemail: 'Voicemail',
};

/** Turns employees into what contract 3.2 shows. */
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
    employee: EmployeeFields & { id: number | ''; created_at?: number; updated_at?: number },
    caller: Caller | undefined,
  ): Static<typeof EmployeeRecord> => ({
    id: String(employee.id),
    number: employee.number,
    user_username: employee.user_username,
    user_email: employee.user_email,
    user_avatar: '',
    mobile_number: employee.mobile_number,
    mobile_dialstring: employee.mobile_dialstring,
    sip_secret: caller && holds(caller, employeeResource.path, 'write') ? employee.sip_secret : SECRET_MASK,
    sip_transport: employee.sip_transport,
    sip_dtmfmode: employee.sip_dtmfmode,
    sip_media_encryption: employee.sip_media_encryption,
    sip_enableRecording: employee.sip_enableRecording,
    sip_networkfilterid: employee.sip_networkfilterid,
    sip_networkfilterid_represent: filterLabel(employee.sip_networkfilterid),
    sip_manualattributes: employee.sip_manualattributes,
    fwd_ringlength: employee.fwd_ringlength,
    fwd_forwarding: employee.fwd_forwarding,
    fwd_forwarding_represent: targetLabel(employee.fwd_forwarding),
    fwd_forwardingonbusy: employee.fwd_forwardingonbusy,
    fwd_forwardingonbusy_represent: targetLabel(employee.fwd_forwardingonbusy),
    fwd_forwardingonunavailable: employee.fwd_forwardingonunavailable,
    fwd_forwardingonunavailable_represent: targetLabel(employee.fwd_forwardingonunavailable),
    extensions_length: extensionLength,
    created_at: shownTime(employee.created_at),
    updated_at: shownTime(employee.updated_at),
  });
}

export type ToEmployeeRecord = ReturnType<typeof createEmployeeRecord>;

/** Of `fields=full`: everything but the secret, which no list has (contract 3.4). */
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
