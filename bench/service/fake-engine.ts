import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config.ts';
import { createFakeEngine, type FakeEngine } from '../../server/src/engine/fake-engine.ts';
import { systemClock, systemSteadyClock } from '../../server/src/lib/clock.ts';

const silent = () => {};
/** Prints errors and warnings; anything less costs nothing. */
const log = {
  error: console.error,
  warn: console.error,
  info: silent,
  debug: silent,
} as unknown as AppOptions['log'];

/** What a benchmark simulates on its service's engine. */
export interface Play {
  /** Commands by path; the argument is the query. */
  readonly commands: Readonly<Record<string, (argument: number) => void>>;
  /** The answer to every command. */
  report(): object;
  stop(): void;
}

/** The service with a fake engine, and a second port that takes commands for it. */
export async function serveFakeEngine(createPlay: (engine: FakeEngine) => Play): Promise<void> {
  const config = readConfig();
  const engine = createFakeEngine();
  const app = await createApp({
    config,
    clock: systemClock,
    steady: systemSteadyClock,
    log,
    engine,
  });
  const play = createPlay(engine);
  const control = createServer((request, response) => {
    const [path = '', argument] = (request.url ?? '').split('?');
    play.commands[path]?.(Number(argument));
    response.end(JSON.stringify(play.report()));
  });
  control.listen(0, '127.0.0.1', () => {
    const { port } = control.address() as AddressInfo;
    console.log(`running on http://127.0.0.1:${app.httpPort}, controlled on ${port}`);
  });
  process.once('SIGTERM', async () => {
    play.stop();
    control.close();
    await app.close();
  });
}
