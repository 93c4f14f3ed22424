import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes that may be too many to hold in memory at once. */
export interface ByteSource {
  readonly size: number;
  /** Fills `into` with the bytes from `from` on; the caller never reads past the end. */
  read(from: number, into: Uint8Array): void;
}

/** For the conversion thread, which may block. */
export function openByteSource(path: string): ByteSource & Disposable {
  const file = openSync(path, 'r');
  return {
    size: fstatSync(file).size,
    read(from, into) {
      for (let done = 0; done < into.length; ) {
        const count = readSync(file, into, done, into.length - done, from + done);
        if (count === 0) throw new Error('a sound became shorter while it was read');
        done += count;
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
