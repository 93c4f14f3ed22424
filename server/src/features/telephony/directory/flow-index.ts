import type { FlowKind, FlowRecord, NamedThing, Reference, User } from '../../../lib/flow-record.ts';

/** Records of all kinds, indexed for every lookup. */
export interface FlowIndex {
  /** In the order of their ids. The same list until a record of the kind is written. */
  readonly all: (kind: FlowKind) => readonly FlowRecord[];
  readonly find: (kind: FlowKind, id: string) => FlowRecord | undefined;
  readonly byNumber: (number: string) => FlowRecord | undefined;
  readonly users: (named: NamedThing, name: string) => readonly User[];
}

type ReferencesOf = (record: FlowRecord) => readonly Reference[];

/** A single answer may take thousands of lookups. `before` is the previous index. */
export function indexRecords(
  records: readonly FlowRecord[],
  referencesOf: ReferencesOf,
  before: FlowIndex | undefined,
): FlowIndex {
  const byKind = Map.groupBy(records, ({ kind }) => kind);
  for (const [kind, list] of byKind) {
    const last = before?.all(kind) ?? [];
    const isSame = last.length === list.length && list.every((record, at) => record === last[at]);
    if (isSame) byKind.set(kind, last as FlowRecord[]);
  }
  const byId = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
  const numbered = records.filter(({ number }) => number !== '');
  const byNumber = new Map(numbered.map((record) => [record.number, record]));
  let users: ReadonlyMap<string, User[]> | undefined;

  return {
    all: (kind) => byKind.get(kind) ?? NONE,
    find: (kind, id) => byId.get(`${kind} ${id}`),
    byNumber: (number) => byNumber.get(number),
    users(named, name) {
      users ??= usersOf(records, referencesOf);
      return users.get(`${named} ${name}`) ?? [];
    },
  };
}

const NONE: readonly FlowRecord[] = [];

function usersOf(records: readonly FlowRecord[], referencesOf: ReferencesOf): Map<string, User[]> {
  const users = new Map<string, User[]>();
  for (const record of records) {
    const { kind, id, name: own } = record;
    for (const { field, named, name, givesWay = false } of referencesOf(record)) {
      const known = users.get(`${named} ${name}`) ?? [];
      known.push({ kind, id, name: own, field, givesWay });
      users.set(`${named} ${name}`, known);
    }
  }
  return users;
}
