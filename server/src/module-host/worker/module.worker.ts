// One module, in a thread of its own. Everything it can reach of the exchange goes through the port.
import { pathToFileURL } from 'node:url';
import { type MessagePort, workerData } from 'node:worker_threads';
import type { AnyDefinition } from '@pbxcore/module/description';
import { provideModulePackage } from '@pbxcore/module/resolve';
import type { ToWorker, WorkerSetup } from '../protocol.ts';
import { createContext, textOf } from './context.ts';
import { type Described, describeDefinition } from './describe.ts';
import { runCall } from './dispatch.ts';
import { guardRuntime } from './guard.ts';
import { createLink } from './link.ts';

const { port, setup } = workerData as { port: MessagePort; setup: WorkerSetup };
const link = createLink(port);
const { context, heard, close } = createContext(setup, link);
let described: Described = { handlers: [], description: {} };
let definition: AnyDefinition | undefined;

port.on('message', (messages: readonly ToWorker[]) => messages.forEach(take));

function take(message: ToWorker): void {
  switch (message.t) {
    case 'call':
      void runCall(message, described.handlers[message.op], context, link).then(link.post);
      break;
    case 'event':
      void heard(message.type, message.event);
      break;
    case 'reply':
    case 'refusal':
      link.answered(message);
      break;
    case 'ping':
      link.post({ t: 'pong' });
      break;
    case 'stop':
      void stop();
  }
}

async function stop(): Promise<void> {
  try {
    await definition?.stop?.(context);
  } catch (error) {
    link.log('error', 'stop failed', { error: textOf(error) });
  }
  close();
  link.post({ t: 'stopped' });
}

async function start(): Promise<void> {
  provideModulePackage();
  guardRuntime();
  // The module must not find its way to the port.
  Object.assign(workerData, { port: undefined, setup: undefined });
  const loaded = (await import(pathToFileURL(setup.main).href)) as { default?: unknown };
  const made = loaded.default;
  definition = (typeof made === 'function' ? await made(context) : made) as AnyDefinition;
  described = describeDefinition(definition);
  link.post({ t: 'described', json: JSON.stringify(described.description) });
  await definition.start?.(context);
  link.post({ t: 'started' });
}

start().catch((error: unknown) => link.post({ t: 'failed', reason: reasonOf(error) }));

function reasonOf(error: unknown): string {
  if ((error as { code?: unknown } | undefined)?.code !== 'ERR_ACCESS_DENIED') return textOf(error);
  return 'it reached for a file outside its folder, or for another program';
}
