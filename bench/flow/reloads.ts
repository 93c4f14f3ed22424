import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Listens on a separate control connection for the modules that the engine is told to reload. */
export async function watchReloads(dataDir: string) {
  const text = readFileSync(join(dataDir, 'engine', 'etc', 'manager.conf'), 'utf8');
  const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  const user = [...text.matchAll(/^\[(.*)\]$/gm)].at(-1)?.[1] ?? '';
  const socket = connect(Number(field('port')), field('bindaddr'));
  await once(socket, 'connect');
  const modules: string[] = [];
  let rest = '';
  const loggedIn = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      const messages = (rest + chunk.toString()).split('\r\n\r\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        if (/^Response: Success/m.test(message)) resolve();
        else if (/^Response: /m.test(message)) reject(new Error(message));
        else if (/^Event: Reload\r?$/m.test(message))
          modules.push(/^Module: (.*?)\r?$/m.exec(message)?.[1] ?? '?');
      }
    });
  });
  socket.write(`Action: Login\r\nUsername: ${user}\r\nSecret: ${field('secret')}\r\nEvents: system\r\n\r\n`);
  await loggedIn;
  return {
    /** Modules reloaded since the last call. */
    taken: (): string[] => modules.splice(0),
    stop: (): void => void socket.destroy(),
  };
}
