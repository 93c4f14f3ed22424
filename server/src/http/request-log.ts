import type { Logger } from 'pino';
import { Overloaded } from '../lib/errors.ts';
import { callerName } from './caller.ts';
import type { Exchange } from './kernel.ts';

/** Logs one line per answer: defects and outages as errors with their cause, refusals as info, the rest as debug. */
export function createRequestLog({ log }: { log: Logger }) {
  return ({ error, caller, matched, durationMs, ...facts }: Exchange): void => {
    const line = {
      ...facts,
      ms: Math.round(durationMs * 10) / 10,
      ...(caller && { caller: callerName(caller) }),
    };
    // Overload is neither a defect nor an outage, and would log thousands of errors.
    if (facts.status >= 500 && !(error instanceof Overloaded))
      log.error({ ...line, err: error }, 'request failed');
    else if (facts.status >= 400)
      log.info({ ...line, reason: error instanceof Error ? error.message : undefined }, 'request refused');
    else log.debug(line, 'request answered');
  };
}
