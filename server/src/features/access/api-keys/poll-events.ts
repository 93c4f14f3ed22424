import type { Clock } from '../../../lib/clock.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { ApiKeyRow } from './api-keys.store.ts';

/** Contract 30, `bouncer`: at most one event per key and second. */
const WINDOW_MS = 1000;

interface Poll {
  readonly id: string;
  readonly at: number;
  readonly address: string;
  readonly userAgent: string;
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

  let isClosed = false;

  function tell(poll: Poll): void {
    if (isClosed) return;
    const data = {
      id: poll.id,
      last_poll_at: localDateTime(poll.at, timezone),
      last_poll_ip: poll.address,
      user_agent: poll.userAgent.slice(0, 255),
    };
    events.publish({ topic: 'bouncers', event: 'bouncer', data, keep: { subject: poll.id, data } });
    const timer = setTimeout(() => {
      const { latest } = recent.get(poll.id) ?? {};
      recent.delete(poll.id);
      if (latest) tell(latest);
    }, WINDOW_MS);
    recent.set(poll.id, { timer: timer.unref() });
  }

  /** The key is gone. */
  function forget(id: string): void {
    clearTimeout(recent.get(id)?.timer);
    recent.delete(id);
    if (isClosed || !events.kept('bouncers').has(id)) return;
    events.publish({
      topic: 'bouncers',
      event: 'bouncer',
      data: { id, deleted: true },
      keep: { subject: id },
    });
  }

  return {
    polled(id: string, address: string, userAgent: string): void {
      const poll = { id, at: clock.now(), address, userAgent };
      const window = recent.get(id);
      if (window) window.latest = poll;
      else tell(poll);
    },
    /** Polls before the start are part of the first snapshot, and keys that went meanwhile are not. */
    async compare(list: () => Promise<readonly ApiKeyRow[]>): Promise<void> {
      // Looked at before the list: a key that is made meanwhile is not gone.
      const before = [...events.kept('bouncers').keys()];
      const keys = await list();
      const ids = new Set(keys.map(({ id }) => String(id)));
      for (const id of before) if (!ids.has(id)) forget(id);
      const told = events.kept('bouncers');
      for (const { id, last_poll_at: at, last_poll_ip: address, user_agent: agent } of keys)
        if (at !== null && !told.has(String(id)))
          tell({ id: String(id), at, address: address ?? '', userAgent: agent ?? '' });
    },
    forget,
    close(): void {
      isClosed = true;
      for (const { timer } of recent.values()) clearTimeout(timer);
      recent.clear();
    },
  };
}
