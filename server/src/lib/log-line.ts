export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_SOURCES = ['service', 'engine'] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

/** One line of a log, whoever wrote it. */
export interface LogLine {
  /** Milliseconds of the epoch. */
  readonly at: number;
  readonly level: LogLevel;
  readonly source: LogSource;
  readonly text: string;
  /** What was logged besides the text. */
  readonly fields: Readonly<Record<string, unknown>>;
}
