import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createResends } from './sip-resends.ts';

/** Sends bytes to port 5060 unchanged, over UDP from one address, and keeps every answer. */
export async function createSipSocket(address: string, host: string, port = 5060) {
  const socket = createSocket('udp4');
  const answers: string[] = [];
  const send = (bytes: string | Buffer) =>
    new Promise<void>((resolve, reject) =>
      socket.send(bytes, 5060, host, (error) => (error ? reject(error) : resolve())),
    );
  const resends = createResends(send);
  socket.on('message', (message) => {
    const text = message.toString('latin1');
    answers.push(text);
    resends.heard(text);
  });
  socket.bind(port, address);
  await once(socket, 'listening');
  return {
    answers,
    send,
    /** For a request that must arrive. */
    call: resends.send,
    close(): Promise<void> {
      resends.stop();
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}

/** The same over a separate TCP connection; resolves when it is closed. */
export async function sendOverTcp(bytes: Buffer, address: string, host: string): Promise<void> {
  const socket = connect({ port: 5060, host, localAddress: address });
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.resume();
  socket.end(bytes);
  // Some bytes keep a server waiting for more; all that matters is that they have arrived.
  socket.setTimeout(200, () => socket.destroy());
  // Not `once` of `node:events`, which would reject if the server resets the connection.
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}
