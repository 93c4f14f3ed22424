import { bare, spellings } from '../../../lib/mobile-number.ts';
import { findInside } from '../directory/holders.ts';
import type { Leaving, NumberDesk } from '../directory/number-desk.ts';
import type { Employee } from './employee.ts';
import type { EmployeeFields } from './employee-fields.ts';

/** An employee as it was stored, and as it is to be. */
export interface EmployeeChanged {
  readonly before: Employee;
  readonly after: EmployeeFields;
}

const isMoved = ({ before, after }: EmployeeChanged): boolean =>
  before.mobile_number !== '' && bare(before.mobile_number) !== bare(after.mobile_number);

/** References to employees by number or mobile, when these change (contract 20.7, 20.9). */
export function createEmployeeReferences(desk: NumberDesk) {
  const { trx } = desk;

  /**
   * The spellings of the mobile number, if it reaches nobody else: no colleague shares it, and it is nobody's own
   * number, as it may be for employees stored earlier (contract M4).
   */
  async function ownMobile(
    { id, mobile_number: mobile }: Employee,
    known?: ReadonlySet<string>,
  ): Promise<string[]> {
    if (mobile === '') return [];
    const other = await trx
      .selectFrom('employees')
      .select('id')
      .where('mobile_number', 'in', spellings(mobile))
      .where('id', '!=', id)
      .executeTakeFirst();
    if (other) return [];
    const inside = known ?? (await findInside(trx, spellings(mobile)));
    return spellings(mobile).filter((spelling) => !inside.has(spelling));
  }

  const forwardWarnings = async (mobile: string, spelled: readonly string[]): Promise<string[]> =>
    spelled.length === 0 ? [] : desk.forwardWarnings(mobile, spelled);

  async function takenAway(mobile: string, own: readonly string[]): Promise<string[]> {
    // It may be the new number of this employee, or of another one.
    const inside = await findInside(trx, own);
    const outside = own.filter((spelling) => !inside.has(spelling));
    const users = outside.length === 0 ? [] : await desk.users('number', ...outside);
    return [
      ...(users.length > 0
        ? [`mobile_number: ${mobile} ${desk.usedBy(users)}, and is an outside number for them from now on`]
        : []),
      ...(await forwardWarnings(mobile, outside)),
    ];
  }

  async function follow(change: EmployeeChanged, inside: ReadonlySet<string>): Promise<Leaving> {
    const { before, after } = change;
    const [from, to] = [before.mobile_number, after.mobile_number];
    const own = isMoved(change) ? await ownMobile(before, inside) : [];
    const [spelling = ''] = own.includes(from) ? [from] : own;
    // The mobile first: it may be the new number, and references to the old number must not move on to the new mobile.
    const ofMobile = to === '' ? [] : await desk.follow(spelling, to, own);
    const ofNumber = await desk.follow(before.number, after.number);
    return {
      infos: [...ofNumber, ...ofMobile],
      warnings: to === '' ? await takenAway(from, own) : [],
    };
  }

  return {
    ownMobile,
    forwardWarnings,

    /**
     * Called before the write, which hides whose number is whose; resolves to a function to call for each change after
     * it.
     */
    async lookAt(
      changes: readonly EmployeeChanged[],
    ): Promise<(change: EmployeeChanged) => Promise<Leaving>> {
      const mobiles = changes.filter(isMoved).map(({ before }) => bare(before.mobile_number));
      const inside = await findInside(trx, mobiles);
      return (change) => follow(change, inside);
    },
  };
}
