import { isMemberState } from '../../../lib/member-state.ts';
import type { MemberSwitched } from '../../events.ts';
import { LEG_EVENTS } from '../dialplan/journal-format.ts';
import type { JournalLine } from './journal-line.ts';

/** A member switched on its phone whether it takes queue calls (contract 27.19). */
export function memberSwitched({ type, at, fields, isDamaged }: JournalLine): MemberSwitched | undefined {
  if (type !== LEG_EVENTS.switched || isDamaged) return undefined;
  const [legId = '', number = '', state = '', queue = ''] = fields;
  if (number === '' || !isMemberState(state)) return undefined;
  // The call itself is kept under the leg's own id.
  return { type: 'member-switched', legId: `${legId}-switch`, number, state, queue, at };
}
