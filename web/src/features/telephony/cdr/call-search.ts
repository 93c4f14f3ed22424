/** The search syntax of the history: words, and filters such as `from:201`. */
export interface CallSearch {
  readonly query: CallSearchQuery;
  /** Parts that were ignored. */
  readonly problems: readonly SearchProblem[];
}

/** Parameters of `GET /cdr`; `provider` as typed, an id or a name. */
interface CallSearchQuery {
  readonly src_num?: string;
  readonly dst_num?: string;
  readonly did?: string;
  readonly disposition?: string;
  readonly provider?: string;
  readonly billsecFrom?: number;
  readonly linkedid?: string;
  readonly search?: string;
}

interface SearchProblem {
  readonly kind: 'unknown' | 'empty' | 'twice' | 'disposition' | 'seconds';
  readonly word: string;
}

const PARAMETERS = {
  from: 'src_num',
  to: 'dst_num',
  did: 'did',
  disposition: 'disposition',
  provider: 'provider',
  longer: 'billsecFrom',
  call: 'linkedid',
} as const;
type FilterWord = keyof typeof PARAMETERS;

type Disposition = 'ANSWERED' | 'NO ANSWER' | 'BUSY' | 'FAILED' | 'CHANUNAVAIL';

/** Without spaces and punctuation; `missed` is what most people write. */
const SPELLINGS: Readonly<Record<string, Disposition>> = {
  answered: 'ANSWERED',
  noanswer: 'NO ANSWER',
  missed: 'NO ANSWER',
  busy: 'BUSY',
  failed: 'FAILED',
  chanunavail: 'CHANUNAVAIL',
  unavailable: 'CHANUNAVAIL',
};

/** A filter or a word; quotes enclose text with spaces. */
const TOKEN = /(?:([a-z]\w*):)?(?:"([^"]*)"|(\S*))/giu;

export function parseCallSearch(text: string): CallSearch {
  const query: Record<string, string | number> = {};
  const problems: SearchProblem[] = [];
  const words: string[] = [];
  for (const [word, name, quoted, plain] of text.matchAll(TOKEN)) {
    if (word === '') continue;
    const value = quoted ?? plain ?? '';
    if (name === undefined) {
      if (value !== '') words.push(value);
      continue;
    }
    const found = readFilter(name.toLowerCase(), value);
    if ('problem' in found) problems.push({ kind: found.problem, word });
    else if (query[found.parameter] !== undefined) problems.push({ kind: 'twice', word });
    else query[found.parameter] = found.value;
  }
  if (words.length > 0) query.search = words.join(' ');
  return { query, problems };
}

type Read =
  | { readonly problem: SearchProblem['kind'] }
  | { readonly parameter: string; readonly value: string | number };

function readFilter(name: string, value: string): Read {
  if (!Object.hasOwn(PARAMETERS, name)) return { problem: 'unknown' };
  if (value === '') return { problem: 'empty' };
  const parameter = PARAMETERS[name as FilterWord];
  if (parameter === 'disposition') {
    const spelled = value.toLowerCase().replace(/[\s_-]/g, '');
    const known = Object.hasOwn(SPELLINGS, spelled) ? SPELLINGS[spelled] : undefined;
    return known ? { parameter, value: known } : { problem: 'disposition' };
  }
  if (parameter === 'billsecFrom') {
    const seconds = readSeconds(value);
    return seconds === undefined ? { problem: 'seconds' } : { parameter, value: seconds };
  }
  return { parameter, value };
}

/** `90`, `1:30`, `90s`, `5m` or `1h`. */
function readSeconds(text: string): number | undefined {
  const [, minutes, rest] = /^(\d{1,6}):([0-5]\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return Number(minutes) * 60 + Number(rest);
  const [, count, unit = 's'] = /^(\d{1,7})([smh])?$/i.exec(text) ?? [];
  return count === undefined
    ? undefined
    : Number(count) * { s: 1, m: 60, h: 3600 }[unit.toLowerCase() as 's'];
}

/** The text with one filter set, removed (empty value) or replaced; the rest stays as typed. */
export function withFilter(text: string, name: FilterWord, value: string): string {
  const others = [...text.matchAll(TOKEN)].filter(
    ([word, found]) => word !== '' && found?.toLowerCase() !== name,
  );
  const filter = value === '' ? [] : [`${name}:${/\s/.test(value) ? `"${value}"` : value}`];
  return [...others.map(([word]) => word), ...filter].join(' ');
}
