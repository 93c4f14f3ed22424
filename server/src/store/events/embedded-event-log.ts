import type { Clock } from '../../lib/clock.ts';
import { TOPIC_PATHS } from '../../lib/event-topics.ts';
import type { EventLog } from './event-log.ts';
import { createHearers } from './hearers.ts';
import { createRecentEvents, parseId } from './recent-events.ts';

interface EmbeddedLogOptions {
  readonly clock: Clock;
  readonly steady: Clock;
}

/** The number of the newest log in this process. */
let lastLife = 0;

/** In memory, for one node. Ids begin with the start time, so that ids from before a restart are recognised. */
export function createEmbeddedEventLog({ clock, steady }: EmbeddedLogOptions): EventLog {
  // Not the passed clock alone: neither a clock that is set back nor a second start within a millisecond may give two
  // logs the same number, or a client would resume in a log that never contained the events it received.
  const life = Math.max(clock.now(), Date.now(), lastLife + 1);
  lastLife = life;
  const recent = createRecentEvents({ steady, startId: `${life}-0` });
  const hearers = createHearers();
  const listeners: (() => void)[] = [];
  let count = 0;

  return {
    kind: 'embedded',
    publish({ topic, event, data, path, keep }) {
      const json = JSON.stringify(data);
      const keptJson = keep?.data === data ? json : keep?.data && JSON.stringify(keep.data);
      const needed = path ?? TOPIC_PATHS[topic as keyof typeof TOPIC_PATHS];
      recent.add(
        { id: `${life}-${++count}`, topic, event, data: json, path: needed },
        keep && { subject: keep.subject, ...(keptJson !== undefined && { data: keptJson }) },
      );
      for (const listener of listeners) listener();
    },
    listen: (listener) => void listeners.push(listener),
    onBreak() {},
    onSpeaker() {},
    hear: hearers.hear,
    isHeard: hearers.isHeard,
    onHeard: hearers.onHeard,
    get head() {
      return recent.head;
    },
    get headId() {
      return recent.headId;
    },
    async placeAfter(id) {
      const [ofLife, number] = parseId(id) ?? [];
      if (ofLife !== life || (number as number) > count) return id === '0-0' ? 'expired' : 'node';
      return recent.placeAfter(id);
    },
    from: recent.from,
    kept: recent.kept,
    keptVersion: recent.keptVersion,
    isSpeaker: true,
    isUp: true,
    async close() {
      listeners.length = 0;
    },
  };
}
