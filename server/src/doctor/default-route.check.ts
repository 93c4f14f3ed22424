import type { ExaminedDatabase } from './database.check.ts';
import { type Finding, type Patient, warning } from './finding.ts';

/** The setting created the default route once; it has no effect since (contract 29.7, M2). */
export async function checkDefaultRoute({ db }: ExaminedDatabase, { config }: Patient): Promise<Finding[]> {
  const { inboundExtension } = config.telephony;
  if (inboundExtension === undefined) return [];
  const row = await db
    .selectFrom('call_flow_records')
    .select('fields')
    .where('kind', '=', 'incoming-routes')
    .where('id', '=', '1')
    .executeTakeFirst();
  if (!row) return [];
  const extension = String((JSON.parse(row.fields) as { extension?: unknown }).extension ?? '');
  if (extension === inboundExtension) return [];
  return [
    warning(
      `PBXCORE_INBOUND_EXTENSION is ${inboundExtension}, but the default incoming route is in force, which leads ${extension === '' ? 'nowhere' : `to ${extension}`}`,
      'remove the setting, or change the route',
    ),
  ];
}
