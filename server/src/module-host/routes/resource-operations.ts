import type { Access, Visitor } from '../../http/route.ts';
import type { StoredRecords } from '../data/stored-records.ts';
import type { CheckedResource, OperationKind } from '../description/described-module.ts';
import type { CallMessage, Done, ResultKind } from '../line/protocol.ts';
import { type Carried, callMessage } from './call-message.ts';
import { type ListDone, storedList } from './stored-list.ts';

/** Sends a call to the module's current worker. */
export type Send = (
  op: number,
  as: ResultKind,
  call: CallMessage,
  caller: Visitor['caller'],
) => Promise<Done>;

/** One operation of a resource, by the module or the exchange. */
type Operate = (access: Access, visitor: Visitor, carried: Carried) => Promise<Done | ListDone>;

/** All operations: the module's own handlers and, if the records are stored here, the rest (contract 9.1). */
export function resourceOperations(
  resource: CheckedResource,
  send: Send,
  records: StoredRecords | undefined,
): ReadonlyMap<OperationKind, Operate> {
  const operations = new Map<OperationKind, Operate>(records ? storedOperations(records) : []);
  for (const [kind, { handler }] of resource.operations) {
    const as = kind === 'list' ? 'list' : kind === 'read' ? 'record' : 'value';
    operations.set(kind, (access, visitor, carried) =>
      send(handler, as, callMessage(access, visitor, carried), visitor.caller),
    );
  }
  return operations;
}

function storedOperations(records: StoredRecords): [OperationKind, Operate][] {
  const update: Operate = async (_, __, { id = '', body }) =>
    done(await records.update(id, body as Record<string, unknown>));
  return [
    ['list', (_, __, carried) => storedList(records, carried)],
    ['read', async (_, __, { id = '' }) => done(await records.get(id))],
    ['create', async (_, __, { body }) => done(await records.create(body as Record<string, unknown>))],
    ['replace', update],
    ['patch', update],
    [
      'remove',
      async (_, __, { id = '' }) => {
        await records.remove(id);
        return done({});
      },
    ],
  ];
}

const done = (value: unknown): Done => ({
  t: 'done',
  n: 0,
  json: value === undefined ? undefined : JSON.stringify(value),
  info: [],
  warning: [],
});
