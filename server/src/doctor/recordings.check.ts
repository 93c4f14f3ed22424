import { findOrphanRecordings } from '../features/telephony/cdr/orphan-recordings.ts';
import type { ExaminedDatabase } from './database.check.ts';
import { type Finding, ok, type Patient, warning } from './finding.ts';

const DAYS = 30;
const SHOWN = 3;

export async function checkRecordings({ db }: ExaminedDatabase, patient: Patient): Promise<Finding[]> {
  const { config, clock } = patient;
  const { recordingsDir } = config;
  const orphans = await findOrphanRecordings({ db, recordingsDir, now: clock.now(), days: DAYS });
  if (orphans.length === 0) return [ok(`recordings of the last ${DAYS} days all belong to call records`)];
  const shown = orphans.slice(0, SHOWN).join(', ');
  return [
    warning(
      `${orphans.length} recordings of the last ${DAYS} days belong to no call record: ${shown}${orphans.length > SHOWN ? ', …' : ''}`,
      `look at them in ${recordingsDir}; nobody else can play them, so keep or remove them by hand`,
    ),
  ];
}
