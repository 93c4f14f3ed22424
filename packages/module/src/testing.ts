import type { Context, CoreReads, JsonObject, ModuleDefinition, TelephonyEvents } from './description.ts';
import { declareFields } from './fields/declared-fields.ts';
import { type CallOptions, callModule, nameOf, type TestAnswer, type Verb } from './testing/test-call.ts';
import { createTestContext, type LogLine } from './testing/test-context.ts';

export type { CallOptions, LogLine, TestAnswer, Verb };

export interface OpenOptions {
  /** Values of the manifest's settings; defaults are not filled in. */
  readonly settings?: JsonObject;
  /** What `context.core` answers; what is missing is refused with 403. */
  readonly core?: Partial<CoreReads>;
}

export interface TestModule {
  readonly context: Context;
  readonly definition: ModuleDefinition;
  /** What was logged, oldest first. */
  readonly log: readonly LogLine[];
  /** `path` in full, or from the resource on: `/notes/5:shout`. Bodies are checked as the exchange checks them. */
  call(verb: Verb, path: string, options?: CallOptions): Promise<TestAnswer>;
  /** Tells of an event; resolves when every handler is done. */
  emit<T extends keyof TelephonyEvents>(type: T, event: TelephonyEvents[T]): Promise<void>;
  /** What the module says when it is asked for the name of a caller. */
  callerName(number: string): Promise<string | undefined>;
  /** Lets scheduled work fall due; no real time passes. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a module of generation 3 in this process, without an exchange: what is stored is stored in memory. */
export async function openModule(
  main: ModuleDefinition | ((context: Context) => ModuleDefinition | Promise<ModuleDefinition>),
  options: OpenOptions = {},
): Promise<TestModule> {
  let definition: ModuleDefinition | undefined;
  const fieldsOf = (name: string) => {
    const found = definition?.resources.find((resource) => resource.stored && nameOf(resource) === name);
    return found && declareFields(found.fields, name);
  };
  const { context, lines, advance, emit, close } = createTestContext({ ...options, fieldsOf });
  const described = typeof main === 'function' ? await main(context) : main;
  definition = described;
  await described.start?.(context);
  return {
    context,
    definition: described,
    log: lines,
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
