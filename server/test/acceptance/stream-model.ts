import { expect } from 'vitest';
import type { Told } from '../firewall-rig.ts';

const CURSOR_SECONDS = 3600;

/** What a key was told, by identity, and when its cursor was renewed last. */
interface Cursor {
  readonly told: ReadonlyMap<string, number>;
  readonly renewedAt: number;
}

/** The stream as contract 8.4 describes it, in the simplest words: sets, and seconds since the beginning. */
export function createStreamModel({ exact }: { exact: boolean }) {
  let now = 0;
  const bans = new Map<string, number>();
  /** More than one where only the service knows whether the last byte of an answer went out; `undefined` = none. */
  const cursors = new Map<string, (Cursor | undefined)[]>();

  function expire(): void {
    for (const [ban, end] of bans) if (end < now) bans.delete(ban);
  }

  const current = (): Map<string, number> => new Map([...bans].map(([ban, end]) => [ban, end - now]));

  const possible = (key: string): (Cursor | undefined)[] =>
    (cursors.get(key) ?? [undefined]).map((cursor) =>
      cursor && now - cursor.renewedAt < CURSOR_SECONDS ? cursor : undefined,
    );

  const goneFrom = (cursor: Cursor | undefined): Map<string, number> =>
    new Map([...(cursor?.told ?? [])].filter(([ban]) => !bans.has(ban)));

  const present = (): Cursor => ({ told: current(), renewedAt: now });

  /** Real seconds pass in Redis while the test's clock stands: a duration may then be a little shorter. */
  const matches = (list: readonly Told[], expected: ReadonlyMap<string, number>): boolean =>
    list.length === expected.size &&
    list.every((told) => {
      const seconds = expected.get(`${told.value} ${told.scenario.slice(4)}`);
      const said = Number(/^(\d+)s$/.exec(told.duration)?.[1]);
      return seconds !== undefined && said <= seconds && said > seconds - (exact ? 1 : 30);
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

    /** A whole answer arrived: it must be one that the contract allows. */
    answered(key: string, startup: boolean, answer: { new: Told[]; deleted: Told[] }): void {
      const all = `new is every current ban and nothing else: ${[...bans.keys()]}`;
      expect(matches(answer.new, current()), all).toBe(true);
      const before = possible(key);
      const allowed = startup ? [new Map()] : before.map(goneFrom);
      const gone = `deleted is what is gone since ${JSON.stringify(before.map((cursor) => [...(cursor?.told ?? [])]))}`;
      expect(
        allowed.some((removed) => matches(answer.deleted, removed)),
        gone,
      ).toBe(true);
      cursors.set(key, [present()]);
    },

    /** The client left: the request had not arrived, or the answer had not gone out, or it had. */
    cutOff(key: string): void {
      const before = possible(key);
      const renewed = before.map((cursor) => cursor && { ...cursor, renewedAt: now });
      cursors.set(key, [...before, ...renewed, present()]);
    },

    /** 304 is only right where nothing would be deleted; it counts as a poll. */
    unchanged(key: string): void {
      expect(possible(key).some((cursor) => cursor && goneFrom(cursor).size === 0)).toBe(true);
      cursors.set(key, [present()]);
    },
  };
}

export type StreamModel = ReturnType<typeof createStreamModel>;
