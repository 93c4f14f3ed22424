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
Server-sent events. An API key receives only events of resources that it may read; a person receives all of them.

Each event has \`id\`, \`event\` and \`data\`. \`data\` is one JSON object, the complete new state of its subject; the schema \`EventData\`
lists its form for each event name. The stream begins with one \`snapshot\` per topic; after that, every change follows. A client that reconnects sends the last \`id\`
as \`Last-Event-ID\` and receives everything after it, or \`gap\` and new snapshots if those events are no longer kept. The service sends \`bye\` before
it ends a stream. A comment every 15 seconds shows that the stream is alive.

The stream ends when its key is revoked or changed, or when its access token expires: reconnect with a new one.
At most 5 streams per caller (otherwise 429) and 1000 per node (otherwise 503).`;

export function eventRoutes({ streams }: { streams: EventStreams }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/events',
      function: 'follow',
      access: anyCredential,
      group: { label: 'Events', description: 'Live stream of calls, statuses, bans and changed records' },
      summary: 'Follow calls, statuses, bans and changed records',
      description: DESCRIPTION,
      query: {
        topics: described(
          optional(text({ max: 255 })),
          `Comma-separated list of ${TOPICS.join(', ')}; absent: all that the caller may receive`,
        ),
        lastEventId: described(
          optional(text({ max: 64 })),
          'For clients that cannot send the header `Last-Event-ID`, which takes precedence',
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
