import { type AmiConnection, type AmiPlace, createAmi, EngineSilent } from './ami.ts';

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
  readonly answerMs?: number;
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
  answerMs = ANSWER_MS,
}: PulseParts): Pick<AmiConnection, 'listen' | 'hurry' | 'close'> {
  // One that refuses a connection, or closes it, may have no room: whoever is on this machine can hold all of its places
  // without a secret. That says nothing of the other connection, which knows by itself when the engine goes.
  const judge = (reason: Error) => {
    if (reason instanceof EngineSilent && connection.isUp) connection.drop(reason);
  };
  return createAmi({
    place: () => (connection.isUp ? place() : undefined),
    hears: 'calls',
    pingMs: PING_MS,
    timeoutMs: answerMs,
    onUp: () => {},
    onDown(reason) {
      onLost();
      judge(reason);
    },
    onFailed: judge,
    onDefect,
  });
}
