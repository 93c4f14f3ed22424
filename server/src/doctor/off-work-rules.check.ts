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

/** A rule of the opening hours whose target or sound is gone is passed over (contract 26.11). */
export async function checkOffWorkRules({ db }: ExaminedDatabase): Promise<Finding[]> {
  const rows = await db
    .selectFrom('call_flow_records')
    .select(['kind', 'id', 'fields'])
    .where('kind', 'in', ['off-work-times', 'sound-files'])
    .execute();
  const records = rows.map(({ kind, id, fields }) => ({ kind, id, fields: JSON.parse(fields) as Fields }));
  const audible = new Set(
    records.flatMap(({ kind, id, fields }) =>
      kind === 'sound-files' && Number(fields.revision) > 0 ? id : [],
    ),
  );
  return records.flatMap(({ kind, id, fields: { description, disabled, ...rule } }) => {
    if (kind !== 'off-work-times' || disabled) return [];
    const isUsable =
      rule.action === 'playmessage' ? audible.has(rule.audio_message_id ?? '') : rule.extension;
    if (isUsable) return [];
    const lost = rule.action === 'playmessage' ? 'its sound file has no audio' : 'it has no target';
    return [
      warning(
        `the off-work rule "${description}" (${id}) is passed over: ${lost}`,
        'change the rule, or disable it',
      ),
    ];
  });
}
