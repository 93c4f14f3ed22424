import { bare } from '../../../lib/mobile-number.ts';
import { byteOrder } from '../../../lib/network.ts';
import { type Holder, representHolder } from '../directory/holders.ts';

interface Employee {
  readonly id: number;
  readonly number: string;
  readonly user_username: string;
  readonly mobile_number: string;
}

/** A number that can be dialled or chosen. Feature codes are listed, emergency numbers are not. */
export type Extension = Omit<Holder, 'reason'>;

/**
 * By number, each number once: employees, queues and menus before mobiles; of a mobile that two employees share, the
 * lower id is shown.
 */
export function extensionsOf(employees: readonly Employee[], others: readonly Holder[]): Extension[] {
  const byNumber = new Map<string, Extension>();
  const add = (extension: Extension) => {
    if (extension.number !== '' && !byNumber.has(extension.number)) byNumber.set(extension.number, extension);
  };
  const byId = [...employees].sort((a, b) => a.id - b.id);
  for (const { id, number, user_username: name } of byId)
    add({ number, type: 'SIP', name, recordId: String(id) });
  for (const { reason, ...other } of others) if (reason !== 'emergency') add(other);
  for (const { id, mobile_number: number, user_username: name } of byId)
    add({ number, type: 'EXTERNAL', name, recordId: String(id) });
  return [...byNumber.values()].sort(byLengthAndDigits);
}

const byLengthAndDigits = (a: Extension, b: Extension): number =>
  a.number.length - b.number.length || byteOrder(a.number, b.number);

export const holderOf = (extensions: readonly Extension[], number: string): Extension | undefined =>
  extensions.find((extension) => bare(extension.number) === bare(number));

export const represent = (extension: Extension): string => representHolder(extension);

/** Long numbers are written in many ways: only their last digits are compared (contract 20.10). */
const COMPARED_FROM = 10;
const COMPARED_DIGITS = 9;

/**
 * Represents the holder of a number that came over a line, or the number itself if nobody has it. Of several holders,
 * the lowest employee id counts.
 */
export function createRepresenter(extensions: readonly Extension[]): (number: string) => string {
  const exact = new Map<string, Extension>();
  const long = new Map<string, Extension>();
  const add = (known: Map<string, Extension>, key: string, extension: Extension) => {
    const other = known.get(key);
    if (!other || Number(extension.recordId) < Number(other.recordId)) known.set(key, extension);
  };
  for (const extension of extensions) {
    const digits = bare(extension.number);
    add(exact, digits, extension);
    if (digits.length >= COMPARED_FROM) add(long, digits.slice(-COMPARED_DIGITS), extension);
  }
  return (number) => {
    const digits = bare(number);
    const found =
      digits.length >= COMPARED_FROM ? long.get(digits.slice(-COMPARED_DIGITS)) : exact.get(digits);
    return found ? represent({ ...found, number }) : number;
  };
}

const SORTED_BY: ReadonlyMap<string, (extension: Extension) => string> = new Map([
  ['type', ({ type }) => type],
  ['callerid', ({ name }) => name.toLowerCase()],
]);

/** In the order that a client asks for; the list comes by length and digits. */
export function sortExtensions(
  extensions: readonly Extension[],
  order: string,
  isDown: boolean,
): Extension[] {
  const key = SORTED_BY.get(order);
  const sorted = key ? [...extensions].sort((a, b) => byteOrder(key(a), key(b))) : [...extensions];
  return isDown ? sorted.reverse() : sorted;
}
