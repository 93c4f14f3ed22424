/** A mobile number is the same with and without its plus (contract 20.2). */
export const bare = (number: string): string => number.replace(/^\+/, '');

/** Both ways to write a mobile number; none of nobody's. */
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

/** Who shares a mobile number with a colleague is not who is reached by it, unless its own id is the lowest. */
export function ownMobiles<T extends MobileOwner & { readonly mobile_dialstring: string }>(
  employees: readonly T[],
): (employee: T) => OwnMobile {
  const owners = mobileOwners(employees);
  return (employee) =>
    owners.get(bare(employee.mobile_number)) === employee
      ? { number: employee.mobile_number, dialString: employee.mobile_dialstring }
      : { number: '', dialString: '' };
}
