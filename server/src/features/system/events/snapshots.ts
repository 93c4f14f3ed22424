import type { Topic } from '../../../lib/event-topics.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import { frame, NO_PLACE } from './frames.ts';

type Subjects = ReadonlyMap<string, string>;

const list = (subjects: Subjects) => `[${[...subjects.values()].join()}]`;
const record = (subjects: Subjects) =>
  `{${[...subjects].map(([subject, data]) => `${JSON.stringify(subject)}:${data}`).join()}}`;

/** The members of a snapshot besides its topic, as JSON text (contract 30.4). */
const BODIES: Readonly<Record<Topic, (subjects: Subjects) => string>> = {
  calls: (subjects) => `"calls":${list(subjects)}`,
  extensions: (subjects) => `"extensions":${record(subjects)}`,
  providers: (subjects) => `"providers":${record(subjects)}`,
  bans: (subjects) => `"bans":${subjects.get('counts') ?? NO_BANS}`,
  bouncers: (subjects) => `"bouncers":${list(subjects)}`,
  engine: (subjects) => `"engine":${subjects.get('engine') ?? '{"state":"none"}'}`,
  modules: (subjects) => `"modules":${list(subjects)}`,
  hours: (subjects) => `"hours":${list(subjects)}`,
  queues: (subjects) => `"queues":${list(subjects)}`,
  // Empty: the client has to assume that any record it holds is out of date.
  records: () => '"records":{}',
};

const NO_BANS = '{"total":0,"categories":{"sip":0,"http":0,"ami":0,"iax":0}}';

/** The present state of each topic, rendered once even if thousands of clients reconnect at the same time. */
export function createSnapshots({ log }: { log: EventLog }) {
  const made = new Map<Topic, { version: number; bytes: Buffer }>();

  function bodyOf(topic: Topic): Buffer {
    const version = log.keptVersion(topic);
    const known = made.get(topic);
    if (known?.version === version) return known.bytes;
    const text = `event: snapshot\ndata: {"topic":"${topic}",${BODIES[topic](log.kept(topic))}}\n\n`;
    const bytes = Buffer.from(text);
    made.set(topic, { version, bytes });
    return bytes;
  }

  return {
    /** Snapshots of the place `head`. Only the last has its id, so a client that was cut off earlier begins anew. */
    of(topics: readonly Topic[]): Buffer[] {
      return topics.flatMap((topic, i) => {
        const id = i === topics.length - 1 ? log.headId : NO_PLACE;
        return [Buffer.from(`id: ${id}\n`), bodyOf(topic)];
      });
    },
    gap: (reason: string): Buffer => frame(NO_PLACE, 'gap', { reason }),
  };
}

export type Snapshots = ReturnType<typeof createSnapshots>;
