import { Conflict, InvalidFields } from '../../../lib/errors.ts';
import {
  FLOW_KINDS,
  type FlowKind,
  type NamedThing,
  type User,
  withValueAt,
} from '../../../lib/flow-record.ts';
import { bare, spellings } from '../../../lib/mobile-number.ts';
import { proposedNumber } from '../../../lib/proposed-number.ts';
import { isTargetWord, TARGET_RULE, targetWarning } from '../../../lib/target.ts';
import type { FlowWriter } from './flow-writer.ts';
import { findForwards, renameForwards } from './forwards.ts';
import {
  allNumbers,
  findHolders,
  findMobiles,
  type Holder,
  type ReservedNumbers,
  representHolder,
} from './holders.ts';

/** The record that already has the number. */
export interface Owner {
  readonly type: Holder['type'];
  readonly recordId: string;
}

/** Something that others name and that is being removed. */
interface Leaver {
  readonly name: string;
  /** Numbers that go with it. */
  readonly also?: readonly string[];
  readonly shown: string;
  /** The record being removed: its own references do not block that. */
  readonly own?: { readonly kind: FlowKind; readonly id: string };
}

/** What happened to records that named something removed. */
export interface Leaving {
  readonly warnings: string[];
  readonly infos: string[];
}

const MOST_NAMED = 20;

