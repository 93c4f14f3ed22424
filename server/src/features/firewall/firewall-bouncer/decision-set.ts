import { randomUUID } from 'node:crypto';
import { compareDecisions, type Decision, identity, membershipHash, type Scenario } from './decision.ts';

/** Number of changes remembered. A cursor older than all of them is compared entry by entry instead. */
const JOURNAL_LENGTH = 50_000;

interface Change {
  readonly version: number;
  readonly identity: string;
  /** The decision before the change, `undefined` when the change added it. */
  readonly before: Decision | undefined;
}

export interface Changes {
  /** Decisions that have gone since, as they were then. */
  readonly gone: readonly Decision[];
  /** Identities that have come since. */
  readonly added: readonly string[];
}

/** The sizes of both lists of `Changes`. */
export interface ChangeCounts {
  readonly gone: number;
  readonly added: number;
}

/**
 * All current decisions in order, with a journal of changes. Listing what has gone since a version costs time in
 * proportion to the changes since then, not to the size of the set.
 */
export function createDecisionSet() {
  const epoch = randomUUID();
  const current = new Map<string, Decision>();
  let journal: Change[] = [];
  let journalStart = 0;
  let version = 0;
  let sorted: Decision[] = [];
  let added = new Set<Decision>();
  let removed = new Set<Decision>();
  let nextExpiry = Infinity;
  const membership: [number, number] = [0, 0];
  const listeners = new Set<(value: string) => void>();

  function put(value: string, scenario: Scenario, expiresAt: number): void {
    const key = identity(value, scenario);
    const before = current.get(key);
    if (before?.expiresAt === expiresAt) return;
    const decision: Decision = { value, scenario, expiresAt };
    note(key, before);
    if (before) drop(before);
    else toggleMembership(value, scenario);
    current.set(key, decision);
    added.add(decision);
    nextExpiry = Math.min(nextExpiry, expiresAt);
    for (const listener of listeners) listener(value);
  }

  function remove(value: string, scenario: Scenario): void {
    const key = identity(value, scenario);
    const before = current.get(key);
    if (!before) return;
    note(key, before);
    drop(before);
    toggleMembership(value, scenario);
    current.delete(key);
    for (const listener of listeners) listener(value);
  }

  function note(key: string, before: Decision | undefined): void {
    journal.push({ version: ++version, identity: key, before });
    if (journal.length > JOURNAL_LENGTH * 2) {
      journal = journal.slice(-JOURNAL_LENGTH);
      journalStart = version - JOURNAL_LENGTH;
    }
  }

  function drop(decision: Decision): void {
    if (!added.delete(decision)) removed.add(decision);
  }

  function toggleMembership(value: string, scenario: Scenario): void {
    const [high, low] = membershipHash(value, scenario);
    membership[0] ^= high;
    membership[1] ^= low;
  }

  /** The version of a state; `undefined` when the journal does not reach back that far. */
  function versionOf(stateId: string): number | undefined {
    const since = stateId.startsWith(`${epoch}.`) ? Number(stateId.slice(epoch.length + 1)) : Number.NaN;
    return since >= journalStart && since <= version ? since : undefined;
  }

  return {
    put,
    remove,

    /** Removes what has ended. A ban that ends in this very millisecond stays. */
    expire(now: number): void {
      if (now <= nextExpiry) return;
      nextExpiry = Infinity;
      for (const decision of current.values()) {
        if (decision.expiresAt < now) remove(decision.value, decision.scenario);
        else nextExpiry = Math.min(nextExpiry, decision.expiresAt);
      }
    },

    get: (value: string, scenario: Scenario): Decision | undefined => current.get(identity(value, scenario)),

    /** Calls the listener with each value whose decisions change; returns a function that unsubscribes it. */
    onChange(listener: (value: string) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    size: (): number => current.size,

    /** Identifies the exact state: no two processes and no two states share an id. */
    stateId: (): string => `${epoch}.${version}`,

    version: (): number => version,

    /** Identifies the set of (value, scenario) regardless of durations; equal on every node (contract 8.6). */
    membershipId: (): string =>
      [current.size, membership[0] >>> 0, membership[1] >>> 0].map((part) => part.toString(16)).join('-'),

    /** In order; the same array until something changes. */
    sorted(): readonly Decision[] {
      if (added.size > 0 || removed.size > 0) {
        sorted = merge(sorted, added, removed);
        added = new Set();
        removed = new Set();
      }
      return sorted;
    },

    /** How an earlier state differs from the present one; `undefined` when that state is not remembered. */
    changesSince(stateId: string): Changes | undefined {
      const since = versionOf(stateId);
      if (since === undefined) return undefined;
      const seen = new Set<string>();
      const gone: Decision[] = [];
      const added: string[] = [];
      for (let i = since - journalStart; i < journal.length; i++) {
        const { identity: name, before } = journal[i] as Change;
        if (seen.has(name)) continue;
        seen.add(name);
        if (before && !current.has(name)) gone.push(before);
        else if (!before && current.has(name)) added.push(name);
      }
      return { gone, added };
    },

    /** The numbers of decisions gone and added since each remembered state, in one walk back for all states. */
    countsSince(stateIds: Iterable<string>): ReadonlyMap<string, ChangeCounts> {
      const versions = [...new Set(stateIds)]
        .map((stateId) => ({ stateId, since: versionOf(stateId) }))
        .filter((one): one is { stateId: string; since: number } => one.since !== undefined)
        .sort((a, b) => b.since - a.since);
      const counts = new Map<string, ChangeCounts>();
      /** For each changed decision: whether it was in the set before all changes walked over so far. */
      const wasThere = new Map<string, boolean>();
      let [gone, added] = [0, 0];
      let i = journal.length;
      for (const { stateId, since } of versions) {
        while (i > since - journalStart) {
          const { identity: name, before } = journal[--i] as Change;
          const isThere = current.has(name);
          const known = wasThere.get(name) ?? isThere;
          const was = before !== undefined;
          if (was !== known) {
            // A decision that is there now can only be added, any other can only be gone.
            if (isThere) added += was ? -1 : 1;
            else gone += was ? 1 : -1;
          }
          wasThere.set(name, was);
        }
        counts.set(stateId, { gone, added });
      }
      return counts;
    },
  };
}

export type DecisionSet = ReturnType<typeof createDecisionSet>;

/** `removed` are in `old`, `fresh` are not; both are usually few, so the runs between them are copied uncompared. */
function merge(
  old: readonly Decision[],
  fresh: Iterable<Decision>,
  removed: ReadonlySet<Decision>,
): Decision[] {
  const merged: Decision[] = [];
  let at = 0;
  for (const change of [...removed, ...fresh].sort(compareDecisions)) {
    for (const place = placeOf(change, old, at); at < place; at++) merged.push(old[at] as Decision);
    if (removed.has(change)) at++;
    else merged.push(change);
  }
  for (; at < old.length; at++) merged.push(old[at] as Decision);
  return merged;
}

/** The first place at or after `from` whose decision does not come before this one. */
function placeOf(decision: Decision, list: readonly Decision[], from: number): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareDecisions(list[middle] as Decision, decision) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
