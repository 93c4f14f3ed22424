import type { Logger } from 'pino';
import { Overloaded } from '../lib/errors.ts';
import { callerName } from './caller.ts';
import type { Exchange } from './kernel.ts';

/** One line per answer. Defects and outages come with their cause, refusals as information, the rest only when asked for. */
export function createRequestLog({ log }: { log: Logger }) {
  return ({ error, caller, matched, durationMs, ...facts }: Exchange): void => {
    const line = {
      ...facts,
      ms: Math.round(durationMs * 10) / 10,
      ...(caller && { caller: callerName(caller) }),
    };
    // A crowd is neither a defect nor an outage, and comes by the thousand.
    if (facts.status >= 500 && !(error instanceof Overloaded))
      log.error({ ...line, err: error }, 'request failed');
    else if (facts.status >= 400)
      log.info({ ...line, reason: error instanceof Error ? error.message : undefined }, 'request refused');
    else log.debug(line, 'request answered');
  };
}
