import { randomBytes } from 'node:crypto';
import { type Fields, readFields } from '../../../http/fields.ts';
import { Conflict, InvalidFields, NotFound, RuleBroken } from '../../../lib/errors.ts';
import { FLOW_KINDS, type FlowRecord, type FlowValues, type Reference } from '../../../lib/flow-record.ts';
import { isTargetWord } from '../../../lib/target.ts';
import type { Directory } from '../../telephony/directory/directory.ts';
import type { Leaving, NumberDesk } from '../../telephony/directory/number-desk.ts';
import { missingProblems, referenceWarnings } from './flow-checks.ts';
import type { FlowResource } from './flow-resource.ts';
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

/** Storing records of one kind (C1 to C12). */
export function createFlowService<V extends FlowValues>(
  kindOf: FlowResource<V>,
  { directory, look, extensionLength }: ServiceParts,
) {
  const { kind, ids, nameField, numberField, lastPriority, fields } = kindOf;
  const { word, many, most } = FLOW_KINDS[kind];
  const { records } = directory;
  records.declare(kind, (values) => referencesOf(kindOf, values as V));
  const isListed = kindOf.isListed ?? (() => true);
  const listed = (all: readonly FlowRecord[]) => (all as readonly FlowRecord<V>[]).filter(isListed);

  const nextPriority = (all: readonly FlowRecord[]): number =>
    lastPriority === undefined
      ? 0
      : Math.min(lastPriority, Math.max(0, ...listed(all).map((one) => one.priority)) + 1);

  function made(
    id: string,
    sent: V,
    base: Pick<FlowRecord<V>, 'priority' | 'createdAt' | 'updatedAt'>,
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
      ...(kindOf.problems?.(record.values, record.id) ?? []),
      ...(await missingProblems(desk, named.filter(isNew))),
    ];
    if (problems.length > 0) throw new InvalidFields(problems);
    if (numberField && record.number !== before?.number)
      await desk.refuseTaken(numberField, record.number, {
        type: TYPES[kind as keyof typeof TYPES],
        recordId: record.id,
      });
    await kindOf.guard?.(desk, record, before);
    const broken = kindOf.broken?.(record.values, record.id) ?? [];
    if (broken.length > 0) throw new RuleBroken(broken);
  }

  async function warningsOf(record: FlowRecord<V>, before: FlowRecord<V> | undefined): Promise<string[]> {
    const view = await look();
    const own =
      record.number === '' ? [] : view.ring(record.number, kindOf.fallsThroughTo?.(record.values) ?? []);
    return [
      ...referenceWarnings(view, kindOf.references(record.values)),
      ...(own.length > 0
        ? [`${own.join(' → ')} leads back to where it began without a key of the caller`]
        : []),
      ...(kindOf.warnings?.(record.values, view, before) ?? []),
    ];
  }

  async function stored(desk: NumberDesk, id: string): Promise<FlowRecord<V>> {
    // Ids of priorities come as keys of a body: PostgreSQL takes not every text.
    const record = /^[\w-]{1,64}$/.test(id) ? await desk.flow.find(kind, id) : undefined;
    if (!record) throw new NotFound(`${word} ${id} not found`);
    return record as FlowRecord<V>;
  }

  async function change(id: string, next: (before: FlowRecord<V>) => V): Promise<SavedRecord<V>> {
    const { record, before, infos } = await directory.write(async (desk) => {
      const before = await stored(desk, id);
      const { priority, createdAt } = before;
      const record = made(id, next(before), { priority, createdAt, updatedAt: desk.flow.now }, before.values);
      await check(desk, record, before);
      await desk.flow.update(record);
      return { record, before, infos: await desk.follow(before.number, record.number) };
    });
    return { record, warnings: await warningsOf(record, before), infos };
  }

  async function insert(values: V, chosenId: string): Promise<FlowRecord<V>> {
    return directory.write(async (desk) => {
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

  async function create(values: V, chosenId = ''): Promise<SavedRecord<V>> {
    const record = await insert(values, chosenId);
    return { record, warnings: await warningsOf(record, undefined), infos: [] };
  }

  /** Not stored: with an id and a number of its own where a client may choose them. */
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

    async list(): Promise<FlowRecord<V>[]> {
      await records.settle();
      return listed(records.all(kind));
    },

    async find(id: string): Promise<FlowRecord<V>> {
      const record = await directory.read().flow.find(kind, id);
      if (!record) throw new NotFound(`${word} ${id} not found`);
      return record as FlowRecord<V>;
    },

    /** Fields that are not sent have their defaults by now; the priority stays. */
    replace: (id: string, sent: Partial<V>): Promise<SavedRecord<V>> =>
      change(id, ({ values, priority }) => ({
        ...values,
        ...sent,
        ...(lastPriority !== undefined && { priority: sent.priority || priority }),
      })),
    patch: (id: string, sent: Partial<V>): Promise<SavedRecord<V>> =>
      change(id, ({ values }) => ({ ...values, ...sent })),
    /** Of what is not among the fields. */
    changeValues: (id: string, next: (values: V) => V): Promise<SavedRecord<V>> =>
      change(id, ({ values }) => next(values)),

    async delete(id: string, replaceWith?: string): Promise<Leaving> {
      return directory.write(async (desk) => {
        const record = await stored(desk, id);
        const reason = kindOf.undeletable?.(record);
        if (reason !== undefined) throw new Conflict(reason);
        if (replaceWith !== undefined) {
          const reference = { field: 'replaceWith', named: 'target', name: replaceWith } as const;
          const problems = await missingProblems(desk, [reference]);
          if (replaceWith === record.number)
            problems.push('replaceWith: must not be the number that is deleted');
          if (problems.length > 0) throw new InvalidFields(problems);
        }
        const left = await leave(desk, record, replaceWith);
        await desk.flow.delete(record);
        return left;
      });
    },

    /** All or nothing (C7). */
    async changePriorities(wanted: ReadonlyMap<string, number>): Promise<number> {
      return directory.write(async (desk) => {
        const found: FlowRecord<V>[] = [];
        for (const id of wanted.keys()) found.push(await stored(desk, id));
        const moved = found.filter(isListed);
        for (const record of moved) {
          const priority = wanted.get(record.id) ?? 0;
          const values = { ...record.values, priority };
          await desk.flow.update({ ...record, values, priority, updatedAt: desk.flow.now });
        }
        return moved.length;
      });
    },
  };

  async function leave(desk: NumberDesk, record: FlowRecord<V>, replaceWith?: string): Promise<Leaving> {
    const { id, number, name } = record;
    const shown = number === '' ? `${word} "${name}"` : `${name} <${number}>`;
    if (number !== '') return desk.leave('number', { name: number, shown }, replaceWith);
    if (kind === 'sound-files') return desk.leave('sound', { name: id, shown });
    if (kind === 'incoming-routes') return desk.leave('route', { name: id, shown });
    return { warnings: [], infos: [] };
  }
}

export type FlowService<V extends FlowValues = FlowValues> = ReturnType<typeof createFlowService<V>>;

/** The defaults of all fields; what is required is empty. */
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

/** Words and empty targets name nobody. */
const referencesOf = <V extends FlowValues>({ references }: FlowResource<V>, values: V): Reference[] =>
  references(values).flatMap((reference) => {
    if (reference.named !== 'target') return reference.name === '' ? [] : [reference];
    const { field, name } = reference;
    return name === '' || isTargetWord(name) ? [] : [{ field, named: 'number' as const, name }];
  });

const newId = (prefix: 'IVR' | 'QUEUE'): string =>
  `${prefix}-${randomBytes(4).toString('hex').toUpperCase()}`;
