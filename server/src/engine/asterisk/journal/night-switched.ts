import type { NightSwitched } from '../../events.ts';
import { LEG_EVENTS } from '../dialplan/journal-format.ts';
import type { JournalLine } from './journal-line.ts';

/** A switch of night mode on a phone, whether or not the service was running. */
export function nightSwitched({ type, at, fields, isDamaged }: JournalLine): NightSwitched | undefined {
  if (type !== LEG_EVENTS.night || isDamaged) return undefined;
  const [legId = '', mode = '', revision = ''] = fields;
  if (legId === '' || (mode !== 'closed' && mode !== 'auto')) return undefined;
  // The leg itself is stored separately.
  return { type: 'night-switched', legId: `${legId}-night`, at, mode, revision: Number(revision) || 0 };
}
