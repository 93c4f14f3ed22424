import { Conflict, type Failure, InvalidFields } from '../../../lib/errors.ts';
import { bare } from '../../../lib/mobile-number.ts';
import { isTargetWord, TARGET_RULE } from '../../../lib/target.ts';
import type { Holder } from '../directory/holders.ts';
import { type NumberDesk, takenText } from '../directory/number-desk.ts';
import { FORWARDS } from './employee.ts';
import type { EmployeeFields } from './employee-fields.ts';

type Numbers = Pick<EmployeeFields, 'number' | 'mobile_number' | (typeof FORWARDS)[number]>;
type Numbered = Numbers & Pick<EmployeeFields, 'user_username'>;
type Stored = Numbers & { readonly id: number };

/**
 * Conflicts of the numbers of some employees: who has them already (contract 20.1, 20.2, 20.4), and earlier rows of the
 * same batch, which get theirs one by one; and forwards to what may be no target (contract 21). What an employee
 * already has never conflicts.
 */
export async function createNumberConflicts(desk: NumberDesk, wanted: readonly Partial<Numbers>[]) {
  const numbers = wanted.flatMap(({ number }) => number ?? []);
  const mobiles = wanted.flatMap(({ mobile_number: mobile }) => (mobile ? bare(mobile) : []));
  const targets = wanted.flatMap((one) => FORWARDS.flatMap((field) => one[field] || []));
  const found = await desk.holders([...new Set([...numbers, ...mobiles, ...targets])]);
  const holders = new Map(found);
  const mobileHolders = new Map(await desk.mobiles([...new Set(numbers)]));
  const withMobile = (number: string): readonly Holder[] => mobileHolders.get(bare(number)) ?? [];

  const mayBeTarget = (target: string): boolean =>
    isTargetWord(target) || (found.get(target)?.reason ?? 'taken') === 'taken';

  const wrongForwards = (next: Numbered, stored: Stored | undefined) =>
    FORWARDS.filter((field) => next[field] !== stored?.[field] && !mayBeTarget(next[field]));

  function takenNumbers(next: Numbered, stored: Stored | undefined): string[] {
    const taken: string[] = [];
    const isOwn = (holder: Holder) => stored !== undefined && holder.recordId === String(stored.id);
    if (next.number !== stored?.number) {
      const holder = holders.get(next.number);
      const mobile = withMobile(next.number).find((one) => !isOwn(one));
      if (holder && !(holder.type === 'SIP' && isOwn(holder))) taken.push(takenText('number', holder));
      else if (mobile) taken.push(takenText('number', mobile));
    }
    const mobile = bare(next.mobile_number);
    const isOwnNumber = mobile === next.number && next.number !== stored?.number;
    if (mobile !== '' && (next.mobile_number !== stored?.mobile_number || isOwnNumber)) {
      const holder = isOwnNumber ? { name: next.user_username, number: mobile } : holders.get(mobile);
      if (holder) taken.push(takenText('mobile_number', holder));
    }
    return taken;
  }

  return {
    /** Contract 1.1: 400 before 409. */
    failure(next: Numbered, stored?: Stored): Failure | undefined {
      const wrong = wrongForwards(next, stored);
      if (wrong.length > 0)
        return new InvalidFields(
          wrong.map((field) => `${field}: ${TARGET_RULE}`),
          wrong,
        );
      const taken = takenNumbers(next, stored);
      return taken.length > 0 ? new Conflict(taken) : undefined;
    },
    /** Gives them number and mobile, and frees those they had before. */
    give(next: Numbered, stored: Stored | undefined): void {
      const recordId = stored ? String(stored.id) : '';
      const held = { name: next.user_username, recordId, reason: 'taken' } as const;
      if (stored) {
        if (holders.get(stored.number)?.recordId === recordId) holders.delete(stored.number);
        const others = withMobile(stored.mobile_number).filter((one) => one.recordId !== recordId);
        mobileHolders.set(bare(stored.mobile_number), others);
      }
      holders.set(next.number, { ...held, number: next.number, type: 'SIP' });
      const mobile = { ...held, number: next.mobile_number, type: 'EXTERNAL' } as const;
      if (mobile.number !== '')
        mobileHolders.set(bare(mobile.number), [...withMobile(mobile.number), mobile]);
    },
  };
}

export type NumberConflicts = Awaited<ReturnType<typeof createNumberConflicts>>;
