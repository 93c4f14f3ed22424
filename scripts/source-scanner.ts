// Reads a TypeScript file as far as the checks need it: its tokens without comments, and what it imports.

export type Token = { kind: 'word' | 'text' | 'mark'; value: string; line: number };
export type ImportedFile = { target: string; typeOnly: boolean; names: string[]; line: number };

const wordStart = /[\p{L}_$#]/u;
const wordPart = /[\p{L}\p{N}_$]/u;
/** After these words a slash begins a regular expression, not a division. */
const beforeRegex = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'delete',
  'await',
  'yield',
]);

export function readTokens(source: string): Token[] {
  const tokens: Token[] = [];
  /** For each open `${`: how many braces were open when it began. */
  const templates: number[] = [];
  let braces = 0;
  let line = 1;
  let at = 0;

  const add = (kind: Token['kind'], value: string) => tokens.push({ kind, value, line });
  const skipTo = (end: number) => {
    for (; at < end; at++) if (source[at] === '\n') line++;
  };
  const endOf = (text: string) => {
    const found = source.indexOf(text, at + text.length);
    return found < 0 ? source.length : found;
  };
  const readString = (quote: string) => {
    let end = at + 1;
    while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1;
    add('text', source.slice(at + 1, end));
    skipTo(end + 1);
  };
  const readTemplate = () => {
    let end = at + 1;
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end))
      end += source[end] === '\\' ? 2 : 1;
    add('text', source.slice(at + 1, end));
    if (source[end] === '$') templates.push(braces);
    skipTo(source[end] === '$' ? end + 2 : end + 1);
  };
  const regexMayBegin = () => {
    const last = tokens.at(-1);
    if (!last || (last.kind === 'word' && beforeRegex.has(last.value))) return true;
    return last.kind === 'mark' && !')]}'.includes(last.value);
  };
  const readRegex = () => {
    let end = at + 1;
    let inClass = false;
    for (; end < source.length && source[end] !== '\n' && (inClass || source[end] !== '/'); end++) {
      if (source[end] === '\\') end++;
      else if (source[end] === '[') inClass = true;
      else if (source[end] === ']') inClass = false;
    }
    add('text', source.slice(at, end + 1));
    skipTo(end + 1);
  };

  while (at < source.length) {
    const char = source[at] ?? '';
    if (/\s/.test(char)) skipTo(at + 1);
    else if (source.startsWith('//', at)) skipTo(endOf('\n'));
    else if (source.startsWith('/*', at)) skipTo(endOf('*/') + 2);
    else if (char === "'" || char === '"') readString(char);
    else if (char === '`') readTemplate();
    else if (char === '/' && regexMayBegin()) readRegex();
    else if (char === '}' && templates.at(-1) === braces) {
      templates.pop();
      readTemplate();
    } else if (wordStart.test(char)) {
      let end = at + 1;
      while (end < source.length && wordPart.test(source[end] ?? '')) end++;
      add('word', source.slice(at, end));
      skipTo(end);
    } else if (/\d/.test(char)) {
      let end = at + 1;
      while (end < source.length && /[\w.]/.test(source[end] ?? '')) end++;
      add('text', source.slice(at, end));
      skipTo(end);
    } else {
      if (char === '{') braces++;
      if (char === '}') braces--;
      add('mark', char);
      skipTo(at + 1);
    }
  }
  return tokens;
}

/** Every file or package the tokens load: import, export from, import(), require(), and new URL() of a worker. */
export function readImports(tokens: Token[]): ImportedFile[] {
  const found: ImportedFile[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || tokens[index - 1]?.value === '.') return;
    const next = tokens[index + 1];
    const add = (target: Token | undefined, typeOnly = false, names: string[] = []) => {
      if (target?.kind === 'text') found.push({ target: target.value, typeOnly, names, line: token.line });
    };
    if (token.value === 'import' && next?.kind === 'text') add(next);
    else if ((token.value === 'import' || token.value === 'require') && next?.value === '(')
      add(tokens[index + 2]);
    else if (token.value === 'URL' && next?.value === '(' && tokens[index + 4]?.value === 'import') {
      add(tokens[index + 2]);
    } else if (token.value === 'import' || token.value === 'export') {
      const clause = readClause(tokens, index + 1);
      if (clause) add(clause.target, next?.value === 'type', clause.names);
    }
  });
  return found;
}

/** The part between `import` or `export` and its `from '…'`; undefined when the statement has none. */
function readClause(tokens: Token[], start: number) {
  const names: string[] = [];
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token || token.kind === 'text') return undefined;
    if (token.value === 'from' && tokens[index + 1]?.kind === 'text')
      return { target: tokens[index + 1], names };
    if (token.kind === 'word') names.push(token.value);
    else if (!'{},*'.includes(token.value)) return undefined;
  }
  return undefined;
}
