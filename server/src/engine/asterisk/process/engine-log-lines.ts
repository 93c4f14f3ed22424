import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogLevel, LogLine } from '../../../lib/log-line.ts';
import { shownText } from '../../../lib/shown-text.ts';
import { lastLines } from './log-files.ts';

/** About a megabyte of the file. */
const READ = 3500;
const PRINTED = 20;
const MAX_TEXT = 2000;

/** `[2026-05-04 10:11:12.345 +0200] NOTICE[123][C-00000001] chan.c: text`, as our `logger.conf` formats it. */
const LINE =
  /^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?: ([+-]\d\d):?(\d\d))?\] (\w+)\[\d+\](?:\[C-\w+\])?:? (.*)$/;

const LEVELS: Readonly<Record<string, LogLevel>> = {
  DEBUG: 'debug',
  VERBOSE: 'debug',
  NOTICE: 'info',
  WARNING: 'warn',
  ERROR: 'error',
};

/** The last lines that the engine logged, oldest first; without a log, as when it cannot start, what it printed. */
export async function engineLogLines(logDir: string): Promise<LogLine[]> {
  const logged = await read(join(logDir, 'messages.log'), READ);
  return logged.length > 0 ? logged : read(join(logDir, 'output.log'), PRINTED);
}

async function read(file: string, count: number): Promise<LogLine[]> {
  const lines = await lastLines(file, count);
  // A line without a time belongs to the one before it; the first may have none before it.
  let at = lines.length > 0 ? (await stat(file)).mtimeMs : 0;
  let level: LogLevel = 'info';
  return lines.map((line) => {
    const [, date, time, hours, minutes, word = '', text = line] = LINE.exec(line) ?? [];
    if (date !== undefined) {
      at = Date.parse(`${date}T${time}${hours ? `${hours}:${minutes}` : ''}`) || at;
      level = LEVELS[word] ?? 'info';
    }
    return { at, level, source: 'engine', text: shownText(text, MAX_TEXT), fields: {} };
  });
}
