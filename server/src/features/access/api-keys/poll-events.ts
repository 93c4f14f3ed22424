import type { Clock } from '../../../lib/clock.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { ApiKeyRow } from './api-keys.store.ts';

/** Contract 30, `bouncer`: at most one event per key and second. */
const WINDOW_MS = 1000;
/** Polls within this time are handled together. */
const GATHER_MS = 50;
/** How often all bouncers are checked for lateness and for bans they have not received. */
const LOOK_MS = 5000;

type LastPoll = Pick<ApiKeyRow, 'last_poll_at' | 'last_poll_ip' | 'user_agent'>;
/** The bouncer of a key in the form of the interface (contract 36). */
type Shown = object & { readonly last_poll_at: string };

interface PollEventParts {
  readonly events: EventLog;
  readonly clock: Clock;
  readonly list: () => Promise<readonly ApiKeyRow[]>;
  /** The shown form of the keys used by bouncers, by id. */
  readonly show: (rows: readonly ApiKeyRow[]) => Promise<ReadonlyMap<number, Shown>>;
  readonly onError: (error: unknown) => void;
}

/**
 * Publishes events of bouncers: each poll, and when one becomes late or has more bans to fetch. A poll only leaves a
 * note here. While nobody follows the topic nothing is looked up or published; a new follower gets the present state.
 */
export function createPollEvents({ events, clock, list, show, onError }: PollEventParts) {
  let polled = new Map<number, LastPoll>();
  /** Whether the next look covers all bouncers, not only those that polled. */
  let isAllDue = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const isHeard = () => events.isHeard('bouncers');

  function tell(id: number, data: object): void {
    const told = { id: String(id), ...data };
    events.publish({
      topic: 'bouncers',
      event: 'bouncer',
      data: told,
      keep: { subject: String(id), data: told },
    });
  }

  /** To be called when a key is deleted. */
  function forget(id: string): void {
    polled.delete(Number(id));
    if (isClosed || !events.kept('bouncers').has(id)) return;
    const data = { id, deleted: true };
    events.publish({ topic: 'bouncers', event: 'bouncer', data, keep: { subject: id } });
  }

  async function look(): Promise<void> {
    const [due, isOfAll] = [polled, isAllDue];
    polled = new Map();
    isAllDue = false;
    lookedAt = performance.now();
    // Taken before the list, so that a key created meanwhile does not count as deleted.
    const before = [...events.kept('bouncers').keys()];
    const rows = (await list()).map((row) => ({ ...row, ...due.get(row.id) }));
    const shown = await show(isOfAll ? rows : rows.filter(({ id }) => due.has(id)));
    if (isClosed) return;
    const told = events.kept('bouncers');
    for (const [id, item] of shown) {
      const last = told.get(String(id));
      const known = last === undefined ? undefined : (JSON.parse(last) as Shown);
      if (due.has(id) || !known) tell(id, item);
      else if (comparable(item) !== comparable(known)) tell(id, { ...item, ...laterPoll(item, known) });
    }
    if (!isOfAll) return;
    for (const id of before) if (!shown.has(Number(id))) forget(id);
  }

  /** Looks run one at a time. */
  function lookNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running = running.then(() => (isClosed ? undefined : look())).catch(onError);
    return running;
  }

  function schedule(): void {
    if (isClosed) return;
    timer ??= setTimeout(
      () => void lookNow(),
      Math.max(GATHER_MS, lookedAt + WINDOW_MS - performance.now()),
    ).unref();
  }

  /** Only the speaker does this, since all nodes see the same. */
  function lookAtAll(): void {
    if (!isHeard() || !events.isSpeaker) return;
    isAllDue = true;
    schedule();
  }
  const looks = setInterval(lookAtAll, LOOK_MS).unref();
  events.onSpeaker(lookAtAll);
  events.onBreak(lookAtAll);
  // A new follower on this node waits for this.
  events.onHeard(async (topic) => {
    if (topic !== 'bouncers') return;
    isAllDue = true;
    await lookNow();
  });

  return {
    polled(id: number, address: string, userAgent: string): void {
      polled.set(id, {
        last_poll_at: clock.now(),
        last_poll_ip: address,
        user_agent: userAgent.slice(0, 255),
      });
      if (isHeard()) schedule();
    },
    forget,
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(looks);
      clearTimeout(timer);
      await running;
    },
  };
}

/** Leaves out what changes with time alone, and the polls, which the node that answers them publishes. */
const comparable = (shown: Shown): string =>
  JSON.stringify({
    ...shown,
    id: '',
    last_poll_at: '',
    last_poll_ip: '',
    user_agent: '',
    interval_seconds: 0,
    seconds_since: 0,
  });

/** The poll that another node published, when this node has not read it from the database yet. */
function laterPoll(shown: Shown, known: Shown): object {
  if (known.last_poll_at <= shown.last_poll_at) return {};
  const { last_poll_at, last_poll_ip, user_agent } = known as Shown & Record<string, unknown>;
  return { last_poll_at, last_poll_ip, user_agent };
}
