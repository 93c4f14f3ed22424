import { byteOrder } from '../../../lib/network.ts';

interface Employee {
  readonly id: number;
  readonly number: string;
  readonly user_username: string;
  readonly mobile_number: string;
}

export const EXTENSION_TYPES = ['SIP', 'EXTERNAL'] as const;
type ExtensionType = (typeof EXTENSION_TYPES)[number];

/** A number that can be dialled or chosen: of a phone, or of an employee's mobile. */
export interface Extension {
  readonly number: string;
  readonly type: ExtensionType;
  readonly callerid: string;
  readonly userId: string;
}

/** By number, each number once: of a mobile that two employees share, the one with the lower id is shown. */
export function extensionsOf(employees: readonly Employee[]): Extension[] {
  const byNumber = new Map<string, Extension>();
  const add = (number: string, type: ExtensionType, { id, user_username: callerid }: Employee) => {
    if (number !== '' && !byNumber.has(number))
      byNumber.set(number, { number, type, callerid, userId: String(id) });
  };
  const byId = [...employees].sort((a, b) => a.id - b.id);
  for (const employee of byId) add(employee.number, 'SIP', employee);
  for (const employee of byId) add(employee.mobile_number, 'EXTERNAL', employee);
  return [...byNumber.values()].sort(
    (a, b) => a.number.length - b.number.length || byteOrder(a.number, b.number),
  );
}

/** A mobile number is the same with and without its plus. */
const bare = (number: string): string => number.replace(/^\+/, '');

export const holderOf = (extensions: readonly Extension[], number: string): Extension | undefined =>
  extensions.find((extension) => bare(extension.number) === bare(number));

export const represent = ({ callerid, number }: Extension): string => `${callerid} <${number}>`;