/** Numbers and who names them, within one transaction that holds the turn (contract 20). */
export function createNumberDesk(flow: FlowWriter, reserved: ReservedNumbers) {
  const { trx } = flow;

  async function users(named: NamedThing, ...names: readonly string[]): Promise<User[]> {
    const rows = await trx
      .selectFrom('call_flow_references as reference')
      .innerJoin('call_flow_records as record', (join) =>
        join.onRef('record.kind', '=', 'reference.kind').onRef('record.id', '=', 'reference.id'),
      )
      .select(['reference.kind', 'reference.id', 'record.name', 'reference.field', 'reference.gives_way'])
      .where('reference.named', '=', named)
      .where('reference.name', 'in', names)
      .orderBy('reference.kind')
      .orderBy('reference.id')
      .orderBy('reference.field')
      .execute();
    return rows.map(({ kind, id, name: own, field, gives_way }) => ({
      kind: kind as FlowKind,
      id,
      name: own,
      field,
      givesWay: gives_way === '1',
    }));
  }

  /** Later items first, so that earlier ones keep their places. */
  async function rewrite(list: readonly User[], value: unknown): Promise<void> {
    for (const { kind, id, field } of list.toSorted((a, b) => placeIn(b.field) - placeIn(a.field))) {
      if (kind === 'employees') continue;
      const record = await flow.find(kind, id);
      if (record)
        await flow.update({
          ...record,
          values: withValueAt(record.values, field, value),
          updatedAt: flow.now,
        });
    }
  }

  async function taken(number: string, own?: Owner): Promise<Holder | undefined> {
    const isOther = (holder: Holder | undefined): holder is Holder =>
      holder !== undefined && !(holder.type === own?.type && holder.recordId === own.recordId);
    const holder = (await findHolders(trx, [number], reserved)).get(number);
    if (isOther(holder)) return holder;
    const [mobile] = (await findMobiles(trx, [number])).get(bare(number)) ?? [];
    return isOther(mobile) ? mobile : undefined;
  }

  /** Checks where calls are to go instead, like any other target (contract 20.8, 21). */
  async function checkReplacement(
    target: string,
    thing: Leaver,
    staying: readonly User[],
  ): Promise<string[]> {
    const refuse = (reason: string): never => {
      throw new InvalidFields(`replaceWith: ${reason}`, ['replaceWith']);
    };
    if (target === thing.name) refuse('must not be the number that is deleted');
    if (!isTargetWord(target)) {
      const reason = (await findHolders(trx, [target], reserved)).get(target)?.reason;
      if (reason === 'emergency' || reason === 'feature') refuse(TARGET_RULE);
    }
    for (const user of staying) {
      // contract 21.2: a key of a menu may lead back to it
      if (user.kind === 'employees' || user.field.startsWith('actions[')) continue;
      const record = await flow.find(user.kind, user.id);
      if (record?.number === target) refuse(`${listUsers([user])} must not lead to itself`);
    }
    const held = (await taken(target)) !== undefined;
    const warning = targetWarning(target, () => held);
    return staying.length > 0 && warning !== undefined ? [`replaceWith: ${warning}`] : [];
  }

  return {
    trx,
    flow,
    users,
    /** The users in words (W9). */
    usedBy,
    /** Who has a requested number, unless it is `own`. */
    taken,
    holders: (numbers: readonly string[]) => findHolders(trx, numbers, reserved),
    mobiles: (numbers: readonly string[]) => findMobiles(trx, numbers),

    /** A number to propose for a queue or menu; nobody can take it before the end of the turn. */
    async freeNumber(length: number): Promise<string> {
      const taken = await allNumbers(trx, reserved);
      return proposedNumber(length, (number) => !taken.has(number));
    },

    /** Throws `Conflict` if anybody but `own` has the number (contract 20.1, 20.2, 20.4). */
    async refuseTaken(field: string, number: string, own?: Owner): Promise<void> {
      const holder = await taken(number, own);
      if (holder) throw new Conflict(takenText(field, holder));
    },

    /**
     * Before a removal: those who need the thing refuse or get another target; others do without (contract 20.7, 20.8).
     */
    async leave(named: NamedThing, thing: Leaver, replaceWith?: string): Promise<Leaving> {
      const { own, also = [] } = thing;
      const all = (await users(named, thing.name, ...also)).filter(
        ({ kind, id }) => kind !== own?.kind || id !== own.id,
      );
      const [leaving, staying] = [all.filter((user) => user.givesWay), all.filter((user) => !user.givesWay)];
      if (staying.length > 0 && replaceWith === undefined)
        throw new Conflict(`${thing.shown} ${usedBy(staying)}`);
      const warnings = replaceWith === undefined ? [] : await checkReplacement(replaceWith, thing, staying);
      if (replaceWith !== undefined) await rewrite(staying, replaceWith);
      await rewrite(leaving, undefined);
      return {
        infos:
          replaceWith === undefined || staying.length === 0
            ? []
            : [`${replaceWith} now replaces ${thing.name} in ${listUsers(staying)}`],
        warnings: [
          ...warnings,
          ...(leaving.length === 0 ? [] : [`${thing.shown} was removed from ${listUsers(leaving)}`]),
        ],
      };
    },

    /** Names employees who forward to a removed number, however it is written; they keep doing so (contract 20.7). */
    async forwardWarnings(number: string, spelled: readonly string[] = [number]): Promise<string[]> {
      const forwards = await findForwards(trx, ...spelled);
      const names = new Set(forwards.map((forward) => `${forward.number} ${forward.name}`));
      return names.size === 0 ? [] : [`${number} is gone, but these forward to it: ${[...names].join(', ')}`];
    },

    /**
     * Updates everything that names the number, forwards of employees too, however it is written (contract 20.9).
     * Resolves to messages about it.
     */
    async follow(from: string, to: string, others: readonly string[] = []): Promise<string[]> {
      if (from === to || from === '') return [];
      const names = [...new Set([from, ...others])];
      const all = await users('number', ...names);
      // A member that is already there under its new number must not be there twice.
      const there = await users('number', to, ...(others.length > 0 ? spellings(to) : []));
      const isThere = (user: User) =>
        user.givesWay &&
        there.some(({ kind, id, givesWay }) => givesWay && kind === user.kind && id === user.id);
      await rewrite(
        all.filter((user) => !isThere(user)),
        to,
      );
      await rewrite(all.filter(isThere), undefined);
      const forwards = await findForwards(trx, ...names);
      for (const name of names) await renameForwards(trx, { from: name, to, now: flow.now });
      const count = all.length + forwards.length;
      return count === 0
        ? []
        : [`${count} ${count === 1 ? 'reference follows' : 'references follow'} from ${from} to ${to}`];
    },
  };
}

export type NumberDesk = ReturnType<typeof createNumberDesk>;

export const takenText = (field: string, holder: Pick<Holder, 'name' | 'number'>): string =>
  `${field}: already taken by ${representHolder(holder)}`;

/** Index of an item in its list. */
const placeIn = (field: string): number => Number(/\[(\d+)\]/.exec(field)?.[1] ?? 0);

const usedBy = (users: readonly User[]): string => `is used by ${listUsers(users)}`;

/** Each record once, at most twenty of them (W9). */
function listUsers(users: readonly User[]): string {
  const records = [...new Map(users.map((user) => [`${user.kind} ${user.id}`, user])).values()];
  const shown = records.slice(0, MOST_NAMED).map(({ kind, id, name }) => {
    const word = kind === 'employees' ? 'employee' : FLOW_KINDS[kind].word;
    return `${word} "${name}" (${id})`;
  });
  const more = records.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
