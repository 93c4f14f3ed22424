import type { Caller } from '../../../http/caller.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import { createCallerChecks } from './caller-checks.ts';
import { createEventStreams } from './event-streams.ts';
import { eventRoutes } from './events.routes.ts';
import { createRecordEvents } from './record-events.ts';

interface EventFeatureParts {
  readonly log: EventLog;
  readonly unchanged: (callers: readonly Caller[]) => Promise<ReadonlySet<Caller>>;
  readonly onError: (error: unknown) => void;
}

/** Event streams for clients that follow the exchange (contract 30). */
export function createEventFeature({ log, unchanged, onError }: EventFeatureParts) {
  const streams = createEventStreams({ log });
  const records = createRecordEvents({ log });
  const checks = createCallerChecks({ streams, isUp: () => log.isUp, unchanged, onError });
  return {
    routes: eventRoutes({ streams }),
    count: streams.count,
    recordWritten: records.written,
    /** Ends all streams at once. Call it before closing the ports, which waits for open streams. */
    endStreams: streams.close,
    close(): Promise<void> {
      streams.close();
      return checks.close();
    },
  };
}
