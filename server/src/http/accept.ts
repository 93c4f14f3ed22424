/** A media range of `Accept`, with its position in the header. */
interface Range {
  readonly name: string;
  readonly q: number;
  readonly place: number;
}

/**
 * The offered type that `Accept` prefers (RFC 9110, 12.5.1); the most specific matching range gives a type its weight.
 * Among equals the one named first, then the one offered first; the first offered when none is accepted.
 */
export function preferredType(accept: string | string[] | undefined, offered: readonly string[]): string {
  const ranges = String(accept ?? '*/*')
    .toLowerCase()
    .split(',')
    .map(readRange);
  const rated = offered.flatMap((type) => {
    const names = [type, `${type.split('/')[0]}/*`, '*/*'];
    const range = names.flatMap((name) => ranges.find((known) => known.name === name) ?? [])[0];
    return range && range.q > 0 ? { type, ...range } : [];
  });
  const [best] = rated.sort((a, b) => b.q - a.q || a.place - b.place);
  return best?.type ?? (offered[0] as string);
}

function readRange(text: string, place: number): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const q = parameters.flatMap((parameter) => /^q\s*=\s*(\d*\.?\d*)$/.exec(parameter)?.[1] || []);
  return { name, q: q[0] === undefined ? 1 : Number(q[0]) || 0, place };
}
