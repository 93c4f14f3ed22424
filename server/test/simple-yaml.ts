type Value = string | Value[] | { [name: string]: Value };

const SCALAR = /^(?:[A-Za-z0-9/.]|[A-Za-z0-9/.][^\s#"'{},]*[^\s:#"'{},]|"[^"\\]*")$/;

/**
 * Reads the YAML subset that our snippets use and all YAML parsers read alike: mappings, lists of words, words that
 * are unquoted or plainly quoted, and full-line comments. Anything else is an error.
 */
export function readSimpleYaml(text: string): Value {
  const lines = text
    .split(/\r\n|[\n\r\x85\u2028\u2029]/)
    .map((line) => line.replace(/ # [^\n]*$/, ''))
    .filter((line) => line !== '' && !/^ *#/.test(line))
    .map((line) => ({ depth: line.length - line.trimStart().length, words: line.trim(), line }));
  let at = 0;

  function block(depth: number): Value {
    const isList = lines[at]?.words.startsWith('- ');
    const list: Value[] = [];
    const mapping: Record<string, Value> = {};
    for (; lines[at]?.depth === depth; ) {
      const { words, line } = lines[at++] as (typeof lines)[number];
      if (isList) {
        list.push(scalar(words.replace(/^- /, ''), line));
        continue;
      }
      const [, name = '', value] = /^(\w+):(?: (.+))?$/.exec(words) ?? [];
      if (name === '' || name in mapping) throw new Error(`not simple YAML: ${line}`);
      mapping[name] = value === undefined ? block(lines[at]?.depth ?? -1) : scalar(value, line);
    }
    if ((lines[at]?.depth ?? -1) > depth) throw new Error(`not simple YAML: ${lines[at]?.line}`);
    return isList ? list : mapping;
  }

  const value = block(0);
  if (at < lines.length) throw new Error(`not simple YAML: ${lines[at]?.line}`);
  return value;
}

function scalar(text: string, line: string): string {
  if (!SCALAR.test(text)) throw new Error(`not simple YAML: ${line}`);
  return text.replaceAll('"', '');
}
