/** A media range of `Accept`, with the place where the client named it. */
interface Range {
  readonly name: string;
  readonly q: number;
  readonly place: number;
}

/**
 * The offered type that `Accept` likes best (RFC 9110, 12.5.1): each is weighed by the range that names it most exactly.
 * Of equals the one named first, then the one offered first; the first when none is wanted.
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
