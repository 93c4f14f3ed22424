import { closeSync, constants, fstatSync, openSync, write } from 'node:fs';
import type { LogSink } from './log-output.ts';

const STDOUT = 1;

/** Standard output of any kind, without ever waiting for it. */
export function standardOutput(): LogSink {
  // The writer gets the error; here it would end the process. Others, such as Node itself, write there too.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const kind = fstatSync(STDOUT);
  // Node writes to these as much as they accept, and waits for the rest asynchronously.
  if (kind.isFIFO() || kind.isSocket()) {
    return (bytes, done) => process.stdout.write(bytes, (error) => done(error, bytes.length));
  }
  // On a file or a terminal, Node would block until it is written.
  const fd = kind.isCharacterDevice() ? unblocked() : STDOUT;
  return (bytes, done) => write(fd, bytes, done);
}

/**
 * Opens the same device again in a mode in which a stopped terminal fails a write instead of blocking it. The mode of
 * standard output itself is shared with other programs.
 */
function unblocked(): number {
  try {
    const fd = openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    process.once('exit', () => closeSync(fd));
    return fd;
  } catch {
    return STDOUT;
  }
}
