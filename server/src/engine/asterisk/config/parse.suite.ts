export interface ParsedSection {
  readonly name: string;
  readonly settings: (readonly [key: string, value: string])[];
}

/**
 * Reads a configuration file as the engine does: comments, escaped semicolons, `=` and `=>`, sections, directives, the
 * 8 kB limit of a line. Used by tests only, to see what the engine would see.
 */
export function parseConfig(text: string): ParsedSection[] {
  const sections: ParsedSection[] = [];
  let isInComment = false;
  for (const line of text.split('\n').flatMap(splitLong)) {
    const { code, opensComment } = stripComment(line, isInComment);
    isInComment = opensComment;
    const content = trimBlanks(code);
    if (content === '') continue;
    if (content.startsWith('#')) throw new Error(`a directive: ${content.slice(0, 60)}`);
    if (content.startsWith('[')) {
      const name = /^\[([^\]]*)\]/.exec(content)?.[1];
      if (name === undefined) throw new Error(`a broken section: ${content.slice(0, 60)}`);
      sections.push({ name, settings: [] });
      continue;
    }
    const at = content.indexOf('=');
    if (at < 0) throw new Error(`no key: ${content.slice(0, 60)}`);
    const key = trimBlanks(content.slice(0, at));
    const value = trimBlanks(content.slice(content[at + 1] === '>' ? at + 2 : at + 1));
    const section = sections.at(-1);
    if (!section) throw new Error(`a key before the first section: ${key}`);
    section.settings.push([key, value]);
  }
  return sections;
}

/** A line longer than the engine's buffer continues as a line of its own. */
function splitLong(line: string): string[] {
  const bytes = Buffer.from(line);
  if (bytes.length < 8191) return [line];
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8191) parts.push(bytes.subarray(at, at + 8191).toString());
  return parts;
}

function stripComment(line: string, isInside: boolean): { code: string; opensComment: boolean } {
  let code = '';
  let inside = isInside;
  for (let at = 0; at < line.length; at++) {
    if (inside) {
      if (line.startsWith('--;', at)) {
        inside = false;
        at += 2;
      }
      continue;
    }
    if (line[at] !== ';') {
      code += line[at];
    } else if (code.endsWith('\\') && at > 0) {
      code = `${code.slice(0, -1)};`;
    } else if (line.startsWith(';--', at) && line[at + 3] !== '-') {
      inside = true;
      at += 2;
    } else {
      break;
    }
  }
  return { code, opensComment: inside };
}

/** The engine trims every byte up to the space. */
const trimBlanks = (text: string): string => text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
