/** Keeps the last result as long as everything it was made from is the same: immutable objects, numbers, strings. */
export function createMadeOnce<T>(): (of: readonly unknown[], make: () => T) => T {
  let last: { readonly of: readonly unknown[]; readonly made: T } | undefined;
  return (of, make) => {
    const isSame = last?.of.length === of.length && of.every((part, at) => Object.is(part, last?.of[at]));
    if (!last || !isSame) last = { of, made: make() };
    return last.made;
  };
}
