import { contains, type Network, parseNetwork } from '../src/lib/network.ts';
import type { Told } from './firewall-rig.ts';

/** How a client that cannot run here processes the stream, according to its public sources. */
interface Habits {
  /** Applies `new`, then `deleted`; otherwise the other way round. */
  readonly deletedLast: boolean;
  /** Decisions with the same key are one entry. */
  readonly keyOf: (told: Told) => string;
  /** Parses a duration to seconds, `undefined` for no end; without it the client ignores durations. */
  readonly seconds?: (duration: string) => number | undefined;
  /** Which decisions it accepts. */
  readonly takes?: (told: Told) => boolean;
  /** Every poll is a first poll and replaces all entries. */
  readonly startsAnew?: boolean;
}

const byValue = ({ value }: Told) => value;
/** Hours, minutes and seconds, each optionally with a fraction. */
const goSeconds = (duration: string) =>
  [...duration.matchAll(/(\d+(?:\.\d+)?)(h|m|s)/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1),
    0,
  );
/** Whole numbers only; with anything else, the decision never ends. */
const luaSeconds = (duration: string) =>
  /^(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$/.test(duration) ? goSeconds(duration) : undefined;
const TEXTS = ['origin', 'type', 'scope', 'value', 'duration', 'scenario'] as const;

export const HABITS = {
  traefik: { deletedLast: true, keyOf: byValue, seconds: goSeconds, takes: ({ scope }) => scope === 'Ip' },
  php: {
    deletedLast: true,
    keyOf: ({ origin, type, scope, value }) => [origin, type, scope, value].join(' '),
    seconds: goSeconds,
    takes: (told) => TEXTS.slice(0, 5).every((name) => told[name] !== ''),
  },
  haproxy: { deletedLast: true, keyOf: ({ value, type, origin }) => [value, type, origin].join(' ') },
  cloudflare: {
    deletedLast: true,
    keyOf: ({ value }) => value.toLowerCase(),
    takes: (told) => TEXTS.every((name) => typeof told[name] === 'string'),
  },
  mirror: { deletedLast: true, keyOf: byValue },
  'mirror that starts anew': { deletedLast: true, keyOf: byValue, startsAnew: true },
  lua: {
    deletedLast: false,
    keyOf: byValue,
    seconds: luaSeconds,
    takes: ({ scope }) => /^(ip|range)$/i.test(scope),
  },
  pycrowdsec: { deletedLast: false, keyOf: byValue },
  caddy: { deletedLast: false, keyOf: byValue, takes: ({ scope }) => scope === 'Ip' || scope === 'Range' },
} as const satisfies Record<string, Habits>;

interface SmallBouncerParts {
  readonly habits: Habits;
  readonly get: (query: string) => Promise<{ new: Told[]; deleted: Told[] }>;
  readonly now: () => number;
}

export function createSmallBouncer({ habits, get, now }: SmallBouncerParts) {
  const entries = new Map<string, { network: Network; until: number }>();
  const { keyOf, seconds, takes = () => true } = habits;
  let started = false;

  function add(told: Told): void {
    const left = seconds ? seconds(told.duration) : undefined;
    const until = left === undefined ? Infinity : now() + left * 1000;
    entries.set(keyOf(told), { network: parseNetwork(told.value) as Network, until });
  }

  return {
    async poll(): Promise<void> {
      const answer = await get(`?startup=${habits.startsAnew || !started}`);
      started = true;
      if (habits.startsAnew) entries.clear();
      const lists = { new: answer.new.filter(takes), deleted: answer.deleted.filter(takes) };
      const applyDeleted = () => lists.deleted.forEach((told) => void entries.delete(keyOf(told)));
      if (!habits.deletedLast) applyDeleted();
      lists.new.forEach(add);
      if (habits.deletedLast) applyDeleted();
    },

    blocks(ip: string): boolean {
      const address = parseNetwork(ip) as Network;
      return [...entries.values()].some(({ network, until }) => until > now() && contains(network, address));
    },

    entryCount: (): number => entries.size,
  };
}
