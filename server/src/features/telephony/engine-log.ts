import type { Logger } from 'pino';
import { type EngineStatus, progressText } from '../../engine/asterisk/process/engine-status.ts';
import type { Clock } from '../../lib/clock.ts';

const PROGRESS_MS = 5000;

/** Logs one line per change of state, and one now and then while something is being fetched. */
export function createEngineLog({ log, clock }: { log: Logger; clock: Clock }) {
  let before: EngineStatus | undefined;
  let toldAt = 0;
  return (now: EngineStatus): void => {
    const isSame = now.state === before?.state && now.fetch?.step === before?.fetch?.step;
    const isNewError = now.lastError !== undefined && now.lastError !== before?.lastError;
    const isLate = now.state === 'fetching' && clock.now() - toldAt >= PROGRESS_MS;
    before = now;
    if (isSame && !isNewError && !isLate) return;
    toldAt = clock.now();
    const { installation, pid, fetch, lastError } = now;
    switch (now.state) {
      case 'fetching':
        log.info({ fetch }, `telephony engine: fetching Asterisk, ${fetch ? progressText(fetch) : ''}`);
        return;
      case 'starting':
        log.info({ ...installation, enginePid: pid }, 'telephony engine: starting');
        return;
      case 'up':
        if (isNewError) log.error(`telephony engine: ${lastError}`);
        if (!isSame) log.info({ ...installation, enginePid: pid }, 'telephony engine: up');
        return;
      case 'away':
        log.error({ enginePid: pid }, `telephony engine: away: ${lastError}`);
        return;
      case 'none':
        log.warn(`no telephony engine: ${lastError}. Phones cannot register; everything else works`);
        return;
      default:
        log.info(`telephony engine: ${now.state}`);
    }
  };
}
