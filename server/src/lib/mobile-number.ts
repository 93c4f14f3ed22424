/** A mobile number is the same with and without its plus (contract 20.2). */
export const bare = (number: string): string => number.replace(/^\+/, '');

/** Both spellings of a mobile number; none for an empty one. */
export const spellings = (mobile: string): string[] =>
  mobile === '' ? [] : [bare(mobile), `+${bare(mobile)}`];

interface MobileOwner {
  readonly id: number;
  readonly mobile_number: string;
}

interface OwnMobile {
  readonly number: string;
  readonly dialString: string;
}

/** The owner of each mobile number (without plus); if shared, the lowest employee id (contract 20.10). */
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

/** Only the employee with the lowest id among those who share a mobile number is reached by it. */
export function ownMobiles<T extends MobileOwner & { readonly mobile_dialstring: string }>(
  employees: readonly T[],
): (employee: T) => OwnMobile {
  const owners = mobileOwners(employees);
  return (employee) =>
    owners.get(bare(employee.mobile_number)) === employee
      ? { number: employee.mobile_number, dialString: employee.mobile_dialstring }
      : { number: '', dialString: '' };
}
