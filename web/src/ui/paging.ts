import { useEffect } from 'react';

/** Where the page with this offset begins; beyond the end, the last page. */
export const pageStart = (offset: number, limit: number, total: number): number =>
  Math.max(0, Math.min(Math.floor(offset / limit), Math.ceil(total / limit) - 1)) * limit;

interface Paged {
  readonly offset: number;
  readonly limit: number;
  /** `undefined` until it is known. */
  readonly total: number | undefined;
  readonly go: (offset: number) => void;
}

/** After rows were deleted, or for a hand-typed URL: goes to an existing page. `true` while on the way. */
export function useExistingPage({ offset, limit, total, go }: Paged): boolean {
  const there = total === undefined ? offset : pageStart(offset, limit, total);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `go` is made anew with every drawing
  useEffect(() => {
    if (there !== offset) go(there);
  }, [there, offset]);
  return there !== offset;
}
