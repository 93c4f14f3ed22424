import { expect } from 'vitest';
import type { Told } from '../firewall-rig.ts';

const CURSOR_SECONDS = 3600;

/**
 * Bans by identity: the longest duration each may have been sent with, whether that may have been later, and when its
 * removal was first sent without being confirmed.
 */
type Held = ReadonlyMap<
  string,
  { readonly seconds: number; readonly orLater?: boolean; readonly removedAt?: number }
>;

interface Cursor {
  /** What the key may hold: the bans sent last, and removals that it may not have read. */
  readonly held: Held;
  /** Removals that it has read, as far as the service knows; a restart loses this. */
  readonly confirmed: Held;
  readonly renewedAt: number;
}

/** The simplest model of the stream in contract 8.4 and 17.16: sets, and seconds since the start. */
export function createStreamModel({ exact }: { exact: boolean }) {
  let now = 0;
  const bans = new Map<string, number>();
  /** Several candidates where only the service knows whether an answer went out; `undefined` = no cursor. */
  const cursors = new Map<string, (Cursor | undefined)[]>();

  function expire(): void {
    for (const [ban, end] of bans) if (end < now) bans.delete(ban);
  }

  const current = (): Held => new Map([...bans].map(([ban, end]) => [ban, { seconds: end - now }]));

  const possible = (key: string): (Cursor | undefined)[] =>
    (cursors.get(key) ?? [undefined]).map((cursor) =>
      cursor && now - cursor.renewedAt < CURSOR_SECONDS ? cursor : undefined,
    );

  /** A removal that is never confirmed is repeated for as long as a cursor lives (ADR 35). */
  const goneFrom = (cursor: Cursor | undefined): Held =>
    new Map(
      [...(cursor?.held ?? [])].filter(
        ([ban, { removedAt = now }]) => !bans.has(ban) && now - removedAt < CURSOR_SECONDS,
      ),
    );

  /** Removals in an answer count from the first answer that had them. */
  const sent = (held: Held): Held =>
    new Map(
      [...held].map(([ban, { removedAt = now, ...rest }]) => [
        ban,
        bans.has(ban) ? rest : { ...rest, removedAt },
      ]),
    );

  const told = (held: Held, confirmed: Held = new Map()): Cursor => ({ held, confirmed, renewedAt: now });

  /** With Redis, real time passes while the test's clock stands still, so durations may be a little shorter. */
  const matches = (list: readonly Told[], expected: Held): boolean =>
    list.length === expected.size &&
    list.every(({ value, scenario, duration }) => {
      const said = Number(/^(\d+)s$/.exec(duration)?.[1]);
      const ban = expected.get(`${value} ${scenario.slice(4)}`);
      return ban && said <= ban.seconds && (ban.orLater || said > ban.seconds - (exact ? 1 : 30));
    });

  return {
    ban: (ban: string, seconds: number): void => void bans.set(ban, now + seconds),
    lift(ip: string): void {
      for (const ban of bans.keys()) if (ban.startsWith(`${ip} `)) bans.delete(ban);
    },
    advance(seconds: number): void {
      now += seconds;
      expire();
    },

    /** A complete answer arrived, which must be one that the contract allows. */
    answered(key: string, startup: boolean, answer: { new: Told[]; deleted: Told[] }): void {
      const all = `new is every current ban and nothing else: ${[...bans.keys()]}`;
      expect(matches(answer.new, current()), all).toBe(true);
      const before = possible(key);
      const allowed = startup ? [new Map()] : before.map(goneFrom);
      const gone = `deleted (${JSON.stringify(answer.deleted)}) is what is gone since ${JSON.stringify(before.map((cursor) => [...(cursor?.held ?? [])]))}`;
      const matching = allowed.filter((removed) => matches(answer.deleted, removed));
      expect(matching.length, gone).toBeGreaterThan(0);
      cursors.set(
        key,
        matching.map((removed) => told(current(), sent(removed))),
      );
    },

    /** The client disconnected: the answer was not sent, or it was sent and may have been read. */
    cutOff(key: string): void {
      const after = possible(key).flatMap((cursor) => {
        const arrived = told(sent(merge(current(), goneFrom(cursor))));
        if (!cursor) return [undefined, arrived];
        // Durations may be those of the answer that was not sent, and so may the times of its removals.
        const before = longest(cursor.held, current());
        const sentBefore = goneFrom(cursor).size > 0 ? [told(sent(before))] : [];
        return [told(before), ...sentBefore, arrived];
      });
      cursors.set(key, after);
    },

    /** 304 is correct only if nothing would be deleted; it counts as a poll. */
    unchanged(key: string): void {
      expect(possible(key).some((cursor) => cursor && goneFrom(cursor).size === 0)).toBe(true);
      cursors.set(key, [told(current())]);
    },

    /** A client that had not polled again on its connection has not proved that it read the answer. */
    restarted(): void {
      for (const [key, cursor] of cursors)
        cursors.set(
          key,
          cursor.flatMap((one) =>
            one ? [one, { ...one, held: merge(one.held, one.confirmed), confirmed: new Map() }] : [one],
          ),
        );
    },
  };
}

/** Each ban with the longer of its duration before and now. */
const longest = (held: Held, current: Held): Held =>
  new Map(
    [...held].map(([ban, one]) => [
      ban,
      { ...one, seconds: Math.max(one.seconds, current.get(ban)?.seconds ?? 0), orLater: true },
    ]),
  );

const merge = (first: Held, second: Held): Held => new Map([...second, ...first]);

export type StreamModel = ReturnType<typeof createStreamModel>;
