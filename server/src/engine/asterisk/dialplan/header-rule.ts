import { type PatternToken, readParserPattern, type SignSet } from '../../../lib/parser-pattern.ts';
import type { HeaderRule } from '../../desired-state.ts';
import { carried } from './contexts.ts';
import { asArgument } from './strangers-text.ts';

/** User part of the last `sip:`, `sips:` or `tel:` of a header: a display name before it may hold anything. */
const USER_OF_ADDRESS = '.*[st][ei][pl]s*:([^@;>]*)';
/** Printable characters, without the two that end a text in an expression; the first one stands for `)`. */
const HARMLESS = '\\x01\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e';

const HEADERS: Readonly<Record<string, string>> = {
  from: 'From',
  rpid: 'Remote-Party-ID',
  pai: 'P-Asserted-Identity',
  to: 'To',
  diversion: 'Diversion',
};

/**
 * Steps that read a number from a header of the call into a variable, if there is one. The operator's pattern is
 * carried as data and only becomes text again inside the quotes of one expression, which it cannot escape from.
 */
export function readNumber(variable: string, rule: HeaderRule): string[] {
  const header = rule.source === 'custom' ? rule.customHeader : HEADERS[rule.source];
  if (header === undefined || !/^[A-Za-z0-9-]{1,60}$/.test(header)) return [];
  // A pattern stored before there was a limit, or by another tool: the call keeps its number, as when nothing matches.
  const pattern = patternOf(rule);
  if (pattern === undefined) return [];
  return [
    `Set(PBX_HEADER=\${FILTER(${HARMLESS},${asArgument(`PJSIP_HEADER(read,${header})`)})})`,
    `Set(PBX_PATTERN=\${URIDECODE(${carried(pattern)})})`,
    `Set(PBX_READ=$["\${REPLACE(PBX_HEADER,\\\\x01,\\x29)}" =~ "\${PBX_PATTERN}"])`,
    `Set(PBX_READ=\${FILTER(0-9+*#,${asArgument('PBX_READ')})})`,
    `ExecIf($[\${LEN(\${PBX_READ})} > 0]?Set(${variable}=\${PBX_READ}))`,
  ];
}

/** Always with a group, because the engine returns what its first group matched; `undefined` if it may take long. */
function patternOf({ parserRegex, parserStart, parserEnd }: HeaderRule): string | undefined {
  if (parserRegex !== '') {
    const tokens = readParserPattern(parserRegex);
    if (!tokens) return undefined;
    const pattern = tokens.map(posix).join('');
    return tokens.some(({ kind }) => kind === 'open') ? pattern : `(${pattern})`;
  }
  if (parserStart === '' && parserEnd === '') return USER_OF_ADDRESS;
  const [start, end] = [parserStart, parserEnd].map(withoutQuotes);
  const until = end ? `[^${[...end][0]}]*` : '.*';
  return `${literal(start ?? '')}(${until})${literal(end ?? '')}`;
}

/** The engine knows POSIX patterns only. */
function posix(token: PatternToken): string {
  switch (token.kind) {
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'open':
      return '(';
    case 'close':
      return ')';
    case 'any':
      return `.${token.quantifier}`;
    case 'signs': {
      const signs = posixSigns(token.set);
      return signs && signs + token.quantifier;
    }
  }
}

const CLASSES = { d: '0-9', w: 'A-Za-z0-9_', s: '[:space:]' } as const;

/** Empty for characters that are removed from the header. */
function posixSigns({ isNegated, signs, ranges, classes }: SignSet): string {
  const kept = new Set(withoutQuotes(signs));
  const [only] = kept;
  if (ranges.length === 0 && classes.length === 0) {
    if (only === undefined) return isNegated ? '.' : '';
    if (!isNegated && kept.size === 1) return literal(only);
  }
  const has = (sign: string) => (kept.has(sign) ? sign : '');
  const plain = [...kept].filter((sign) => !'][^-'.includes(sign)).join('');
  const spans = ranges.map(([from, to]) => `${from}-${to}`).join('');
  const named = classes.map((kind) => CLASSES[kind]).join('');
  // A `]` means itself as the first sign, a `-` as the first or last, a `^` when not first, a `[` before none of `.:=`.
  const begin = has(']') + plain + spans + named + has('[');
  const inner = begin === '' ? has('-') + has('^') : begin + has('^') + has('-');
  return `[${isNegated ? '^' : ''}${inner}]`;
}

/** A pattern that matches just this text. */
const literal = (text: string): string =>
  [...withoutQuotes(text)]
    .map((sign) => (/[\w@:;=<> -]/.test(sign) ? sign : sign === '^' ? '.' : `[${sign}]`))
    .join('');

/** The header is stripped of these two as well, since a text in the engine's expressions cannot hold them. */
const withoutQuotes = (text: string): string => text.replace(/[\\"]/g, '');
