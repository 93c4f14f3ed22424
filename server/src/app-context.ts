import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';

/** What everything is built with. */
export interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  /** For how long something lasts, whatever the other one is set to (ADR 28). */
  readonly steady: Clock;
  readonly log: Logger;
  /** What is opened is deferred here by the line under it; closing runs in reverse. */
  readonly opened: AsyncDisposableStack;
  /** A listener for errors that nobody waits for. */
  errorLogger(what: string): (error: unknown) => void;
}
