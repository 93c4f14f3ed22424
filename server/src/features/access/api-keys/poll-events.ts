import type { Clock } from '../../../lib/clock.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { ApiKeyRow } from './api-keys.store.ts';

/** Contract 30, `bouncer`: at most one event per key and second. */
const WINDOW_MS = 1000;

interface Poll {
  readonly id: string;
  readonly last_poll_at: string;
  readonly last_poll_ip: string;
  readonly user_agent: string;
}

interface PollEventParts {
  readonly events: EventLog;
  readonly clock: Clock;
  readonly timezone: string;
}

/** Tells of bouncers that poll. */
export function createPollEvents({ events, clock, timezone }: PollEventParts) {
  /** Keys that polled within the last second, with what is to be told at its end. */
  const recent = new Map<string, { latest?: Poll; timer: NodeJS.Timeout }>();

  const pollOf = (id: string, at: number, address: string, userAgent: string): Poll => ({
    id,
    last_poll_at: localDateTime(at, timezone),
    last_poll_ip: address,
    user_agent: userAgent.slice(0, 255),
  });

  let isClosed = false;

  function tell(poll: Poll): void {
    if (isClosed) return;
    events.publish({
      topic: 'bouncers',
      event: 'bouncer',
      data: poll,
      keep: { subject: poll.id, data: poll },
    });
    const timer = setTimeout(() => {
      const { latest } = recent.get(poll.id) ?? {};
      recent.delete(poll.id);
      if (latest) tell(latest);
    }, WINDOW_MS);
    recent.set(poll.id, { timer: timer.unref() });
  }

  return {
    polled(id: string, address: string, userAgent: string): void {
      const poll = pollOf(id, clock.now(), address, userAgent);
      const window = recent.get(id);
      if (window) window.latest = poll;
      else tell(poll);
    },
    /** Polls before the start are part of the first snapshot. */
    known(keys: readonly ApiKeyRow[]): void {
      const told = events.kept('bouncers');
      for (const { id, last_poll_at: at, last_poll_ip: address, user_agent: agent } of keys)
        if (at !== null && !told.has(String(id))) tell(pollOf(String(id), at, address ?? '', agent ?? ''));
    },
    /** The key is gone. */
    forget(id: string): void {
      clearTimeout(recent.get(id)?.timer);
      recent.delete(id);
      if (!events.kept('bouncers').has(id)) return;
      events.publish({
        topic: 'bouncers',
        event: 'bouncer',
        data: { id, deleted: true },
        keep: { subject: id },
      });
    },
    close(): void {
      isClosed = true;
      for (const { timer } of recent.values()) clearTimeout(timer);
      recent.clear();
    },
  };
}
