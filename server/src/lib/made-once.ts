/**
 * Keeps what was made last, for as long as everything that it is made of is the same: objects that are never changed, numbers,
 * texts.
 */
export function createMadeOnce<T>(): (of: readonly unknown[], make: () => T) => T {
  let last: { readonly of: readonly unknown[]; readonly made: T } | undefined;
  return (of, make) => {
    const isSame = last?.of.length === of.length && of.every((part, at) => Object.is(part, last?.of[at]));
    if (!last || !isSame) last = { of, made: make() };
    return last.made;
  };
}
