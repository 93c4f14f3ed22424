import Type from 'typebox';
import { custom, described, type Fields, optional, partly, text } from '../../../http/fields.ts';
import { pageFields, pageOf } from '../../../http/page.ts';
import { type Call, digits, type Route, reads, route, writes } from '../../../http/route.ts';
import { FLOW_KINDS, type FlowRecord, type FlowValues } from '../../../lib/flow-record.ts';
import { replaceWith } from '../../../lib/target.ts';
import type { FlowResource } from './flow-resource.ts';
import { defaultsOf, type FlowService, type SavedRecord } from './flow-service.ts';
import type { LookAtFlow } from './flow-view.ts';
import { readPriorities } from './priorities.ts';

interface RouteParts<V extends FlowValues> {
  readonly kindOf: FlowResource<V>;
  readonly service: FlowService<V>;
  readonly look: LookAtFlow;
}

export const wordId = {
  pattern: /^[A-Z][A-Za-z0-9_-]{2,63}$/,
  description: 'a capital letter, then 2..63 letters, digits, _ or -',
} as const;

/** A client may choose the id of a queue or menu (C9). */
const chosenId = described(
  optional(
    text({
      max: 64,
      pattern: { test: /^$|^[A-Z][A-Za-z0-9_-]{2,63}$/, says: `must be ${wordId.description}` },
    }),
  ),
  'Id chosen by the client; generated when absent',
);

const anyWord = optional(custom<string>({ type: 'string' }, String));

