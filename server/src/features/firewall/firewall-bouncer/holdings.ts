import type { BouncerOptions } from '../../../lib/bouncer-options.ts';
import { type Cursor, type CursorStore, toldAt } from './cursors.store.ts';
import type { Scenario } from './decision.ts';
import type { DecisionFeed } from './decision-feed.ts';
import type { ChangeCounts } from './decision-set.ts';
import type { DecisionView } from './decision-view.ts';

/** Snapshots read and unpacked for one request about many keys: each may hold all bans there are. */
const SNAPSHOTS_AT_ONCE = 8;
/** After this many decisions no further snapshot is unpacked, as that blocks all other work. */
const DECISIONS_AT_ONCE = 20_000;

export interface PollingKey {
  readonly id: string;
  readonly options: BouncerOptions;
}

/** What a key received last, compared with the present decisions (contract 36.3). */
export interface Holding {
  /** When the key received it, by the steady clock; `undefined` when no position is kept. */
  readonly at: number | undefined;
  readonly told: number;
  /** How many of those have ended or been lifted since. */
  readonly over: number;
  /** Present decisions that the key has not received. */
  readonly notYetTold: number;
}

interface Asked {
  readonly key: PollingKey;
  readonly cursor: Cursor | undefined;
  readonly view: DecisionView;
}

/** Counts what bouncers hold: keys with the same state are counted once, all remembered states in one pass. */
export function createHoldings({ feed, cursors }: { feed: DecisionFeed; cursors: CursorStore }) {
  /** Durations do not matter here, so one view per membership is enough. */
  const viewOf = ({ options }: PollingKey) => feed.view({ ...options, duration_format: 'seconds' });

  /** By key id; a key is missing where counting would cost too much. Rejects when a store cannot be read. */
  async function counts(keys: readonly PollingKey[]): Promise<ReadonlyMap<string, Holding>> {
    const asked: Asked[] = await Promise.all(
      keys.map(async (key) => ({ key, cursor: await cursors.read(key.id, 'others'), view: viewOf(key) })),
    );
    const byView = Map.groupBy(asked, ({ view }) => view);
    const holdings = new Map<string, Holding>();
    const strange: Asked[] = [];
    for (const [view, group] of byView) {
      await view.settle();
      const changes = view.countsSince(group.flatMap(({ cursor }) => cursor?.stateId ?? []));
      for (const one of group) {
        const known = one.cursor && changes.get(one.cursor.stateId);
        if (!one.cursor || one.cursor.unseen === 'all') holdings.set(one.key.id, untold(one));
        else if (known) holdings.set(one.key.id, remembered(one, one.cursor, known));
        else strange.push(one);
      }
    }
    for (const [id, holding] of await compared(strange)) holdings.set(id, holding);
    return holdings;
  }

  /** For states sent by another node or before our start: compares the snapshots themselves. */
  async function compared(strange: readonly Asked[]): Promise<Map<string, Holding>> {
    const holdings = new Map<string, Holding>();
    const states = [...Map.groupBy(strange, ({ cursor }) => cursor?.stateId ?? '').values()];
    let unpacked = 0;
    for (const sharing of states.slice(0, SNAPSHOTS_AT_ONCE)) {
      if (unpacked >= DECISIONS_AT_ONCE) break;
      const [first] = sharing as [Asked, ...Asked[]];
      const decisions = first.cursor && (await cursors.decisions(first.key.id, first.cursor));
      // The key has polled meanwhile: the next request counts its new position.
      if (!decisions) continue;
      unpacked += decisions.length;
      for (const [view, group] of Map.groupBy(sharing, (one) => one.view)) {
        const over = decisions.filter((decision) => !view.holds(decision)).length;
        const told = decisions.length;
        for (const { key, cursor } of group)
          holdings.set(
            key.id,
            withoutUnseen(
              { at: timeOf(cursor), told, over, notYetTold: view.size() - told + over },
              cursor,
              view,
            ),
          );
      }
    }
    return holdings;
  }

  return {
    counts,

    /** When each key was last answered, by the steady clock of the node that answered. */
    async lastTold(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const read = ids.map(async (id) => [id, timeOf(await cursors.read(id, 'others'))] as const);
      return new Map(
        (await Promise.all(read)).filter((entry): entry is [string, number] => entry[1] !== undefined),
      );
    },
  };
}

export type Holdings = ReturnType<typeof createHoldings>;

const timeOf = (cursor: Cursor | undefined): number | undefined => cursor && toldAt(cursor);

const untold = ({ cursor, view }: Asked): Holding => ({
  at: timeOf(cursor),
  told: 0,
  over: 0,
  notYetTold: view.size(),
});

function remembered({ view }: Asked, cursor: Cursor, { gone, added }: ChangeCounts): Holding {
  const told = view.size() + gone - added;
  return withoutUnseen({ at: toldAt(cursor), told, over: gone, notYetTold: added }, cursor, view);
}

/** Subtracts what was new in an answer that was cut off: the key has not received it. */
function withoutUnseen(holding: Holding, cursor: Cursor | undefined, view: DecisionView): Holding {
  if (!cursor || cursor.unseen === 'all' || cursor.unseen.length === 0) return holding;
  const present = cursor.unseen.filter((name) => {
    const [value = '', scenario] = name.split(' ');
    return view.holds({ value, scenario: scenario as Scenario, expiresAt: 0 });
  }).length;
  return {
    ...holding,
    told: holding.told - cursor.unseen.length,
    over: holding.over - (cursor.unseen.length - present),
    notYetTold: holding.notYetTold + present,
  };
}
