import { bare, type Holder } from '../directory/holders.ts';
import { type NumberDesk, takenText } from '../directory/number-desk.ts';

interface Numbers {
  readonly number: string;
  readonly mobile_number: string;
}

interface Numbered extends Numbers {
  readonly user_username: string;
}

/**
 * What stands in the way of the numbers of some employees: who has them already (contract 20.1, 20.2, 20.4), and the rows before in
 * the same batch. A number that somebody has already is never in the way.
 */
export async function createNumberConflicts(desk: NumberDesk, wanted: readonly Partial<Numbers>[]) {
  const numbers = wanted.flatMap(({ number }) => number ?? []);
  const mobiles = wanted.flatMap(({ mobile_number: mobile }) => (mobile ? bare(mobile) : []));
  const holders = new Map(await desk.holders([...new Set([...numbers, ...mobiles])]));
  const mobileHolders = new Map(await desk.mobiles([...new Set(numbers)]));

  function problems(next: Numbered, stored: (Numbers & { readonly id: number }) | undefined): string[] {
    const found: string[] = [];
    const isOwn = (holder: Holder) => stored !== undefined && holder.recordId === String(stored.id);
    if (next.number !== stored?.number) {
      const holder = holders.get(next.number);
      const mobile = mobileHolders.get(bare(next.number));
      if (holder && !(holder.type === 'SIP' && isOwn(holder))) found.push(takenText('number', holder));
      else if (mobile && !isOwn(mobile)) found.push(takenText('number', mobile));
    }
    if (next.mobile_number !== '' && next.mobile_number !== stored?.mobile_number) {
      const holder = holders.get(bare(next.mobile_number));
      if (holder) found.push(takenText('mobile_number', holder));
    }
    return found;
  }

  return {
    problems,
    /** From now on it is theirs, and what they had before is free. */
    give(next: Numbered, stored: (Numbers & { readonly id: number }) | undefined): void {
      if (stored && holders.get(stored.number)?.recordId === String(stored.id)) holders.delete(stored.number);
      holders.set(next.number, {
        number: next.number,
        type: 'SIP',
        name: next.user_username,
        recordId: stored ? String(stored.id) : '',
        reason: 'taken',
      });
    },
  };
}

export type NumberConflicts = Awaited<ReturnType<typeof createNumberConflicts>>;
