import { LOG_LEVELS, type LogLevel, type LogLine, type LogSource } from '../../../lib/log-line.ts';

export interface LogTailParts {
  /** What this service logged last. */
  readonly serviceLines: () => readonly LogLine[];
  /** What the telephony engine logged last. */
  readonly engineLines: () => Promise<readonly LogLine[]>;
}

interface LogQuestion {
  readonly lines: number;
  /** This one and what is worse. */
  readonly level: LogLevel;
  readonly contains?: string | undefined;
  readonly source?: LogSource | undefined;
}

/** The last lines of both logs that fit the question, oldest first (contract 35.3). */
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
      // Lines of one moment stay in their order: sorting keeps it.
      .sort((a, b) => a.at - b.at)
      .slice(-lines)
      .map((line) => ({ ...line, at: new Date(line.at).toISOString() }))
  );
}

const holds = ({ text, fields }: LogLine, wanted: string): boolean =>
  text.toLowerCase().includes(wanted) || JSON.stringify(fields).toLowerCase().includes(wanted);
