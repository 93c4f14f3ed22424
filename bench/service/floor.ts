import { join } from 'node:path';
import { openPoller, type Poller } from '../measure/poller.ts';
import { type Running, startServer } from './processes.ts';
import { nodeFlags } from './service.ts';

export interface Floor extends Running {
  readonly pollers: readonly Poller[];
}

/** A floor that answers with this many bytes, and connections to it. */
export async function startFloor(bytes: number, connections = 1): Promise<Floor> {
  const program = join(import.meta.dirname, 'floor.process.ts');
  const { pid, match, stop } = await startServer(
    [process.execPath, ...nodeFlags(), program, String(bytes)],
    /port (\d+)/,
  );
  const open = () => openPoller({ port: Number(match[1]), path: '/' });
  const pollers = await Promise.all(Array.from({ length: connections }, open));
  return {
    pid,
    pollers,
    async stop() {
      for (const poller of pollers) poller.close();
      await stop();
    },
  };
}
