import { LOG_LEVELS, type LogLevel, type LogLine, type LogSource } from '../../../lib/log-line.ts';

export interface LogTailParts {
  /** The latest lines of this service. */
  readonly serviceLines: () => readonly LogLine[];
  /** The latest lines of the telephony engine. */
  readonly engineLines: () => Promise<readonly LogLine[]>;
}

interface LogQuestion {
  readonly lines: number;
  /** The least level to show. */
  readonly level: LogLevel;
  readonly contains?: string | undefined;
  readonly source?: LogSource | undefined;
}

/** The last lines of both logs that match the question, oldest first (contract 35.3). */
export async function logTail(parts: LogTailParts, question: LogQuestion) {
  const { lines, level, contains, source } = question;
  const asked = await Promise.all([
    source === 'engine' ? [] : parts.serviceLines(),
    source === 'service' ? [] : parts.engineLines(),
  ]);
  const least = LOG_LEVELS.indexOf(level);
  const wanted = contains?.toLowerCase();
  return (
    asked
      .flat()
      .filter((line) => LOG_LEVELS.indexOf(line.level) >= least && (!wanted || holds(line, wanted)))
      // The sort is stable, so lines of the same moment keep their order.
      .sort((a, b) => a.at - b.at)
      .slice(-lines)
      .map((line) => ({ ...line, at: new Date(line.at).toISOString() }))
  );
}

const holds = ({ text, fields }: LogLine, wanted: string): boolean =>
  text.toLowerCase().includes(wanted) || JSON.stringify(fields).toLowerCase().includes(wanted);
