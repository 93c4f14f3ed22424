import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';

/** What every area is built with. */
export interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  /** For measuring durations, whatever `clock` is set to (ADR 28). */
  readonly steady: Clock;
  readonly log: Logger;
  /** The line after one that opens something defers its closing here; closing runs in reverse. */
  readonly opened: AsyncDisposableStack;
  /** A handler for errors of work that is not awaited. */
  errorLogger(what: string): (error: unknown) => void;
}
