import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createAmiReader } from '../src/engine/asterisk/control/ami-protocol.ts';

type Fields = Readonly<Record<string, string>>;
/** Sends the messages that answer an action. A string is sent unchanged. */
type Script = (action: Fields, send: (message: Fields | string) => void) => void;

/** A manager interface that follows a script. It accepts logins with the secret `right`, then reports a full boot. */
export async function startScriptedAmi(script: Script = () => {}) {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  let isMute = false;
  let isFull = false;
  let turnedAway = 0;
  const server = createServer((socket) => {
    if (isFull) {
      turnedAway++;
      socket.on('error', () => {}).destroy();
      return;
    }
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.write('Asterisk Call Manager/11.0.0\r\n');
    const send = (message: Fields | string) => void socket.write(textOf(message));
    const read = createAmiReader({
      onMessage(action) {
        asked.push(action.Action as string);
        if (isMute) return;
        const answer = (fields: Fields) => send({ ...fields, ActionID: action.ActionID as string });
        if (action.Action === 'Login' && action.Secret === 'right') {
          answer({ Response: 'Success', Message: 'Authentication accepted' });
          send({ Event: 'FullyBooted', Privilege: 'system,all', Status: 'Fully Booted' });
        } else if (action.Action === 'Login') {
          answer({ Response: 'Error', Message: 'Authentication failed' });
        } else if (action.Action === 'Ping') answer({ Response: 'Success', Ping: 'Pong' });
        else script(action, send);
      },
    });
    socket.setEncoding('utf8').on('data', read);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Names of all actions received so far. */
    asked,
    tell(message: Fields | string): void {
      for (const socket of sockets) socket.write(textOf(message));
    },
    /** Keeps reading, but sends nothing more. */
    fallSilent(): void {
      isMute = true;
    },
    /** Closes each new connection at once, as an engine with too many does. */
    fill(full = true): void {
      isFull = full;
    },
    /** Number of connections closed that way. */
    turnedAway: () => turnedAway,
    /** Closes the newest connection. */
    hangUpLast(): void {
      [...sockets].at(-1)?.destroy();
    },
    /** Closes every connection; new ones are accepted. */
    hangUp(): void {
      for (const socket of sockets) socket.destroy();
    },
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

const textOf = (message: Fields | string): string =>
  typeof message === 'string'
    ? message
    : `${Object.entries(message)
        .map(([key, value]) => `${key}: ${value}\r\n`)
        .join('')}\r\n`;
