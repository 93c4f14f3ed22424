import { join } from 'node:path';
import type { Side } from './cost.ts';
import { openPoller } from './poller.ts';
import { startServer } from './processes.ts';
import { nodeFlags } from './service.ts';

/** A floor that answers with so many bytes, and one connection to it. */
export async function startFloor(bytes: number): Promise<Side & { stop(): Promise<void> }> {
  const program = join(import.meta.dirname, 'floor.process.ts');
  const { pid, match, stop } = await startServer(
    [process.execPath, ...nodeFlags(), program, String(bytes)],
    /port (\d+)/,
  );
  const poller = await openPoller({ port: Number(match[1]), path: '/' });
  return {
    pid,
    pollers: [poller],
    async stop() {
      poller.close();
      await stop();
    },
  };
}
