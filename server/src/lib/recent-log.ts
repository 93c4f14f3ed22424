import { LOG_LEVELS, type LogLine } from './log-line.ts';

const MAX_LINES = 2000;
const MAX_CHARACTERS = 1024 * 1024;
const MAX_MODULE_LINES = 500;
const MAX_MODULE_CHARACTERS = 256 * 1024;
/** How `ModuleShare` is written. Inside a text, its quotes would be escaped. */
const MODULE_SHARE = /"moduleShare":"(?:wrote|caused)"/;

/**
 * The last lines of our own log, kept in memory as written: standard output cannot be read back. Lines of modules have
 * a limit of their own, so that a module that floods the log displaces no line about it, or of anybody else.
 */
export interface RecentLog {
  /** A line as pino writes it. */
  write(line: string): void;
  /** Oldest first. */
  lines(): LogLine[];
}

interface Written {
  readonly line: string;
  /** Number among all lines. */
  readonly place: number;
}

export function createRecentLog({
  maxLines = MAX_LINES,
  maxCharacters = MAX_CHARACTERS,
  maxModuleLines = MAX_MODULE_LINES,
  maxModuleCharacters = MAX_MODULE_CHARACTERS,
} = {}): RecentLog {
  const ours = createLastLines(maxLines, maxCharacters);
  const ofModules = createLastLines(maxModuleLines, maxModuleCharacters);
  let places = 0;

  return {
    write(line) {
      const share = MODULE_SHARE.test(line) ? ofModules : ours;
      share.add({ line, place: places++ });
    },
    lines: () =>
      [...ours.all(), ...ofModules.all()]
        .sort((a, b) => a.place - b.place)
        .flatMap(({ line }) => readLine(line) ?? []),
  };
}

function createLastLines(maxLines: number, maxCharacters: number) {
  let kept: (Written | undefined)[] = [];
  /** Index of the first line kept; earlier ones are removed many at a time, so that a line costs little. */
  let first = 0;
  let characters = 0;

  return {
    add(written: Written): void {
      kept.push(written);
      characters += written.line.length;
      while (kept.length - first > maxLines || characters > maxCharacters) {
        characters -= kept[first]?.line.length ?? 0;
        kept[first++] = undefined;
      }
      if (first <= maxLines) return;
      kept = kept.slice(first);
      first = 0;
    },
    all: (): Written[] => kept.slice(first) as Written[],
  };
}

function readLine(line: string): LogLine | undefined {
  try {
    // The process is always the one that is asked.
    const { level, time, msg, pid: _, hostname: __, moduleShare, ...fields } = JSON.parse(line);
    // 10 is trace, 60 is fatal.
    const name = LOG_LEVELS[Math.round(Number(level) / 10) - 1] ?? 'info';
    const text = String(msg ?? '');
    const author = moduleShare === 'wrote' && { author: String(fields.module) };
    return { at: Number(time), level: name, source: 'service', ...author, text, fields };
  } catch {
    return undefined;
  }
}
