import type { Selectable } from 'kysely';
import { createRowReader, toColumns } from '../../../store/sql/field-columns.ts';
import type { EmployeeTable } from '../../../store/sql/schema.ts';
import { type Employee, mobileOf } from './employee.ts';
import { type EmployeeFields, employeeFields } from './employee-fields.ts';

type EmployeeRow = Selectable<EmployeeTable>;

/** For comparing in any case, in every alphabet: `lower()` of SQLite handles only ASCII. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');

type Stamps = 'id' | 'created_at' | 'updated_at';

/** Without its times, which the writer sets. */
export function toRow(
  { created_at: _, updated_at: _2, ...employee }: EmployeeFields & Partial<Pick<Employee, Stamps>>,
  version: number,
): Omit<EmployeeRow, Stamps> {
  const { number, user_username, user_email, mobile_number, mobile_dialstring } = employee;
  const searched = [user_username, number, user_email, mobile_number, mobile_dialstring];
  return {
    ...toColumns(employee),
    number_key: Number(number),
    name_key: folded(user_username),
    email_key: folded(user_email),
    mobile_key: folded(mobileOf(employee)),
    // No value holds a line break, so a search never matches across two.
    search_text: folded(searched.join('\n')),
    version,
  };
}

const readRow = createRowReader(employeeFields);

export function toEmployee(row: EmployeeRow): Employee {
  const { id, created_at, updated_at } = row;
  return { id, ...readRow(row), created_at, updated_at } as Employee;
}
