import { shownText } from '../../lib/shown-text.ts';

/** As the service returns it. */
export interface LogLine {
  readonly at: string;
  readonly level: string;
  /** The module that wrote it. */
  readonly author?: string | undefined;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * A module may have logged anything, including lines that look like ours: terminal control characters are removed, and
 * its lines say so before any text of its own. Many spaces would make the rest look like a separate line.
 */
export function lineText({ at: time, level, author, text: written, fields }: LogLine): string {
  const text = author === undefined ? written : shownText(written, 4000).replace(/\s+/gu, ' ').trim();
  const begin = author === undefined ? time : `${time} it wrote:`;
  const more = Object.entries(fields).filter(([, value]) => value !== undefined);
  const details = more.length > 0 ? ` ${JSON.stringify(Object.fromEntries(more))}` : '';
  return shownText(`${begin} ${level.padEnd(5)} ${text}${details}`, 4000);
}

/** Stack frames that are not the author's. */
const FOREIGN_FRAME = /^\s*at .*(?:\bnode:|\/module-host\/worker\/)/;

/** The same for debugging: an error is followed by its stack, one line for each frame of the author's. */
export function linesWithStack(line: LogLine): string[] {
  const { details, ...fields } = line.fields;
  const { error, ...others } = (details ?? {}) as { error?: unknown };
  if (typeof error !== 'string' || !error.includes('\n')) return [lineText(line)];
  const rest = { ...fields, ...(Object.keys(others).length > 0 && { details: others }) };
  const stack = error.split('\n').filter((text) => !FOREIGN_FRAME.test(text));
  return [
    lineText({ ...line, fields: rest }),
    ...stack.slice(0, MAX_STACK_LINES).map((text) => `    ${shownText(text, 1000)}`),
  ];
}

const MAX_STACK_LINES = 12;

/** The lines in `now` that follow those in `seen`: the log is a moving window. */
export function following(seen: readonly LogLine[], now: readonly LogLine[]): LogLine[] {
  const before = seen.map((line) => JSON.stringify(line));
  const texts = now.map((line) => JSON.stringify(line));
  for (let moved = 0; moved < before.length; moved++) {
    const common = before.length - moved;
    if (common > texts.length || before[moved] !== texts[0]) continue;
    if (before.slice(moved).every((text, index) => text === texts[index])) return now.slice(common);
  }
  // Lines of modules are dropped before others: continue after the last one that is still there.
  const last = before.findLast((text) => texts.includes(text));
  return last === undefined ? [...now] : now.slice(texts.lastIndexOf(last) + 1);
}
