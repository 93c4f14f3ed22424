import { LOG_LEVELS, type LogLevel, type LogLine } from '../../../lib/log-line.ts';

export interface ModuleLogParts {
  /** The latest log lines of this service. */
  readonly lines: () => readonly LogLine[];
}

/** Log lines of a module and of decisions about it; oldest first. */
export function moduleLog(
  { lines }: ModuleLogParts,
  id: string,
  question: { readonly lines: number; readonly level: LogLevel },
) {
  const least = LOG_LEVELS.indexOf(question.level);
  return lines()
    .filter(({ level, fields }) => fields.module === id && LOG_LEVELS.indexOf(level) >= least)
    .slice(-question.lines)
    .map(({ at, level, source, author, text, fields: { module: _, ...fields } }) => ({
      at: new Date(at).toISOString(),
      level,
      source,
      ...(author !== undefined && { author }),
      text,
      fields,
    }));
}
