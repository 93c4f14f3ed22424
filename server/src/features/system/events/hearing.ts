import { holds, isAdministrator } from '../../../http/access.ts';
import type { Caller } from '../../../http/caller.ts';
import { Forbidden, InvalidFields } from '../../../lib/errors.ts';
import { TOPIC_PATHS, TOPICS, type Topic } from '../../../lib/event-topics.ts';
import type { LoggedEvent } from '../../../store/events/event-log.ts';

/** The events that one stream receives. */
export interface Hearing {
  readonly topics: readonly Topic[];
  hears(event: LoggedEvent): boolean;
  /** Equal for all streams that receive the same events. */
  readonly signature: string;
}

/** Contract 30.2. */
export function readTopics(text: string | undefined): Topic[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => TOPICS.includes(name as Topic)))
    throw new InvalidFields([`topics: must be one of ${TOPICS.join(', ')}`], ['topics']);
  return TOPICS.filter((topic) => names.includes(topic));
}

/** Contract 30.1: a key receives only events of resources that it may read; a person receives all. */
export function hearingOf(caller: Caller, asked: readonly Topic[] | undefined): Hearing {
  const refused = (asked ?? []).filter((topic) => !mayHear(caller, topic));
  if (refused.length > 0) throw new Forbidden(refused.map(refusalOf));
  const topics = asked ?? TOPICS.filter((topic) => mayHear(caller, topic));
  const set = new Set(topics);
  const hearsAll = isAdministrator(caller);
  const grants = caller.kind === 'api_key' && set.has('records') ? [...caller.grants.keys()].sort() : [];
  return {
    topics,
    hears: ({ topic, path }) =>
      set.has(topic) && (hearsAll || topic !== 'records' || holds(caller, path, 'read')),
    signature: `${topics.join()} ${hearsAll ? '*' : grants.join()}`,
  };
}

/** For records, the permission is checked per event. */
const mayHear = (caller: Caller, topic: Topic): boolean =>
  topic === 'records' || holds(caller, TOPIC_PATHS[topic], 'read');

const refusalOf = (topic: Topic): string =>
  `this API key does not hold read on ${TOPIC_PATHS[topic as keyof typeof TOPIC_PATHS]}, so it cannot hear of ${topic}`;
