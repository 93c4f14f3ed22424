import { EngineAway } from '../../../lib/errors.ts';
import { type AmiConnection, type AmiPlace, createAmi, SILENT } from './ami.ts';

/** With the time that a ping may take, and once more when we stood still ourselves: less than the 15 s of contract 17.14. */
const PING_MS = 3000;
const ANSWER_MS = 7000;

interface PulseParts {
  /** Where the connection that all the work goes over is. */
  readonly place: () => AmiPlace | undefined;
  readonly connection: Pick<AmiConnection, 'drop' | 'isUp'>;
  /** What it hears of calls may have gaps. */
  readonly onLost: () => void;
  readonly onDefect: (error: unknown) => void;
}

/**
 * Checks whether the engine is alive, over a connection of its own: on the other one a ping may wait for half a minute
 * behind the reload of a large configuration, which is no reason to take the engine for dead. What calls make the engine
 * say comes over it, too.
 */
export function createPulse({
  place,
  connection,
  onLost,
  onDefect,
}: PulseParts): Pick<AmiConnection, 'listen' | 'hurry' | 'close'> {
  const silent = (reason: Error) => {
    if (connection.isUp) connection.drop(reason);
  };
  return createAmi({
    place: () => (connection.isUp ? place() : undefined),
    hears: 'calls',
    pingMs: PING_MS,
    timeoutMs: ANSWER_MS,
    onUp: () => {},
    onDown(reason) {
      onLost();
      if (reason.message === SILENT) silent(reason);
    },
    // It took the connection and says nothing; one that refuses is on its way down, and the other connection knows.
    onFailed: (reason) => reason instanceof EngineAway && silent(reason),
    onDefect,
  });
}
