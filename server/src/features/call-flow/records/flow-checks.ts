import { soundHasAudio } from '../../../lib/flow-record.ts';
import { isTargetWord, TARGET_WORDS } from '../../../lib/target.ts';
import type { NumberDesk } from '../../telephony/directory/number-desk.ts';
import type { FlowReference } from './flow-resource.ts';
import type { FlowView } from './flow-view.ts';

const TARGET_RULE = `must be a number of 1..20 digits, or one of ${TARGET_WORDS.join(', ')}`;
/** A longer number is likely one outside (contract 21). */
const INTERNAL_DIGITS = 8;

/** What is named and is not there (W7), or may not be a target (W6). */
export async function missingProblems(
  desk: NumberDesk,
  references: readonly FlowReference[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const { field, named, name } of references) {
    if (name === '') continue;
    const problem = await problemOf(desk, named, name);
    if (problem) problems.push(`${field}: ${problem}`);
  }
  return problems;
}

async function problemOf(
  desk: NumberDesk,
  named: FlowReference['named'],
  name: string,
): Promise<string | undefined> {
  switch (named) {
    case 'sound':
      return (await desk.flow.find('sound-files', name)) ? undefined : 'no such sound file';
    case 'route':
      return (await desk.flow.find('incoming-routes', name)) ? undefined : 'no such route';
    case 'provider':
      return (await hasProvider(desk, name)) ? undefined : 'no such provider';
    default: {
      if (isTargetWord(name)) return undefined;
      const reason = (await desk.holders([name])).get(name)?.reason;
      return reason === 'emergency' || reason === 'feature' ? TARGET_RULE : undefined;
    }
  }
}

const hasProvider = async ({ trx }: NumberDesk, id: string): Promise<boolean> =>
  (await trx.selectFrom('sip_providers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Of targets and sounds that are allowed but do not do what they seem to (contract 21, 24.1). */
export function referenceWarnings(view: FlowView, references: readonly FlowReference[]): string[] {
  return references.flatMap(({ field, named, name }) => {
    if (named === 'sound') {
      const sound = view.find('sound-files', name);
      return sound && !soundHasAudio(sound) ? [`${field}: sound file "${sound.name}" has no audio yet`] : [];
    }
    if (named !== 'target') return [];
    if (name === 'voicemail') return [`${field}: there are no mailboxes yet, voicemail ends the call`];
    const isShort = /^\d+$/.test(name) && name.length <= INTERNAL_DIGITS;
    if (!isShort || view.holder(name)) return [];
    return [`${field}: ${name} is nobody's number here, it would be dialled outside`];
  });
}
