import type { Selectable } from 'kysely';
import { type EmployeeTable, flagText, isSet } from '../../../store/sql/schema.ts';
import { type Employee, type EmployeeFields, mobileOf } from './employee.ts';

type EmployeeRow = Selectable<EmployeeTable>;

/** For comparing in any case, in every alphabet: `lower()` of SQLite knows ASCII only. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');

type Stamps = 'id' | 'created_at' | 'updated_at';

/** Without its times: they are the writer's to say. */
export function toColumns(
  { created_at: _, updated_at: _2, ...employee }: EmployeeFields & Partial<Pick<Employee, Stamps>>,
  version: number,
): Omit<EmployeeRow, Stamps> {
  const { number, user_username, user_email, mobile_number, mobile_dialstring } = employee;
  const searched = [user_username, number, user_email, mobile_number, mobile_dialstring];
  return {
    ...employee,
    sip_enableRecording: flagText(employee.sip_enableRecording),
    number_key: Number(number),
    name_key: folded(user_username),
    email_key: folded(user_email),
    mobile_key: folded(mobileOf(employee)),
    // No value holds a line break, so a search never matches across two.
    search_text: folded(searched.join('\n')),
    version,
  };
}

export function toEmployee(row: EmployeeRow): Employee {
  const {
    number_key: _,
    name_key: _2,
    email_key: _3,
    mobile_key: _4,
    search_text: _5,
    version: _6,
    ...rest
  } = row;
  return { ...rest, sip_enableRecording: isSet(row.sip_enableRecording) } as Employee;
}
