/** A mobile number is the same with and without its plus (contract 20.2). */
export const bare = (number: string): string => number.replace(/^\+/, '');

/** Both ways to write a mobile number; none of nobody's. */
export const spellings = (mobile: string): string[] =>
  mobile === '' ? [] : [bare(mobile), `+${bare(mobile)}`];

interface MobileOwner {
  readonly id: number;
  readonly mobile_number: string;
}

/** Who has which mobile number, by its spelling without plus: of those who share one, the lowest id (contract 20.10). */
export function mobileOwners<T extends MobileOwner>(employees: readonly T[]): ReadonlyMap<string, T> {
  const owners = new Map<string, T>();
  for (const employee of employees) {
    if (employee.mobile_number === '') continue;
    const number = bare(employee.mobile_number);
    const other = owners.get(number);
    if (!other || employee.id < other.id) owners.set(number, employee);
  }
  return owners;
}
