import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { findOrphanRecordings } from './orphan-recordings.ts';

const EVERY_MS = 86_400_000;
const DAYS = 2;
const SHOWN = 10;

interface Watching {
  readonly db: Kysely<Database>;
  readonly recordingsDir: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly onError: (error: unknown) => void;
}

/** Logs recordings that belong to no call record, at startup and every day: somebody talked, and no record shows it. */
export function followOrphanRecordings({ db, recordingsDir, clock, log, onError }: Watching) {
  let looking: Promise<void> = Promise.resolve();
  async function look(): Promise<void> {
    const orphans = await findOrphanRecordings({ db, recordingsDir, now: clock.now(), days: DAYS });
    if (orphans.length === 0) return;
    const shown = orphans.slice(-SHOWN).join(', ');
    log.warn(
      `${orphans.length} recordings of the last ${DAYS} days belong to no call record, such as ${shown}`,
    );
  }
  const begin = () => {
    looking = look().catch(onError);
  };
  begin();
  const timer = setInterval(begin, EVERY_MS).unref();
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  };
}
