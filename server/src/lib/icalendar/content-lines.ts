/** One line of a calendar file: `DTSTART;TZID=Europe/Berlin:20260504T090000`. */
export interface ContentLine {
  /** Upper case. */
  readonly name: string;
  /** Names in upper case, values without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

/** No value that we read is longer; the rest is cut off. */
const MAX_LINE = 20_000;

/** After this many lines, other work may run. */
const LINES_PER_STEP = 500;

/**
 * Unfolded lines; invalid ones are left out. Yields `undefined` now and then, whatever the text, so that other work can
 * run.
 */
export function* readContentLines(text: string): Generator<ContentLine | undefined> {
  let parts: string[] = [];
  let count = 0;
  for (const line of splitLines(text)) {
    if (++count % LINES_PER_STEP === 0) yield undefined;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (parts.length * 75 < MAX_LINE) parts.push(line.slice(1, MAX_LINE));
      continue;
    }
    yield* readLine(parts.join(''));
    parts = [line.slice(0, MAX_LINE)];
  }
  yield* readLine(parts.join(''));
}

/** Line ends are CRLF; in files that people have edited, others occur. */
function* splitLines(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const line = end < 0 ? text.slice(from) : text.slice(from, end);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    if (end < 0) return;
    from = end + 1;
  }
}

/** The name and its parameters end at the first colon outside of quotes. */
function* readLine(line: string): Generator<ContentLine> {
  const fields: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted || (sign !== ';' && sign !== ':')) continue;
    fields.push(line.slice(from, at));
    from = at + 1;
    if (sign === ':') break;
  }
  const [name = '', ...parameters] = fields;
  if (name === '' || line[from - 1] !== ':') return;
  yield {
    name: name.toUpperCase(),
    parameters: new Map(parameters.map(readParameter)),
    value: line.slice(from),
  };
}

function readParameter(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.toUpperCase(), ''];
  return [text.slice(0, equals).toUpperCase(), text.slice(equals + 1).replaceAll('"', '')];
}

/** Unescapes `\n`, `\,`, `\;` and `\\` in a text, as one line. */
export const readText = (value: string, maxLength = 200): string =>
  value
    .slice(0, 2 * maxLength)
    .replace(/\\(.)/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? ' ' : sign))
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
