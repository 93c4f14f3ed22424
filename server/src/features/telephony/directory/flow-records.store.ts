import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type {
  FlowKind,
  FlowRecord,
  FlowValues,
  NamedThing,
  Reference,
  User,
} from '../../../lib/flow-record.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { createSqlCopy } from '../../../store/sql/sql-copy.ts';
import { type FlowIndex, indexRecords } from './flow-index.ts';
import { byKindAndId, keyOf, type ReadRow, readAgain } from './flow-rows.ts';
import { createFlowWriter } from './flow-writer.ts';
import { takeTurn } from './turns.ts';

interface StoreOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** Called when the tables cannot be read in the background. */
  readonly onError: (error: unknown) => void;
}

/** What the store needs to know about a kind. */
interface DeclaredKind {
  readonly references: (values: FlowValues) => readonly Reference[];
  /** Defaults of its fields: a record stored before a field was added lacks it. */
  readonly defaults: FlowValues;
  /** Targets to which a call proceeds without the caller pressing a key. */
  readonly fallsThroughTo?: (values: FlowValues) => readonly string[];
}

/** Everything that says where calls go, of all kinds, in memory and in one table (ADR 45). */
export async function createFlowRecordStore({ db, clock, onError }: StoreOptions) {
  const kinds = new Map<FlowKind, DeclaredKind>();
  let known: { version: number; records: readonly FlowRecord[] } | undefined;
  let read: ReadonlyMap<string, ReadRow> = new Map();
  const copy = await createSqlCopy({ load, clock, onError, revision: readVersion });

  async function readVersion(): Promise<number> {
    const row = await db.selectFrom('call_flow_changes').select('version').executeTakeFirstOrThrow();
    return row.version;
  }

  async function load() {
    // Read the version first: what is written meanwhile is read again next time, never missed.
    const version = await readVersion();
    if (known?.version !== version) {
      const rows = await db.selectFrom('call_flow_records').selectAll().execute();
      read = new Map(rows.map((row) => [keyOf(row), readAgain(row, read.get(keyOf(row)))]));
      known = { version, records: [...read.values()].map(({ record }) => record).sort(byKindAndId) };
    }
    return known;
  }

  const referencesOf = ({ kind, values }: FlowRecord): readonly Reference[] =>
    kinds.get(kind)?.references(values) ?? [];

  const completed = new WeakMap<FlowRecord, FlowRecord>();

  /** Adds the defaults of fields that were added after it was stored. */
  function complete(record: FlowRecord): FlowRecord {
    const { defaults } = kinds.get(record.kind) ?? {};
    if (!defaults || Object.keys(defaults).every((name) => Object.hasOwn(record.values, name))) return record;
    const whole = completed.get(record) ?? { ...record, values: { ...defaults, ...record.values } };
    completed.set(record, whole);
    return whole;
  }

  let indexed: { of: readonly FlowRecord[]; index: FlowIndex } | undefined;

  /** Rebuilt only after a write. */
  function index(): FlowIndex {
    const { records } = copy.current();
    if (indexed?.of !== records)
      indexed = { of: records, index: indexRecords(records.map(complete), referencesOf, indexed?.index) };
    return indexed.index;
  }

  return {
    /** Every kind is declared before anything is written. */
    declare(kind: FlowKind, declared: DeclaredKind): void {
      kinds.set(kind, declared);
      indexed = undefined;
    },

    /** Afterwards the copy has everything that any node had stored; rejects if that cannot be read. */
    async settle(): Promise<void> {
      await copy.fresh();
    },
    /** In the order of their ids. */
    all: (kind: FlowKind): readonly FlowRecord[] => index().all(kind),
    find: (kind: FlowKind, id: string): FlowRecord | undefined => index().find(kind, id),

    /** Changes whenever any record may have changed. */
    version: (): number => copy.current().version,

    byNumber: (number: string): FlowRecord | undefined => index().byNumber(number),
    /** Where a queue or menu sends a call without the caller pressing a key (contract 21.3). */
    goesOnTo(number: string): readonly string[] {
      const record = index().byNumber(number);
      return (record && kinds.get(record.kind)?.fallsThroughTo?.(record.values)) ?? [];
    },

    /** Who names it now, as far as is known. */
    users: (named: NamedThing, name: string): readonly User[] => index().users(named, name),

    /** Within a transaction that holds the turn. */
    writer: (trx: Kysely<Database>) => createFlowWriter(trx, clock.now(), { referencesOf, complete }),

    /** All or nothing; one write at a time on all nodes together. */
    async write<T>(work: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
      const result = await db.transaction().execute(async (trx) => {
        await takeTurn(trx);
        return work(trx);
      });
      await copy.reload().catch(() => {});
      return result;
    },
    /** Follows another feature's write, which may have changed records here. */
    async follow(): Promise<void> {
      await copy.reload().catch(() => {});
    },

    onChange: (listener: () => void): void => copy.onChange(() => listener()),
    close: () => copy.close(),
  };
}
