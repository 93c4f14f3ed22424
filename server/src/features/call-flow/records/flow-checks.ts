import { soundHasAudio } from '../../../lib/flow-record.ts';
import { isNobodys, isTargetWord, TARGET_RULE, targetWarning } from '../../../lib/target.ts';
import type { NumberDesk } from '../../telephony/directory/number-desk.ts';
import type { FlowReference } from './flow-resource.ts';
import type { FlowView } from './flow-view.ts';

/** References that do not exist (W7) or may not be targets (W6). Reads each table once, however many there are. */
export async function missingProblems(
  desk: NumberDesk,
  references: readonly FlowReference[],
): Promise<string[]> {
  const named = (things: readonly FlowReference['named'][]): string[] =>
    references.flatMap(({ named, name }) => (things.includes(named) && name !== '' ? name : []));
  const sounds = await desk.flow.existing('sound-files', named(['sound']));
  const routes = await desk.flow.existing('incoming-routes', named(['route']));
  const providers = await existingProviders(desk, named(['provider']));
  const numbers = named(['target', 'number']).filter((name) => !isTargetWord(name));
  const holders = await desk.holders([...new Set(numbers)]);

  function problemOf({ named, name }: FlowReference): string | undefined {
    switch (named) {
      case 'sound':
        return sounds.has(name) ? undefined : 'no such sound file';
      case 'route':
        return routes.has(name) ? undefined : 'no such route';
      case 'provider':
        return providers.has(name) ? undefined : 'no such provider';
      default: {
        const reason = holders.get(name)?.reason;
        return reason === 'emergency' || reason === 'feature' ? TARGET_RULE : undefined;
      }
    }
  }

  return references.flatMap((reference) => {
    const problem = reference.name === '' ? undefined : problemOf(reference);
    return problem === undefined ? [] : [`${reference.field}: ${problem}`];
  });
}

async function existingProviders({ trx }: NumberDesk, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx.selectFrom('sip_providers').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Warnings for targets and sounds that are allowed but do not do what they seem to (contract 21, 24.1). */
export function referenceWarnings(
  view: FlowView,
  references: readonly FlowReference[],
  inside: readonly string[],
): string[] {
  const isSomebodys = (number: string) => view.holder(number) !== undefined;
  return references.flatMap((reference) => {
    const { field, name } = reference;
    if (reference.named === 'sound') {
      const sound = view.find('sound-files', name);
      return sound && !soundHasAudio(sound) ? [`${field}: sound file "${sound.name}" has no audio yet`] : [];
    }
    if (reference.named !== 'target') return [];
    const { whenNobodys, whenGone } = reference;
    if (whenGone !== undefined && inside.includes(name) && !isSomebodys(name))
      return [`${field}: ${name} is nobody's number here any more, ${whenGone}`];
    if (whenNobodys !== undefined && isNobodys(name, isSomebodys))
      return [`${field}: ${name} is nobody's number here, ${whenNobodys}`];
    const warning = targetWarning(name, isSomebodys);
    return warning === undefined ? [] : [`${field}: ${warning}`];
  });
}
