import type { Context, CoreReads, JsonObject, Log, Scheduler } from '@pbxcore/module/description';
import { EVENT_READS, type WorkerSetup } from '../line/protocol.ts';
import type { Link } from './link.ts';
import { createOwnSql } from './own-sql.ts';
import { saveChanges } from './save-changes.ts';

const MAX_TIMER_MS = 2 ** 31 - 1;

type EventHandler = (event: never) => unknown;

/** Builds the module's context, and what the runtime needs of it. */
export function createContext(setup: WorkerSetup, link: Link) {
  const handlers = new Map<string, EventHandler[]>();
  const sql = createOwnSql();
  const log: Log = {
    debug: (text, details) => link.log('debug', text, details),
    info: (text, details) => link.log('info', text, details),
    warn: (text, details) => link.log('warn', text, details),
    error: (text, details) => link.log('error', text, details),
  };
  const context: Context = Object.freeze<Context>({
    id: setup.id,
    pbx: Object.freeze({ ...setup.pbx }),
    log: Object.freeze(log),
    settings: deepFreeze(JSON.parse(setup.settings)),
    store: {
      get: (key) => link.ask('store.get', [key]),
      set: async (key, value) => void (await link.ask('store.set', [key, value])),
      delete: async (key) => void (await link.ask('store.delete', [key])),
      keys: (prefix = '', after = '') => link.ask('store.keys', [prefix, after]) as Promise<string[]>,
    },
    records: (resource) => ({
      list: (query = {}) => link.ask('records.list', [resource, query]) as never,
      each: (query = {}) => eachRecord(link, resource, query),
      get: (id) => link.ask('records.get', [resource, id]) as never,
      find: (field, value) => link.ask('records.find', [resource, field, value]) as never,
      create: (fields) => link.ask('records.create', [resource, fields]) as never,
      update: (id, fields) => link.ask('records.update', [resource, id, fields]) as never,
      save: (changes) => saveChanges({ link, most: setup.saves, resource, changes }),
      remove: (id) => link.ask('records.remove', [resource, id]) as never,
    }),
    sql,
    core: coreReads(link),
    calls: {
      originate: (order) => link.ask('calls.originate', [order]) as Promise<string>,
      hangup: async (callId) => void (await link.ask('calls.hangup', [callId])),
      transfer: async (callId, to, options = {}) =>
        void (await link.ask('calls.transfer', [callId, to, options])),
    },
    on(type, handle) {
      const read = EVENT_READS[type];
      if (!read) throw new Error(`there is no event ${String(type)}`);
      if (!setup.reads.includes(read))
        throw new Error(`${type} needs ${read} among the reads of module.json`);
      handlers.set(type, [...(handlers.get(type) ?? []), handle as EventHandler]);
      link.post({ t: 'listen', type });
    },
    schedule: createScheduler(log),
  });

  return {
    context,
    isListening: (): boolean => handlers.size > 0,
    close: () => sql.close(),
    async heard(type: string, event: unknown): Promise<void> {
      for (const handle of handlers.get(type) ?? []) {
        try {
          await handle(event as never);
        } catch (error) {
          log.error(`a handler of ${type} failed`, { error: textOf(error) });
        }
      }
    },
  };
}

async function* eachRecord(link: Link, resource: string, { search }: { search?: string }) {
  let after: string | undefined;
  do {
    const part = await link.ask('records.following', [resource, { search, after }]);
    const { items, after: last } = part as { items: JsonObject[]; after?: string };
    yield* items;
    after = last;
  } while (after !== undefined);
}

/** With `during`, the rights of that call's caller count. */
export function coreReads(link: Link, during?: number): CoreReads {
  const read = (what: string, query: object = {}, id = '') =>
    link.ask('core', [what, query, id], during) as Promise<never>;
  return {
    employees: (query) => read('employees', query),
    employee: (id) => read('employee', {}, id),
    providers: () => read('providers'),
    calls: (query) => read('calls', query),
    employeeStatuses: () => read('employeeStatuses'),
    providerStatuses: () => read('providerStatuses'),
    activeCalls: () => read('activeCalls'),
    request: (verb, path, { query = {}, body } = {}) =>
      link.ask(
        'core.request',
        [verb, path, query, body === undefined ? '' : JSON.stringify(body)],
        during,
      ) as Promise<never>,
  };
}

function createScheduler(log: Log): Scheduler {
  async function run(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error('scheduled work failed', { error: textOf(error) });
    }
  }
  return {
    every(ms, work) {
      checkTime(ms);
      let busy = false;
      const timer = setInterval(
        async () => {
          if (busy) return;
          busy = true;
          await run(work);
          busy = false;
        },
        Math.max(100, ms),
      );
      return () => clearInterval(timer);
    },
    after(ms, work) {
      checkTime(ms);
      const timer = setTimeout(() => void run(work), ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Node's timers treat a delay that is too large as one millisecond: a month would become a busy loop. */
function checkTime(ms: unknown): void {
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= MAX_TIMER_MS))
    throw new Error(`a delay must be 0..${MAX_TIMER_MS} milliseconds, not ${String(ms)}`);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

export const textOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2000);
