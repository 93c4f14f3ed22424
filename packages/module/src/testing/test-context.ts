import { DatabaseSync } from 'node:sqlite';
import type {
  Awaitable,
  CallActs,
  Context,
  CoreReads,
  JsonObject,
  Log,
  OwnSql,
  TelephonyEvents,
} from '../description.ts';
import { type DeclaredFields, declareFields } from '../fields/declared-fields.ts';
import { forbidden } from '../refusal.ts';
import { createManualSchedule } from './manual-schedule.ts';
import { createMemoryCalls } from './memory-calls.ts';
import { createMemoryRecords } from './memory-records.ts';
import { createMemoryValues } from './memory-values.ts';

export interface TestContextOptions {
  readonly settings?: JsonObject;
  /** What the exchange would answer; missing methods refuse. */
  readonly core?: Partial<CoreReads>;
  /** What the exchange would do with calls; missing methods succeed. */
  readonly calls?: Partial<CallActs>;
  /** Fields of a stored resource, by its name. */
  readonly fieldsOf: (resource: string) => DeclaredFields | undefined;
  /** Records of an earlier version, by resource. */
  readonly earlier?: Readonly<Record<string, readonly JsonObject[]>>;
}

export interface LogLine {
  readonly level: keyof Log;
  readonly text: string;
  readonly details?: JsonObject;
}

type EventName = keyof TelephonyEvents;

/** A context in memory. Only SQL is real: SQLite without a file. */
export function createTestContext(options: TestContextOptions) {
  const { settings = {}, core = {}, calls = {}, fieldsOf, earlier = {} } = options;
  const lines: LogLine[] = [];
  const stores = new Map<string, ReturnType<typeof createMemoryRecords>>();
  const listeners: { type: EventName; handle: (event: never) => Awaitable<void> }[] = [];
  const database = new DatabaseSync(':memory:');
  const write = (level: keyof Log) => (text: string, details?: JsonObject) =>
    void lines.push({ level, text, ...(details && { details }) });
  const failed = (what: string) => (error: unknown) =>
    write('error')(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  const { acts, asked } = createMemoryCalls(calls);
  const { schedule, advance } = createManualSchedule({ onError: failed('scheduled work failed') });

  let isMoving = false;
  function heldIn(name: string) {
    const known = stores.get(name);
    if (known) return known;
    // A migration can still read records that are no longer declared.
    const fields = fieldsOf(name) ?? (isMoving ? declareFields({}, name) : undefined);
    if (!fields) throw new Error(`there is no stored resource ${name}`);
    const left = Object.hasOwn(earlier, name) ? earlier[name] : undefined;
    const made = createMemoryRecords({
      name,
      fields,
      warn: write('warn'),
      earlier: left,
      isMoving: () => isMoving,
    });
    stores.set(name, made);
    return made;
  }
  const recordsOf = (name: string) => heldIn(name).store;

  const context: Context = {
    id: 'Test',
    pbx: { version: '2026.1.76', timezone: 'UTC' },
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    store: createMemoryValues(write('warn')),
    // A class may ask for its records while it is being described: they exist once it is called.
    records: (name) => ({
      list: async (query) => recordsOf(name).list(query),
      each: (query) => recordsOf(name).each(query),
      get: async (id) => recordsOf(name).get(id),
      find: async (field, value) => recordsOf(name).find(field, value),
      create: async (fields) => recordsOf(name).create(fields),
      update: async (id, fields) => recordsOf(name).update(id, fields),
      save: async (changes) => recordsOf(name).save(changes),
      remove: async (id) => recordsOf(name).remove(id),
    }),
    sql: ownSql(database),
    core: refusing(core),
    calls: acts,
    settings,
    on: (type, handle) => void listeners.push({ type, handle }),
    schedule,
  };

  return {
    context,
    lines,
    asked,
    advance,
    /** Runs the module's migration of earlier records, then indexes them as this version declares. */
    async move(migrate: () => Awaitable<void>): Promise<void> {
      isMoving = true;
      await migrate();
      isMoving = false;
      for (const name of Object.keys(earlier)) if (fieldsOf(name)) heldIn(name).index();
    },
    async emit<T extends EventName>(type: T, event: TelephonyEvents[T]): Promise<void> {
      for (const listener of listeners.filter((known) => known.type === type))
        try {
          await listener.handle(event as never);
        } catch (error) {
          failed(`the handler of ${type} failed`)(error);
        }
    },
    close: () => database.close(),
  };
}

function ownSql(database: DatabaseSync): OwnSql {
  return {
    exec: (sql) => database.exec(sql),
    all: (sql, ...given) => database.prepare(sql).all(...given) as ReturnType<OwnSql['all']>,
    get: (sql, ...given) => database.prepare(sql).get(...given) as ReturnType<OwnSql['get']>,
    run(sql, ...given) {
      const { changes, lastInsertRowid } = database.prepare(sql).run(...given);
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
    transaction(work) {
      database.exec('BEGIN');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

/** A right that the test did not grant is missing. */
export function refusing(core: Partial<CoreReads>): CoreReads {
  const refuse = (name: string) => async () => {
    throw forbidden(`${name}: not permitted`);
  };
  return {
    employees: refuse('employees'),
    employee: refuse('employee'),
    providers: refuse('providers'),
    calls: refuse('calls'),
    employeeStatuses: refuse('employeeStatuses'),
    providerStatuses: refuse('providerStatuses'),
    activeCalls: refuse('activeCalls'),
    request: refuse('request'),
    ...core,
  };
}
