import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Both ends are here: it is a matter of milliseconds. */
const ACCEPT_MS = 5_000;

/**
 * Two ends of one local connection, for two processes that shall speak to each other and not with us: each is handed to
 * one of them at its start. Nothing is read here. The name under which they find each other is a secret, and is taken
 * back at once.
 */
export async function createSocketPair(): Promise<[Socket, Socket]> {
  const server = createServer({ pauseOnConnect: true });
  // Not a file: nothing is left of it, wherever we end.
  const name = `\0pbxcore-${randomBytes(16).toString('hex')}`;
  server.listen(name);
  await once(server, 'listening');
  const client = connect(name).pause();
  // Whoever connects when there is no descriptor left for the other end is dropped, and nobody is told.
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
