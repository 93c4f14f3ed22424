import { unsentAsNull } from '@pbxcore/module/fields';
import type { TSchema } from 'typebox';
import { envelopedJson, envelopedPieces } from '../../http/answer.ts';
import { custom, type Fields, optional, text } from '../../http/fields.ts';
import { type Page, pageBounds, pageFields } from '../../http/page.ts';
import type { Access, Call, Method, Resource, Route } from '../../http/route.ts';
import { NotFound } from '../../lib/errors.ts';
import type { StoredRecords } from '../data/stored-records.ts';
import type { CheckedAction, CheckedResource, OperationKind } from '../description/described-module.ts';
import type { Done } from '../line/protocol.ts';
import { type Carried, callMessage } from './call-message.ts';
import { MODULE_DIALECT } from './module-dialect.ts';
import { recordSchema } from './record-schema.ts';
import { resourceOperations, type Send } from './resource-operations.ts';
import { specialAnswer } from './special-answer.ts';
import type { ListDone } from './stored-list.ts';

interface V3Parts {
  readonly module: { readonly id: string; readonly folder: string };
  readonly resource: CheckedResource;
  readonly send: Send;
  /** If the exchange stores the records of this resource. */
  readonly records: StoredRecords | undefined;
}

const ITEM: readonly OperationKind[] = ['read', 'replace', 'patch', 'remove'];
const METHODS: Readonly<Record<OperationKind, { method: Method; function: string; summary: string }>> = {
  list: { method: 'GET', function: 'getList', summary: 'List' },
  create: { method: 'POST', function: 'create', summary: 'Create' },
  read: { method: 'GET', function: 'getRecord', summary: 'Read one' },
  replace: { method: 'PUT', function: 'update', summary: 'Replace' },
  patch: { method: 'PATCH', function: 'patch', summary: 'Change' },
  remove: { method: 'DELETE', function: 'delete', summary: 'Delete' },
};

