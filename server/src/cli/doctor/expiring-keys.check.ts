import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openTtlJournal } from '../../store/ttl/ttl-journal.ts';
import { type Finding, ok, type Patient, problem } from './finding.ts';
import { checkRedis } from './redis.check.ts';

/** The store of bans and cursors. */
export async function checkExpiringKeys(patient: Patient): Promise<Finding[]> {
  const { redisUrl, dataDir } = patient.config;
  if (redisUrl) return checkRedis(patient, redisUrl);
  const file = join(dataDir, 'ttl.sqlite');
  if (!existsSync(file)) return [ok('expiring keys (embedded): the file is made at the next start')];
  if (patient.running) return [ok('expiring keys (embedded): the file is held by the running service')];
  try {
    const journal = await openTtlJournal({ file });
    await journal.close();
    return [ok('expiring keys (embedded): the file is sound and nobody holds it')];
  } catch (error) {
    const { message } = error as Error;
    const remedy = message.includes('another process')
      ? 'find the process that holds it, for example with `fuser`, and stop it'
      : `move ${file} away and start again: bans and cursors in it are lost, nothing else`;
    return [problem(message, remedy)];
  }
}
