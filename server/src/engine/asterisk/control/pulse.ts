import { type AmiConnection, type AmiPlace, createAmi, EngineSilent } from './ami.ts';

/** Plus the time of a ping, and once more if our own process stood still: less than the 15 s of contract 17.14. */
const PING_MS = 3000;
const ANSWER_MS = 7000;

interface PulseParts {
  /** The address of the main connection. */
  readonly place: () => AmiPlace | undefined;
  readonly connection: Pick<AmiConnection, 'drop' | 'isUp'>;
  /** Call events may have been missed. */
  readonly onLost: () => void;
  readonly onDefect: (error: unknown) => void;
  readonly answerMs?: number;
}

/**
 * Checks whether the engine is alive, over a connection of its own: on the main one a ping may wait for half a minute
 * behind the reload of a large configuration, which does not mean that the engine is dead. Call events come over this
 * one, too.
 */
export function createPulse({
  place,
  connection,
  onLost,
  onDefect,
  answerMs = ANSWER_MS,
}: PulseParts): Pick<AmiConnection, 'listen' | 'hurry' | 'close'> {
  // An engine that refuses or closes a connection may have no room: any local program can use up its connections
  // without a secret. That says nothing about the main one, which notices by itself when the engine goes.
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