/** The routes of one described resource (contract 9.1). Handles fields, defaults, PATCH, pages and 404. */
export function v3Routes({ module, resource, send, records }: V3Parts): Route[] {
  const operations = resourceOperations(resource, send, records);
  const { fields, path, id } = resource;
  const ignoredFields = ['id', ...fields.readOnly];
  const hasWrites = [...operations.keys()].some((kind) => METHODS[kind].method !== 'GET');
  const granted: Resource = {
    path: `/api/v3${path}`,
    name: resource.permission,
    label: resource.label,
    description: resource.description || `Published by the module ${module.id}`,
    levels: hasWrites || resource.actions.some(({ verb }) => verb === 'POST') ? ['read', 'write'] : ['read'],
    module: module.id,
  };
  const accessTo = (method: Method, channels: CheckedResource['channels'], raw?: number): Access => ({
    kind: 'channels',
    channels,
    resource: granted,
    level: method === 'GET' ? 'read' : 'write',
    ...(raw && { ownPagesOnly: true }),
  });

  const read = operations.get('read');
  const missing = (itemId: string) => new NotFound(`${resource.label} ${itemId} not found`);
  /** The record named by `{id}`, or 404; read before the fields are checked (contract 1.1, step 7). */
  const finder = (access: Access) =>
    read &&
    (async (itemId: string, visitor: Parameters<NonNullable<Route['find']>>[1]) => {
      const found = await read(access, visitor, { id: itemId });
      if (found.json === undefined) throw missing(itemId);
      return found;
    });

  function pass(call: Call, { info, warning }: Done): void {
    for (const said of info) call.inform(String(said));
    for (const said of warning) call.warn(String(said));
  }

  async function render(call: Call, done: Done) {
    pass(call, done);
    return done.special ? specialAnswer(done.special, module) : envelopedJson(done.json ?? '{}');
  }

  function standard(kind: OperationKind): Route[] {
    const operate = operations.get(kind);
    const onItem = ITEM.includes(kind);
    if (!operate || (onItem && !id)) return [];
    const { method, function: name, summary } = METHODS[kind];
    const said = resource.operations.get(kind);
    const raw = said?.raw;
    const access = accessTo(method, said?.channels ?? resource.channels, raw);
    const hasFields = !raw && (kind === 'create' || kind === 'replace' || kind === 'patch');
    const body = hasFields ? fields[kind] : undefined;
    const query = queryOf(kind, said?.query.query, records !== undefined && !said);
    // A record that is read with a query can only be read after the query is checked.
    const readsWithQuery = kind === 'read' && query !== undefined;
    const find = onItem && !readsWithQuery ? finder(access) : undefined;
    return [
      erased({
        method,
        path: onItem ? `${path}/{id}` : path,
        dialect: MODULE_DIALECT,
        function: name,
        access,
        summary: said?.summary || `${summary}: ${resource.label}`,
        ...(onItem && id && { id }),
        ...(find && { find }),
        ...(query && { query }),
        ...(body && { body, ignoredFields }),
        ...(raw && { accepts: asItCame(raw) }),
        ...(kind === 'create' && { status: 201 as const }),
        ...(kind === 'list' && { paged: true as const }),
        answer: answerOf(kind),
        errors: kind === 'list' ? [400] : [404, 409, 422],
        async handle(call) {
          if (kind === 'read' && !readsWithQuery) return render(call, call.found as unknown as Done);
          const sent = kind === 'replace' ? unsentAsNull(call.body, fields.replace) : call.body;
          const carried = carriedBy(call, sent, raw);
          const done = await operate(access, call, carried);
          if (kind === 'read' && done.json === undefined) throw missing(call.id);
          return kind === 'list' ? listAnswer(call, carried, done) : render(call, done);
        },
      }),
    ];
  }

  async function listAnswer(call: Call, { limit, offset = 0 }: Carried, done: Done | ListDone) {
    const { total = 0, count = 0 } = done;
    pass(call, done);
    if ('pieces' in done && done.pieces && typeof done.pagination === 'function')
      return envelopedPieces(done.pieces, done.pagination);
    const hasMore = offset + count < total;
    return envelopedJson(done.json ?? '[]', { total, limit: limit ?? count, offset, hasMore });
  }

  function action(described: CheckedAction): Route[] {
    if (described.onItem && !id) return [];
    const { verb, name, onItem, handler, csv, raw } = described;
    const access = accessTo(verb, described.channels, raw);
    const find = onItem ? finder(access) : undefined;
    const anyObject = verb === 'POST' && described.body === undefined && !raw;
    const csvField = csv ? { csv: optional(custom({ type: 'string' }, String)) } : {};
    return [
      erased({
        method: verb,
        path: `${path}${onItem ? '/{id}' : ''}:${name}`,
        dialect: MODULE_DIALECT,
        function: name,
        access,
        summary: described.summary || `${name}: ${resource.label}`,
        ...(onItem && id && { id }),
        ...(find && { find }),
        query: described.query.query,
        ...(verb === 'POST' && described.body && { body: { ...described.body.create, ...csvField } }),
        ...((anyObject || csv) && {
          accepts: { ...(anyObject && { anyObject: true as const }), ...(csv && { csv: true as const }) },
        }),
        ...(raw && { accepts: asItCame(raw) }),
        answer: {} as TSchema,
        produces: ['*/*'],
        storesNothing: true, // as far as is known
        errors: [404, 409, 422],
        handle: async (call) =>
          render(
            call,
            await send(
              handler,
              'value',
              callMessage(access, call, carriedBy(call, call.body, raw)),
              call.caller,
            ),
          ),
      }),
    ];
  }

  const answerOf = (kind: OperationKind): TSchema => {
    const record = recordSchema(fields, records !== undefined && !resource.operations.has(kind));
    if (kind === 'list') return { type: 'array', items: record } as unknown as TSchema;
    return kind === 'remove' ? ({} as TSchema) : (record as TSchema);
  };

  return [
    ...(Object.keys(METHODS) as OperationKind[]).flatMap(standard),
    ...resource.actions.flatMap(action),
  ];
}

/** The body is not parsed: it is one field, whatever it holds. */
const asItCame = (maxBytes: number) => ({ bytes: { maxBytes }, anyObject: true as const });

/** What the kernel found and checked, for the module. */
function carriedBy(call: Call, body: unknown, raw?: number): Carried {
  const { limit: _, offset: _2, ...query } = call.query as Page;
  return {
    id: call.id,
    ...(raw ? { raw: (body as { bytes: Buffer }).bytes.toString('latin1') } : { body }),
    query,
    ...pageBounds(call.query as Page),
    record: (call.found as Done | undefined)?.json,
  };
}

function queryOf(kind: OperationKind, declared: Fields | undefined, searches: boolean): Fields | undefined {
  if (kind !== 'list') return declared;
  return { ...(searches && { search: optional(text({ max: 255 })) }), ...declared, ...pageFields };
}

const erased = (
  definition: Omit<Route, 'handle' | 'find'> & { find?: unknown; handle(call: Call): unknown },
): Route => definition as unknown as Route;
