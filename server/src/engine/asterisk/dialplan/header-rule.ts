import type { HeaderRule } from '../../desired-state.ts';
import { carried } from './contexts.ts';

/** User part of the last `sip:`, `sips:` or `tel:` of a header: a display name before it may hold anything. */
const USER_OF_ADDRESS = '.*[st][ei][pl]s*:([^@;>]*)';
/** Printable, without the two signs that end a text of an expression. */
const HARMLESS = '\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e';

const HEADERS: Readonly<Record<string, string>> = {
  from: 'From',
  rpid: 'Remote-Party-ID',
  pai: 'P-Asserted-Identity',
  to: 'To',
  diversion: 'Diversion',
};

/**
 * Steps that read a number from a header of the call into a variable, if one is there. The operator's pattern is carried as data and
 * only becomes text again inside the quotes of one expression, out of which it cannot get.
 */
export function readNumber(variable: string, rule: HeaderRule): string[] {
  const header = rule.source === 'custom' ? rule.customHeader : HEADERS[rule.source];
  if (header === undefined || !/^[A-Za-z0-9-]{1,60}$/.test(header)) return [];
  return [
    `Set(PBX_HEADER=\${FILTER(${HARMLESS},\${PJSIP_HEADER(read,${header})})})`,
    `Set(PBX_PATTERN=\${URIDECODE(${carried(patternOf(rule))})})`,
    `Set(PBX_READ=\${FILTER(0-9+*#,$["\${PBX_HEADER}" =~ "\${PBX_PATTERN}"])})`,
    `ExecIf($[\${LEN(\${PBX_READ})} > 0]?Set(${variable}=\${PBX_READ}))`,
  ];
}

/** Always with a group, because the engine answers with what the first group matched. */
function patternOf({ parserRegex, parserStart, parserEnd }: HeaderRule): string {
  if (parserRegex !== '') {
    const pattern = posix(parserRegex);
    return /(^|[^\\[])\(/.test(pattern) ? pattern : `(${pattern})`;
  }
  if (parserStart === '' && parserEnd === '') return USER_OF_ADDRESS;
  const [start, end] = [parserStart, parserEnd].map(withoutQuotes);
  const until = end ? `[^${[...end][0]}]*` : '.*';
  return `${literal(start ?? '')}(${until})${literal(end ?? '')}`;
}

const CLASSES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  D: '[^0-9]',
  w: '[A-Za-z0-9_]',
  W: '[^A-Za-z0-9_]',
  s: '[[:space:]]',
  S: '[^[:space:]]',
};

/** The engine knows POSIX patterns only, and a text of its expressions cannot hold `\` or `"`. */
function posix(pattern: string): string {
  return pattern
    .replace(/^\/(.*)\/[a-z]*$/s, '$1')
    .replace(/\(\?:/g, '(')
    .replace(/\\(.)/gs, (_, sign: string) => CLASSES[sign] ?? literal(sign))
    .replace(/[\\"]/g, '');
}

/** Any text as a pattern for itself. */
const literal = (text: string): string =>
  [...withoutQuotes(text)]
    .map((sign) => (/[\w@:;=<> -]/.test(sign) ? sign : sign === '^' ? '.' : `[${sign}]`))
    .join('');

/** The two signs are left out of the header, too. */
const withoutQuotes = (text: string): string => text.replace(/[\\"]/g, '');
