import { spawnSync } from 'node:child_process';

/** Sends each request on its own connection and resets it right after the last byte. */
const CLIENT = `
const { connect } = require('node:net');
const { port, requests } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
for (const request of requests) {
  const socket = connect(port, '127.0.0.1', () => socket.write(request, () => socket.resetAndDestroy()));
}`;

/**
 * Sends requests whose caller is gone before the service accepts the connection: this process is blocked meanwhile, so
 * each reset arrives before the accept. More than 500 would not fit in the port's backlog.
 */
export function sendAndReset(port: number, requests: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', CLIENT], {
    input: JSON.stringify({ port, requests }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the client failed: ${stderr}`);
}
