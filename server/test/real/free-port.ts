import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the system's ephemeral ports, so that a port released briefly for a restart is still free afterwards. */
const [FIRST, LAST] = [20_000, 32_000];

/** A loopback port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const probe = createServer();
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