/** Routes common to all kinds: list, record, create, change, delete, default, copy, priorities (C1 to C12). */
export function flowRoutes<V extends FlowValues>({ kindOf, service, look }: RouteParts<V>): Route[] {
  const { kind, resource, fields, ids, lastPriority } = kindOf;
  const { word, many } = FLOW_KINDS[kind];
  const path = `/${kind}`;
  const [one, article] = [word, /^[aeio]/.test(word) ? 'an' : 'a'];
  const read = reads(resource);
  const write = writes(resource);
  const answered = { ...kindOf.Record.properties, ...kindOf.ListItem.properties };
  const ignoredFields = ['isNew', ...Object.keys(answered)].filter(
    (name) => !Object.hasOwn(fields, name) && !(name === 'id' && ids !== 'digits'),
  );
  const sortNames = Object.keys(kindOf.sortedBy);
  const order = described(
    anyWord,
    `Field to sort by: ${sortNames.join(', ')}; any other value means ${sortNames[0]}`,
  );
  const way = described(anyWord, '`asc` or `desc`, ignoring case');
  const shared = {
    id: ids === 'digits' ? digits : wordId,
    find: service.find,
    ignoredFields: ids === 'digits' ? ignoredFields : [...ignoredFields, 'id'],
    answer: kindOf.Record,
  } as const;

  async function shown(record: FlowRecord<V>) {
    return kindOf.toRecord(record, await look());
  }
  async function told({ warn, inform }: Call, { record, warnings, infos }: SavedRecord<V>) {
    for (const warning of warnings) warn(warning);
    for (const info of infos) inform(info);
    return shown(record);
  }
  const unsavedView = async (record: FlowRecord<V>) => ({
    ...(await shown(record)),
    ...(ids !== 'digits' && { isNew: '1' }),
  });

  const routes = [
    route({
      method: 'GET',
      path,
      function: 'getList',
      access: read,
      summary: `List or search ${many}`,
      query: {
        ...pageFields,
        search: described(optional(text({ max: 255 })), 'Text contained in the record, ignoring case'),
        order,
        orderWay: way,
        order_by: order,
        order_direction: way,
        ...kindOf.filters,
      } as Fields,
      answer: Type.Array(kindOf.ListItem),
      async handle({ query: sent }) {
        const query = sent as Readonly<Record<string, unknown>>;
        const view = await look();
        const wanted = String(query.search ?? '').toLowerCase();
        const found = (await service.list()).filter(
          (record) =>
            kindOf.searched(record).some((part) => part.toLowerCase().includes(wanted)) &&
            (kindOf.isWanted?.(record, query) ?? true),
        );
        const sorted = inOrder(kindOf, found, query);
        return pageOf(sorted, query as { limit?: number; offset?: number }).map((record) =>
          kindOf.toListItem(record, view),
        );
      },
    }),
    route({
      method: 'GET',
      path: `${path}:getDefault`,
      function: 'getDefault',
      access: read,
      summary: `A new ${one} with the defaults, not stored`,
      answer: kindOf.Record,
      handle: async () => unsavedView(await service.unsaved(defaultsOf(fields) as V)),
    }),
    route({
      method: 'POST',
      path,
      function: 'create',
      access: write,
      summary: `Create ${article} ${one}`,
      status: 201,
      body: (ids === 'digits' ? fields : { ...fields, id: chosenId }) as Fields,
      ignoredFields,
      answer: kindOf.Record,
      errors: [409, 422],
      async handle(call) {
        const { id, ...values } = call.body as V & { id?: string };
        return told(call as Call, await service.create(values as unknown as V, id));
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{id}`,
      function: 'getRecord',
      access: read,
      summary: `Read ${article} ${one}`,
      ...shared,
      handle: ({ found }) => shown(found),
    }),
    route({
      method: 'PUT',
      path: `${path}/{id}`,
      function: 'update',
      access: write,
      summary: `Replace ${article} ${one}; an absent field returns to its default`,
      body: fields,
      errors: [409, 422],
      ...shared,
      handle: async (call) =>
        told(call as Call, await service.replace(call.found.id, call.body as Partial<V>)),
    }),
    route({
      method: 'PATCH',
      path: `${path}/{id}`,
      function: 'patch',
      access: write,
      summary: `Change the sent fields of ${article} ${one}`,
      body: partly(fields),
      errors: [409, 422],
      ...shared,
      handle: async (call) => told(call as Call, await service.patch(call.found.id, call.body as Partial<V>)),
    }),
    route({
      method: 'DELETE',
      path: `${path}/{id}`,
      function: 'delete',
      access: write,
      summary: `Delete ${article} ${one}; 409 while it is used`,
      ...shared,
      ...(kindOf.numberField && { query: { replaceWith } }),
      errors: [409],
      answer: Type.Object({ deleted_id: Type.String() }),
      async handle({ found, query, warn, inform }) {
        const target = (query as { replaceWith?: string }).replaceWith;
        const { warnings, infos } = await service.delete(found.id, target);
        for (const warning of warnings) warn(warning);
        for (const info of infos) inform(info);
        return { deleted_id: found.id };
      },
    }),
  ];
  const copies = [
    route({
      method: 'GET',
      path: `${path}/{id}:copy`,
      function: 'copy',
      access: read,
      summary: `A copy of ${article} ${one}, not stored`,
      ...shared,
      handle: async ({ found }) => unsavedView(await service.copyOf(found)),
    }),
    route({
      method: 'POST',
      path: `${path}/{id}:copy`,
      function: 'copy',
      access: write,
      summary: `Store a copy of ${article} ${one}`,
      status: 201,
      errors: [409],
      ...shared,
      async handle(call) {
        return told(call as Call, await service.storeCopy(call.found));
      },
    }),
  ];
  const priorities = (name: string) =>
    route({
      method: 'POST',
      path: `${path}:${name}`,
      function: name,
      access: write,
      summary: `Set the priorities of several ${many} in one step`,
      description:
        'Send `priorities`: an object that maps ids to priorities, or a list of objects with `id` and `priority`. The object may also be the whole body.',
      accepts: { anyObject: true },
      answer: Type.Object({ updated: Type.Integer(), message: Type.String() }),
      errors: [400, 404],
      async handle({ body }) {
        const wanted = readPriorities(
          body as Readonly<Record<string, unknown>>,
          lastPriority ?? 0,
          kindOf.keepsPriority,
        );
        const updated = await service.changePriorities(wanted);
        return { updated, message: `${updated} priorities changed` };
      },
    });

  return [
    ...routes,
    ...(kindOf.hasCopies === false ? [] : copies),
    ...(kindOf.priorityVerbs ?? (lastPriority === undefined ? [] : ['changePriority'])).map(priorities),
  ];
}

/** Ties are ordered by id; an unknown name means the default (C5). */
function inOrder<V extends FlowValues>(
  { sortedBy }: FlowResource<V>,
  records: readonly FlowRecord<V>[],
  query: Readonly<Record<string, unknown>>,
): FlowRecord<V>[] {
  const name = String(query.order ?? query.order_by ?? '');
  const isKnown = Object.hasOwn(sortedBy, name);
  const key = (isKnown ? sortedBy[name] : Object.values(sortedBy)[0]) ?? (() => 0);
  const way = String(query.orderWay ?? query.order_direction ?? '').toLowerCase();
  const sign = isKnown && way === 'desc' ? -1 : 1;
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');
  const byKey = (a: FlowRecord<V>, b: FlowRecord<V>) => sign * compare(key(a), key(b));
  // The list arrives in the order of ids, and sorting is stable.
  return [...records].sort(byKey);
}
