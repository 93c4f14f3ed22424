import { isGone } from '../lib/flow-record.ts';
import type { ExaminedDatabase } from './database.check.ts';
import { type Finding, warning } from './finding.ts';

interface Fields {
  readonly description?: string;
  readonly action?: string;
  readonly extension?: string;
  readonly audio_message_id?: string;
  readonly disabled?: boolean;
  readonly revision?: number;
}

/** A rule of the opening hours whose target or sound is gone is skipped (contract 26.11). */
export async function checkOffWorkRules({ db }: ExaminedDatabase): Promise<Finding[]> {
  const rows = await db
    .selectFrom('call_flow_records')
    .select(['kind', 'id', 'number', 'fields', 'inside'])
    .execute();
  const people = await db.selectFrom('employees').select('number').execute();
  const numbers = new Set([...people, ...rows].map(({ number }) => number));
  const records = rows.map(({ kind, id, fields, inside }) => ({
    kind,
    id,
    fields: JSON.parse(fields) as Fields,
    inside: JSON.parse(inside) as string[],
  }));
  const audible = new Set(
    records.flatMap(({ kind, id, fields }) =>
      kind === 'sound-files' && Number(fields.revision) > 0 ? id : [],
    ),
  );
  function lostBy({ action, extension = '', audio_message_id = '' }: Fields, inside: string[]) {
    if (action === 'playmessage') return audible.has(audio_message_id) ? '' : 'its sound file has no audio';
    if (extension === '') return 'it has no target';
    return isGone({ inside }, extension, (number) => numbers.has(number))
      ? `its target ${extension} is gone`
      : '';
  }
  return records.flatMap(({ kind, id, inside, fields: { description, disabled, ...rule } }) => {
    const lost = kind === 'off-work-times' && !disabled ? lostBy(rule, inside) : '';
    if (lost === '') return [];
    return [
      warning(
        `the off-work rule "${description}" (${id}) is passed over: ${lost}`,
        'change the rule, or disable it',
      ),
    ];
  });
}
