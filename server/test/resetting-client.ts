import { spawnSync } from 'node:child_process';

/** Sends each request on a connection of its own and resets it right after the last byte. */
const CLIENT = `
const { connect } = require('node:net');
const { port, requests } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
for (const request of requests) {
  const socket = connect(port, '127.0.0.1', () => socket.write(request, () => socket.resetAndDestroy()));
}`;

/**
 * Requests of a caller that is gone before the service looks at the connection: the process stands still meanwhile, so
 * each reset arrives before its connection is accepted. More than 500 would not fit in the queue of the port.
 */
export function sendAndReset(port: number, requests: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', CLIENT], {
    input: JSON.stringify({ port, requests }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the client failed: ${stderr}`);
}
