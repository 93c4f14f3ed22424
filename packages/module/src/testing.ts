import type {
  CallActs,
  Context,
  CoreReads,
  JsonObject,
  ModuleDefinition,
  TelephonyEvents,
} from './description.ts';
import { declareFields } from './fields/declared-fields.ts';
import type { AskedAct } from './testing/memory-calls.ts';
import { type CallOptions, callModule, nameOf, type TestAnswer, type Verb } from './testing/test-call.ts';
import { createTestContext, type LogLine } from './testing/test-context.ts';

export type { AskedAct, CallOptions, LogLine, TestAnswer, Verb };

export interface OpenOptions {
  /** Values of the manifest's settings; defaults are not added. */
  readonly settings?: JsonObject;
  /** Implements `context.core`; missing methods refuse with 403. */
  readonly core?: Partial<CoreReads>;
  /** Implements `context.calls`; missing methods do nothing, and `originate` then resolves with a made-up id. */
  readonly calls?: Partial<CallActs>;
  /** Data of an earlier version, each record with its `id`: the module's `migrate` runs on them. */
  readonly earlier?: {
    /** The versions passed to `migrate`. */
    readonly from: string;
    readonly to: string;
    readonly records: Readonly<Record<string, readonly JsonObject[]>>;
  };
}

export interface TestModule {
  readonly context: Context;
  readonly definition: ModuleDefinition;
  /** What was logged, oldest first. */
  readonly log: readonly LogLine[];
  /** Requested acts on calls, oldest first, without those the exchange would refuse as malformed (422). */
  readonly calls: readonly AskedAct[];
  /** `path` in full, or from the resource on: `/notes/5:shout`. Bodies are checked as by the exchange. */
  call(verb: Verb, path: string, options?: CallOptions): Promise<TestAnswer>;
  /** Emits an event; resolves when every handler has finished. */
  emit<T extends keyof TelephonyEvents>(type: T, event: TelephonyEvents[T]): Promise<void>;
  /** The module's answer when asked for the name of a caller. */
  callerName(number: string): Promise<string | undefined>;
  /** Runs scheduled work that falls due; no real time passes. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a module of generation 3 in this process, without an exchange: data are stored in memory. */
export async function openModule(
  main: ModuleDefinition | ((context: Context) => ModuleDefinition | Promise<ModuleDefinition>),
  options: OpenOptions = {},
): Promise<TestModule> {
  let definition: ModuleDefinition | undefined;
  const fieldsOf = (name: string) => {
    const found = definition?.resources.find((resource) => resource.stored && nameOf(resource) === name);
    return found && declareFields(found.fields, name);
  };
  const { earlier, ...given } = options;
  const { context, lines, asked, advance, emit, move, close } = createTestContext({
    ...given,
    fieldsOf,
    ...(earlier && { earlier: earlier.records }),
  });
  const described = typeof main === 'function' ? await main(context) : main;
  definition = described;
  if (earlier) await move(() => described.migrate?.(earlier.from, earlier.to, context));
  await described.start?.(context);
  return {
    context,
    definition: described,
    log: lines,
    calls: asked,
    call: (verb, path, callOptions = {}) => callModule(described, context, verb, path, callOptions),
    emit,
    callerName: async (number) => described.callerName?.(number, context),
    advance,
    async close() {
      await described.stop?.(context);
      close();
    },
  };
}
