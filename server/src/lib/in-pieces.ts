import { setImmediate as otherWork } from 'node:timers/promises';

/** Of JSON read or written in one go. At worst, that takes a few milliseconds. */
const PIECE_BYTES = 64 * 1024;

/** Converts a list in order; other work runs in between. */
export async function inPieces<T, R>(
  list: readonly T[],
  make: (one: T) => R,
  bytesOf: (one: T, made: R) => number,
): Promise<R[]> {
  const all: R[] = [];
  let bytes = 0;
  for (const one of list) {
    if (bytes > PIECE_BYTES) {
      await otherWork();
      bytes = 0;
    }
    const made = make(one);
    all.push(made);
    bytes += bytesOf(one, made);
  }
  return all;
}

/** The texts of a list, joined by commas. */
export async function jsonOfMany(list: readonly object[]): Promise<string> {
  const texts = await inPieces(
    list,
    (one) => JSON.stringify(one),
    (_, text) => text.length,
  );
  return texts.join();
}
