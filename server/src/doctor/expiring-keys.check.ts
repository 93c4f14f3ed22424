import { type Finding, ok, type Patient } from './finding.ts';
import { checkRedis } from './redis.check.ts';

export const HELD_BY_SERVICE = ok('expiring keys (embedded): the file is held by the running service');

/** The store of bans and cursors, as the running service sees it. */
export async function checkOpenExpiringKeys(patient: Patient): Promise<Finding[]> {
  const { redisUrl } = patient.config;
  return redisUrl ? checkRedis(patient, redisUrl) : [HELD_BY_SERVICE];
}
