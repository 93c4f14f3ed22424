import { type Fields, readFields } from '../../../http/fields.ts';
import { Conflict, InvalidFields, NotFound, RuleBroken } from '../../../lib/errors.ts';
import { FLOW_KINDS, type FlowRecord, type FlowValues } from '../../../lib/flow-record.ts';
import type { Directory } from '../../telephony/directory/directory.ts';
import type { Leaving, NumberDesk } from '../../telephony/directory/number-desk.ts';
import { missingProblems, referenceWarnings } from './flow-checks.ts';
import { isId, newId } from './flow-ids.ts';
import { type FlowResource, storedReferences } from './flow-resource.ts';
import type { LookAtFlow } from './flow-view.ts';

interface ServiceParts {
  readonly directory: Directory;
  readonly look: LookAtFlow;
  readonly extensionLength: number;
}

export interface SavedRecord<V> {
  readonly record: FlowRecord<V>;
  readonly warnings: readonly string[];
  readonly infos: readonly string[];
}

const TYPES = { 'ivr-menu': 'IVR', 'call-queues': 'QUEUE' } as const;
const COPY_PREFIX = 'copy of ';

/** Storage of records of one kind (C1 to C12). */
export function createFlowService<V extends FlowValues>(
  kindOf: FlowResource<V>,
  { directory, look, extensionLength }: ServiceParts,
) {
  const { kind, ids, nameField, numberField, lastPriority, fields, fallsThroughTo } = kindOf;
  const { word, many, most } = FLOW_KINDS[kind];
  const { records } = directory;
  records.declare(kind, {
    references: (values) => storedReferences(kindOf.references(values as V)),
    defaults: defaultsOf(fields),
    ...(fallsThroughTo && { fallsThroughTo: (values: FlowValues) => fallsThroughTo(values as V) }),
  });
  const isListed = kindOf.isListed ?? (() => true);
  const listed = (all: readonly FlowRecord[]) => (all as readonly FlowRecord<V>[]).filter(isListed);

  const nextPriority = (all: readonly FlowRecord[]): number =>
    lastPriority === undefined
      ? 0
      : Math.min(lastPriority, Math.max(0, ...listed(all).map((one) => one.priority)) + 1);

  function made(
    id: string,
    sent: V,
    base: Pick<FlowRecord<V>, 'priority' | 'createdAt' | 'updatedAt' | 'inside'>,
    before?: V,
  ): FlowRecord<V> {
    const kept = kindOf.kept?.(sent, before) ?? sent;
    const values = kindOf.fixed?.(kept, id) ?? kept;
    return {
      kind,
      id,
      number: numberField ? String(values[numberField] ?? '') : '',
      name: String(values[nameField] ?? ''),
      values,
      ...base,
      ...(lastPriority !== undefined && typeof values.priority === 'number' && { priority: values.priority }),
    };
  }

  /** 400, 409, 422, in this order (contract 1.1). */
  async function check(
    desk: NumberDesk,
    record: FlowRecord<V>,
    before: FlowRecord<V> | undefined,
  ): Promise<void> {
    const named = kindOf.references(record.values);
    const known = before ? kindOf.references(before.values) : [];
    const isNew = ({ field, name }: { field: string; name: string }) =>
      !known.some((old) => old.field === field && old.name === name);
    const problems = [
      ...((await kindOf.problems?.(record, desk, before)) ?? []),
      ...(await missingProblems(desk, named.filter(isNew))),
    ];
    if (problems.length > 0) throw new InvalidFields(problems);
    if (numberField && record.number !== before?.number)
      await desk.refuseTaken(numberField, record.number, {
        type: TYPES[kind as keyof typeof TYPES],
        recordId: record.id,
      });
    await kindOf.guard?.(desk, record, before);
    await refuseBroken(desk, record);
  }

  async function refuseBroken(desk: NumberDesk, { values }: FlowRecord<V>): Promise<void> {
    const broken = (await kindOf.broken?.(values, desk)) ?? [];
    if (broken.length > 0) throw new RuleBroken(broken);
  }

  async function warningsOf(record: FlowRecord<V>, before: FlowRecord<V> | undefined): Promise<string[]> {
    const view = await look();
    return [
      ...referenceWarnings(view, kindOf.references(record.values), before?.inside ?? []),
      ...view.ringWarnings(record.number),
      ...(kindOf.warnings?.(record.values, view, before) ?? []),
    ];
  }

  async function stored(desk: NumberDesk, id: string): Promise<FlowRecord<V>> {
    const record = await desk.flow.find(kind, id);
    if (!record) throw new NotFound(`${word} ${id} not found`);
    return record as FlowRecord<V>;
  }

  async function change(id: string, next: (before: FlowRecord<V>) => V): Promise<SavedRecord<V>> {
    const { record, before, infos } = await directory.write(async (desk) => {
      const before = await stored(desk, id);
      const { priority, createdAt, inside = [] } = before;
      const base = { priority, createdAt, inside, updatedAt: desk.flow.now };
      const record = made(id, next(before), base, before.values);
      await check(desk, record, before);
      await desk.flow.update(record);
      const infos = await desk.follow(before.number, record.number);
      if (infos.length === 0) return { record, before, infos };
      // A reference to its own old number has followed, too, and may not lead to itself everywhere (contract 21.2).
      const followed = await stored(desk, id);
      await refuseBroken(desk, followed);
      return { record: followed, before, infos };
    });
    return { record, warnings: await warningsOf(record, before), infos };
  }

  /**
   * Changes values outside the fields, in all of these records or none; unchanged values are not written. Resolves to
   * those records that still exist.
   */
  async function changeOwn(wanted: readonly string[], next: (values: V) => V): Promise<FlowRecord<V>[]> {
    return directory.write(async (desk) => {
      const found = (await desk.flow.findAll(kind, wanted)) as FlowRecord<V>[];
      const now = found.map((record) => {
        const values = next(record.values);
        return values === record.values ? record : { ...record, values, updatedAt: desk.flow.now };
      });
      const changed = now.filter((record, at) => record !== found[at]);
      if (changed.length > 0) await desk.flow.updateOwn(changed);
      return now;
    });
  }

  async function insert(
    valuesOf: (desk: NumberDesk) => V | Promise<V>,
    chosenId: string,
  ): Promise<FlowRecord<V>> {
    return directory.write(async (desk) => {
      const values = await valuesOf(desk);
      const all = await desk.flow.all(kind);
      if (listed(all).length >= most) throw new Conflict(`at most ${most} ${many}`);
      const id = ids === 'digits' ? await desk.flow.nextId(kind) : chosenId || newId(ids);
      if (all.some((other) => other.id === id)) throw new Conflict('id: already taken');
      const wanted = Number(values.priority ?? 0);
      const { now } = desk.flow;
      const priority = wanted || nextPriority(all);
      const sent = lastPriority === undefined ? values : { ...values, priority };
      const record = made(id, sent, { priority, createdAt: now, updatedAt: now });
      await check(desk, record, undefined);
      await desk.flow.insert(record);
      return record;
    });
  }

  async function create(
    values: V | ((desk: NumberDesk) => Promise<V>),
    chosenId = '',
  ): Promise<SavedRecord<V>> {
    const record = await insert(typeof values === 'function' ? values : () => values, chosenId);
    return { record, warnings: await warningsOf(record, undefined), infos: [] };
  }

  /** An unsaved record, with an id and a number of its own where a client may choose them. */
  async function unsaved(values: V): Promise<FlowRecord<V>> {
    const view = await look();
    const number = numberField && { [numberField]: view.freeNumber(extensionLength) };
    const priority = nextPriority(view.all(kind));
    const changed = { ...values, ...number, ...(lastPriority !== undefined && { priority }) };
    return made(ids === 'digits' ? '' : newId(ids), changed, { priority, createdAt: 0, updatedAt: 0 });
  }

  async function copyOf({ values }: FlowRecord<V>): Promise<FlowRecord<V>> {
    const room = Number((fields[nameField]?.schema.maxLength as number | undefined) ?? 100);
    const name = [...`${COPY_PREFIX}${String(values[nameField] ?? '')}`].slice(0, room).join('');
    return unsaved({ ...values, [nameField]: name });
  }

  return {
    create,
    unsaved,
    copyOf,

    /** Number and priority are chosen in its turn, so that concurrent copies each get their own. */
    async storeCopy(original: FlowRecord<V>): Promise<SavedRecord<V>> {
      const { values, id } = await copyOf(original);
      return create(async (desk) => {
        const number = numberField && { [numberField]: await desk.freeNumber(extensionLength) };
        return { ...values, ...number, ...(lastPriority !== undefined && { priority: 0 }) };
      }, id);
    },

    async list(): Promise<FlowRecord<V>[]> {
      await records.settle();
      return listed(records.all(kind));
    },

    async find(id: string): Promise<FlowRecord<V>> {
      const record = await directory.read().flow.find(kind, id);
      if (!record) throw new NotFound(`${word} ${id} not found`);
      return record as FlowRecord<V>;
    },

    /** Fields that were not sent already have their defaults; the priority stays. */
    replace: (id: string, sent: Partial<V>): Promise<SavedRecord<V>> =>
      change(id, ({ values, priority }) => ({
        ...values,
        ...sent,
        ...(lastPriority !== undefined && { priority: sent.priority || priority }),
      })),
    patch: (id: string, sent: Partial<V>): Promise<SavedRecord<V>> =>
      change(id, ({ values }) => ({ ...values, ...sent })),
    /** Changes fields and other values. */
    changeFields: (id: string, next: (values: V) => V): Promise<SavedRecord<V>> =>
      change(id, ({ values }) => next(values)),
    changeOwn,
    /** Changes only values outside the fields. */
    async changeValues(id: string, next: (values: V) => V): Promise<FlowRecord<V>> {
      const [record] = await changeOwn([id], next);
      if (!record) throw new NotFound(`${word} ${id} not found`);
      return record;
    },

    async delete(id: string, replaceWith?: string): Promise<Leaving> {
      const { warnings, infos } = await directory.write(async (desk) => {
        const record = await stored(desk, id);
        const reason = kindOf.undeletable?.(record);
        if (reason !== undefined) throw new Conflict(reason);
        const left = await leave(desk, record, replaceWith);
        await desk.flow.delete(record);
        return left;
      });
      const rings = replaceWith === undefined ? [] : (await look()).ringWarnings(replaceWith);
      const gone = kindOf.goneWarnings?.(await look()) ?? [];
      return { warnings: [...warnings, ...rings, ...gone], infos };
    },

    /** All or nothing (C7). */
    async changePriorities(wanted: ReadonlyMap<string, number>): Promise<number> {
      return directory.write(async (desk) => {
        const found = await desk.flow.findAll(kind, [...wanted.keys()].filter(isId));
        const known = new Set(found.map(({ id }) => id));
        for (const id of wanted.keys()) if (!known.has(id)) throw new NotFound(`${word} ${id} not found`);
        const moved = listed(found).map((record) => {
          const priority = wanted.get(record.id) ?? 0;
          const values = { ...record.values, priority };
          return { ...record, values, priority, updatedAt: desk.flow.now };
        });
        if (moved.length > 0) await desk.flow.updateOwn(moved);
        return moved.length;
      });
    },
  };

  async function leave(desk: NumberDesk, record: FlowRecord<V>, replaceWith?: string): Promise<Leaving> {
    const { id, number, name } = record;
    const shown = number === '' ? `${word} "${name}"` : `${name} <${number}>`;
    if (number !== '') {
      const { warnings, infos } = await desk.leave(
        'number',
        { name: number, shown, own: { kind, id } },
        replaceWith,
      );
      return { warnings: [...warnings, ...(await desk.forwardWarnings(number))], infos };
    }
    if (kind === 'sound-files') return desk.leave('sound', { name: id, shown });
    if (kind === 'incoming-routes') return desk.leave('route', { name: id, shown });
    return { warnings: [], infos: [] };
  }
}

export type FlowService<V extends FlowValues = FlowValues> = ReturnType<typeof createFlowService<V>>;

/** The defaults of all fields; required ones are empty. */
export function defaultsOf(fields: Fields): FlowValues {
  const required = Object.keys(fields).filter((name) => fields[name]?.required);
  const optionalOnly = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !required.includes(name)),
  );
  return {
    ...readFields(optionalOnly, {}).values,
    ...Object.fromEntries(required.map((name) => [name, ''])),
  };
}
