// One module, in a process of its own. It reaches the exchange only through the line.
import { createHook } from 'node:async_hooks';
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { AnyDefinition } from '@pbxcore/module/description';
import { provideModulePackage } from '@pbxcore/module/resolve';
import { createFrameReader, wholeMessage } from '../line/frames.ts';
import type { ToWorker, WorkerSetup } from '../line/protocol.ts';
import { createContext, textOf } from './context.ts';
import { type Described, describeDefinition } from './describe.ts';
import { runCall } from './dispatch.ts';
import { closeDoors } from './doors.ts';
import { guardRuntime } from './guard.ts';
import { createLink } from './link.ts';
import { startFailure } from './start-failure.ts';

const LINE = 3;

/** Loads the module, sends its description, and does what the core asks for until the line ends. */
export function run(setup: WorkerSetup): void {
  const line = new Socket({ fd: LINE, readable: true, writable: true });
  const link = createLink((bytes) => line.write(bytes));
  const { context, heard, isListening, close } = createContext(setup, link);
  let described: Described = { handlers: [], description: {} };
  let definition: AnyDefinition | undefined;

  // Messages of the core have no size limit.
  line.on(
    'data',
    createFrameReader((frame) => take(wholeMessage(frame) as ToWorker), Number.POSITIVE_INFINITY),
  );
  // The exchange is gone.
  line.on('error', () => process.exit(0));
  line.on('close', () => process.exit(0));
  process.on('uncaughtExceptionMonitor', (error) => link.postNow({ t: 'failed', reason: textOf(error) }));

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
    await closeDoors(line, setup.closedPorts);
    const hasWorkOfItsOwn = watchWork();
    link.post({ t: 'loading' });
    const loaded = (await import(pathToFileURL(setup.main).href)) as { default?: unknown };
    const made = loaded.default;
    definition = (typeof made === 'function' ? await made(context) : made) as AnyDefinition;
    described = describeDefinition(definition);
    link.post({ t: 'described', json: JSON.stringify(described.description) });
    await prepareData(definition);
    await definition.start?.(context);
    const isAwake = definition.callerName !== undefined || isListening() || hasWorkOfItsOwn();
    await link.ask('data.keep', []);
    link.post({ t: 'started', isAwake });
  }

  /** Migrated data are a copy until the module has started with them. */
  async function prepareData(made: AnyDefinition): Promise<void> {
    const moved = (await link.ask('data.open', [])) as { from?: string; to: string } | undefined;
    if (moved?.from !== undefined) await made.migrate?.(moved.from, moved.to, context);
    if (moved) await link.ask('data.index', []);
  }

  start().catch((error: unknown) => link.post({ t: 'failed', reason: startFailure(error, setup.folder) }));
}

/** Whether the module began something that goes on by itself: a timer, a connection, a request. */
function watchWork(): () => boolean {
  const timers = new Set<number>();
  // Node does not list timers that would not keep a program running.
  const hook = createHook({
    init: (id, kind) => void (kind === 'Timeout' && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();
  return () => {
    hook.disable();
    return timers.size > 0 || process.getActiveResourcesInfo().some((kind) => !OURS.includes(kind));
  };
}

/** The line, the output, and messages to be sent. */
const OURS = ['PipeWrap', 'TTYWrap', 'Immediate'];
