import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HELD_BY_SERVICE } from '../../doctor/expiring-keys.check.ts';
import { type Finding, ok, type Patient, problem } from '../../doctor/finding.ts';
import { checkRedis } from '../../doctor/redis.check.ts';
import { openTtlJournal } from '../../store/ttl/ttl-journal.ts';

/** The store of bans and cursors. */
export async function checkExpiringKeys(patient: Patient): Promise<Finding[]> {
  const { redisUrl, dataDir } = patient.config;
  if (redisUrl) return checkRedis(patient, redisUrl);
  const file = join(dataDir, 'ttl.sqlite');
  if (!existsSync(file)) return [ok('expiring keys (embedded): the next start creates the file')];
  if (patient.isRunning) return [HELD_BY_SERVICE];
  try {
    const journal = await openTtlJournal({ file });
    await journal.close();
    return [ok('expiring keys (embedded): the file is intact and not in use')];
  } catch (error) {
    const { message } = error as Error;
    const remedy = message.includes('another process')
      ? 'find the process that holds it, for example with `fuser`, and stop it'
      : `move ${file} away and start again: bans and cursors in it are lost, nothing else`;
    return [problem(message, remedy)];
  }
}
