export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_SOURCES = ['service', 'engine'] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

/**
 * Marks, beside `module`, those lines of our log whose number a module controls: those that it wrote, and those about
 * each of its failures. Modules cannot name fields of lines; what they log goes into `details`.
 */
export type ModuleShare = 'wrote' | 'caused';

/** One line of a log, whatever its source. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: LogLevel;
  readonly source: LogSource;
  /** Id of the module that wrote it; otherwise it comes from the exchange or the engine. */
  readonly author?: string;
  readonly text: string;
  /** What was logged besides the text. */
  readonly fields: Readonly<Record<string, unknown>>;
}
