import { closeSync, constants, fstatSync, openSync, write } from 'node:fs';
import type { LogSink } from './log-output.ts';

const STDOUT = 1;

/** Standard output, whatever it is, without ever waiting for it. */
export function standardOutput(): LogSink {
  // An error is told to whoever wrote; here it would end the process. Others write there as well, such as Node itself.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const kind = fstatSync(STDOUT);
  // These Node writes as far as they take it, and waits for them beside everything else.
  if (kind.isFIFO() || kind.isSocket()) {
    return (bytes, done) => process.stdout.write(bytes, (error) => done(error, bytes.length));
  }
  // On a file or a terminal Node would make everything wait until it is written.
  const fd = kind.isCharacterDevice() ? unblocked() : STDOUT;
  return (bytes, done) => write(fd, bytes, done);
}

/**
 * The same device once more, in a mode in which a stopped terminal fails a write instead of holding it. The mode of
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
