import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Both ends are in this process: it takes milliseconds. */
const ACCEPT_MS = 5_000;

/**
 * Two ends of one local connection, for two processes that talk to each other and not to us: each gets one at its
 * start. Nothing is read here. The name by which the ends find each other is secret and released at once.
 */
export async function createSocketPair(): Promise<[Socket, Socket]> {
  const server = createServer({ pauseOnConnect: true });
  // Not a file: nothing is left of it, however we end.
  const name = `\0pbxcore-${randomBytes(16).toString('hex')}`;
  server.listen(name);
  await once(server, 'listening');
  const client = connect(name).pause();
  // If no descriptor is left for the other end, the connection is dropped without any report.
  const tooLate = new AbortController();
  const patience = setTimeout(() => tooLate.abort(), ACCEPT_MS);
  try {
    const [[accepted]] = (await Promise.all([
      once(server, 'connection', { signal: tooLate.signal }),
      once(client, 'connect'),
    ])) as [[Socket], unknown];
    return [client, accepted];
  } catch (error) {
    client.destroy();
    throw tooLate.signal.aborted ? new Error('too many files are open') : error;
  } finally {
    clearTimeout(patience);
    server.close();
  }
}
