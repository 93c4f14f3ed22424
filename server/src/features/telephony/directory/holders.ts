import type { Kysely } from 'kysely';
import { bare, spellings } from '../../../lib/mobile-number.ts';
import type { Database } from '../../../store/sql/schema.ts';

/** Numbers that no record may be given (contract 20.4). */
export interface ReservedNumbers {
  readonly emergency: readonly string[];
  /** Codes by name of the feature; `''` = switched off. */
  readonly features: Readonly<Record<string, string>>;
}

export const NUMBER_TYPES = ['SIP', 'EXTERNAL', 'QUEUE', 'IVR', 'FEATURE'] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

/** Who or what is reached by a number. */
export interface Holder {
  readonly number: string;
  readonly type: NumberType;
  readonly name: string;
  readonly recordId: string;
  /** Why nobody else can have it. */
  readonly reason: 'taken' | 'emergency' | 'feature';
}

export const representHolder = ({ name, number }: Pick<Holder, 'name' | 'number'>): string =>
  name === '' ? number : `${name} <${number}>`;

export const holderOfRecord = ({ kind, id, number, name }: NumberedRecord): Holder => ({
  number,
  type: kind === 'call-queues' ? 'QUEUE' : 'IVR',
  name,
  recordId: id,
  reason: 'taken',
});

interface NumberedRecord {
  readonly kind: string;
  readonly id: string;
  readonly number: string;
  readonly name: string;
}

/** Holders among employees, queues, menus, feature codes and emergency numbers: one per number (contract 20.1). */
export async function findHolders(
  trx: Kysely<Database>,
  numbers: readonly string[],
  reserved: ReservedNumbers,
): Promise<ReadonlyMap<string, Holder>> {
  const found = new Map<string, Holder>();
  if (numbers.length === 0) return found;
  for (const holder of reservedHolders(reserved))
    if (numbers.includes(holder.number)) found.set(holder.number, holder);
  const records = await trx
    .selectFrom('call_flow_records')
    .select(['kind', 'id', 'number', 'name'])
    .where('number', 'in', numbers)
    .execute();
  for (const { kind, id, number, name } of records) {
    if (number !== null) found.set(number, holderOfRecord({ kind, id, number, name }));
  }
  const employees = await trx
    .selectFrom('employees')
    .select(['id', 'number', 'user_username'])
    .where('number', 'in', numbers)
    .execute();
  for (const { id, number, user_username: name } of employees)
    found.set(number, { number, type: 'SIP', name, recordId: String(id), reason: 'taken' });
  return found;
}

/** All numbers that cannot be given to anybody else, mobiles without their plus. */
export async function allNumbers(
  trx: Kysely<Database>,
  reserved: ReservedNumbers,
): Promise<ReadonlySet<string>> {
  const people = await trx.selectFrom('employees').select(['number', 'mobile_number']).execute();
  const records = await trx
    .selectFrom('call_flow_records')
    .select('number')
    .where('number', 'is not', null)
    .execute();
  return new Set([
    ...people.flatMap(({ number, mobile_number: mobile }) => [number, bare(mobile)]),
    ...records.map(({ number }) => number ?? ''),
    ...reservedHolders(reserved).map(({ number }) => number),
  ]);
}

/** Which of these are numbers of employees, queues or menus. */
export async function findInside(
  trx: Kysely<Database>,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const people = await trx.selectFrom('employees').select('number').where('number', 'in', numbers).execute();
  const records = await trx
    .selectFrom('call_flow_records')
    .select('number')
    .where('number', 'in', numbers)
    .execute();
  return new Set([...people, ...records].map(({ number }) => number ?? ''));
}

/** Employees whose mobile is one of these, without its plus: the lowest id of each first. */
export async function findMobiles(
  trx: Kysely<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly Holder[]>> {
  const found = new Map<string, Holder[]>();
  const spelled = numbers.flatMap(spellings);
  if (spelled.length === 0) return found;
  const rows = await trx
    .selectFrom('employees')
    .select(['id', 'mobile_number', 'user_username'])
    .where('mobile_number', 'in', spelled)
    .orderBy('id')
    .execute();
  for (const { id, mobile_number: number, user_username: name } of rows) {
    const holder: Holder = { number, type: 'EXTERNAL', name, recordId: String(id), reason: 'taken' };
    found.set(bare(number), [...(found.get(bare(number)) ?? []), holder]);
  }
  return found;
}

export function reservedHolders({ emergency, features }: ReservedNumbers): Holder[] {
  const holder = (number: string, name: string, reason: Holder['reason']): Holder[] =>
    number === '' ? [] : [{ number, type: 'FEATURE', name, recordId: '', reason }];
  return [
    ...emergency.flatMap((number) => holder(number, 'Emergency number', 'emergency')),
    ...Object.entries(features).flatMap(([name, code]) =>
      holder(code, FEATURE_NAMES[name] ?? name, 'feature'),
    ),
  ];
}

const FEATURE_NAMES: Readonly<Record<string, string>> = {
  night: 'Day and night switch',
  'queue-login': 'Log in to queues',
  'queue-pause': 'Pause in queues',
};
