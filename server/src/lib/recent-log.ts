import { LOG_LEVELS, type LogLine } from './log-line.ts';

const MAX_LINES = 2000;
const MAX_CHARACTERS = 1024 * 1024;

/** The last lines of our own log, kept in memory as they were written: standard output cannot be read back. */
export interface RecentLog {
  /** A line as pino writes it. */
  write(line: string): void;
  /** Oldest first. */
  lines(): LogLine[];
}

export function createRecentLog({ maxLines = MAX_LINES, maxCharacters = MAX_CHARACTERS } = {}): RecentLog {
  let kept: string[] = [];
  /** Those before it are dropped; they go when there are many, so that a line costs little. */
  let first = 0;
  let characters = 0;

  return {
    write(line) {
      kept.push(line);
      characters += line.length;
      while (kept.length - first > maxLines || characters > maxCharacters) {
        characters -= kept[first]?.length ?? 0;
        kept[first++] = '';
      }
      if (first <= maxLines) return;
      kept = kept.slice(first);
      first = 0;
    },
    lines: () => kept.slice(first).flatMap((line) => readLine(line) ?? []),
  };
}

function readLine(line: string): LogLine | undefined {
  try {
    // The process is the one that is asked.
    const { level, time, msg, pid: _, hostname: __, ...fields } = JSON.parse(line);
    // 10 is trace, 60 is fatal.
    const name = LOG_LEVELS[Math.round(Number(level) / 10) - 1] ?? 'info';
    return { at: Number(time), level: name, source: 'service', text: String(msg ?? ''), fields };
  } catch {
    return undefined;
  }
}
