import { answer } from '../../../http/answer.ts';
import type { Caller } from '../../../http/caller.ts';
import { described, optional, text } from '../../../http/fields.ts';
import { anyCredential, type Route, route } from '../../../http/route.ts';
import { TOPICS } from '../../../lib/event-topics.ts';
import type { EventStreams } from './event-streams.ts';
import { EventData } from './events.schema.ts';
import { hearingOf, readTopics } from './hearing.ts';

/** No proxy may cache or buffer the stream (contract 30.9). */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

const DESCRIPTION = `\
Server-sent events. A caller hears only of what it may read; a person hears all.

Each event has \`id\`, \`event\` and \`data\`, one JSON object: the complete new state of its subject, as schema \`EventData\` lists them by
the name of the event. At first comes a \`snapshot\` per topic, then every change. A client that reconnects sends the last \`id\` as \`Last-Event-ID\`
and gets everything after it, or \`gap\` and new snapshots when that is no longer kept. \`bye\` comes before the service ends a stream by
itself. A comment every 15 seconds shows that the stream is alive.

The stream ends when its key is revoked or changed, and when its access token expires: reconnect with a new one.
At most 5 streams per caller (429) and 1000 per node (503).`;

export function eventRoutes({ streams }: { streams: EventStreams }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/events',
      function: 'follow',
      access: anyCredential,
      group: { label: 'Events', description: 'What happens, as it happens' },
      summary: 'Follow calls, statuses, bans and changed records',
      description: DESCRIPTION,
      query: {
        topics: described(
          optional(text({ max: 255 })),
          `Comma list of ${TOPICS.join(', ')}; absent: all that the caller may hear`,
        ),
        lastEventId: described(
          optional(text({ max: 64 })),
          'As the header `Last-Event-ID`, which wins, for clients that cannot send one',
        ),
      },
      produces: ['text/event-stream'],
      events: EventData,
      async handle({ caller, query, headers }) {
        const known = caller as Caller;
        const hearing = hearingOf(known, readTopics(query.topics));
        const header = headers['last-event-id'];
        const last = (Array.isArray(header) ? header[0] : header) ?? query.lastEventId;
        const { body: stream, onCutOff, sent } = await streams.open(known, hearing, last);
        return answer({ status: 200, headers: HEADERS, parts: [], stream, onCutOff, sent });
      },
    }),
  ];
}
