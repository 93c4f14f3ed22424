export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_SOURCES = ['service', 'engine'] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

/**
 * Marks, beside `module`, the lines of our log of which a module decides how many there are: those that it wrote, and
 * those about each of its failures. Modules name no fields of lines, what they log lies in `details`.
 */
export type ModuleShare = 'wrote' | 'caused';

/** One line of a log, whoever wrote it. */
export interface LogLine {
  /** Milliseconds of the epoch. */
  readonly at: number;
  readonly level: LogLevel;
  readonly source: LogSource;
  /** Id of the module that wrote it; without one it is ours, or the engine's. */
  readonly author?: string;
  readonly text: string;
  /** What was logged besides the text. */
  readonly fields: Readonly<Record<string, unknown>>;
}
