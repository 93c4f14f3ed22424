import Type from 'typebox';
import { preferredType } from '../../../http/accept.ts';
import { enveloped } from '../../../http/answer.ts';
import {
  boolean,
  described,
  type Input,
  oneOf,
  optional,
  queryFlag,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { streamedFile } from '../../../http/file-answer.ts';
import {
  type Call as HttpCall,
  type Resource,
  type Route,
  reads,
  route,
  writes,
} from '../../../http/route.ts';
import { wallText } from '../../../lib/zoned-time.ts';
import type { Step } from './call-counts.ts';
import { EXPORT_FORMATS, EXPORT_TYPES, type ExportFormat, exportStream } from './call-export.ts';
import { assertYear, readCountsWindow, readOrder, readStatsWindow } from './call-query.ts';
import {
  CallCountsSchema,
  CallSchema,
  clamped,
  DeletedSchema,
  filterFields,
  LegSchema,
  ListSchema,
  listFields,
  MetadataSchema,
  moment,
  ProviderTotalsSchema,
} from './cdr.schema.ts';
import type { Cdr } from './cdr.service.ts';
import type { Asker } from './key-turns.ts';
import { recordingRoutes } from './recordings.routes.ts';

export const cdrResource: Resource = {
  path: '/api/v3/cdr',
  label: 'Call Records',
  description: 'Call history, recordings and statistics',
  levels: ['read', 'write'],
};

/** A leg's id, or a linkedid, which may have almost any character. */
const callId = {
  pattern: /^[^\0-\x1f\x7f/:]{1,255}$/,
  description: 'digits for a leg, otherwise a linkedid',
} as const;

interface RouteParts {
  readonly cdr: Cdr;
  readonly timezone: string;
  /** By id. */
  readonly providerNames: () => Promise<ReadonlyMap<string, string>>;
}

export function cdrRoutes({ cdr, timezone, providerNames }: RouteParts): Route[] {
  const access = reads(cdrResource);
  const list = listFields(timezone);
  const filters = filterFields(timezone);
  const statsFields = {
    dateFrom: moment(timezone, 'From this time on; a date means the start of the day'),
    dateTo: moment(timezone, 'Up to and including this second or day; at most 365 days after `dateFrom`'),
  };
  const exported = async (call: HttpCall<unknown, Input<typeof filters>>, format: ExportFormat) => {
    const { query, headers } = call;
    const stream = exportStream(await cdr.openExport(query, askerOf(call)), format, query.grouped);
    const file = { name: `calls.${format}`, type: EXPORT_TYPES[format], stream };
    return streamedFile(file, headers['accept-encoding']);
  };

  async function deletions(since: number, limit: number, warn: HttpCall['warn']) {
    const { isIncomplete, ...deleted } = await cdr.deletedSince(since, limit);
    if (isIncomplete) warn('deletedSince: some deletions are no longer known, read the whole history again');
    const pagination = { total: 0, limit, offset: 0, hasMore: deleted.hasMore, lastId: null };
    return { records: [], pagination, deleted };
  }

  return [
    route({
      method: 'GET',
      path: '/cdr',
      function: 'getList',
      access,
      summary: 'List calls',
      description: `Lists calls with their legs, newest first; with \`idFrom\` and without \`sort\`, in the order of their newest leg. Without any date, number, linkedid, search or idFrom, it covers the last 30 days.
With \`Accept: text/csv\` or \`application/x-ndjson\`, everything that matches is streamed, without paging.
Times are local times of the exchange; \`meta.timezone\` names its zone.

A request counts as a search if it filters by number, DID, name, disposition, provider, \`app\`, \`queue\` or \`billsecFrom\`, has \`grouped=false\`, or sorts by anything but \`id\` or \`start\`. A key
can run one search at a time: a second one waits a moment, then fails with 429. A search that takes longer than 10 s fails with 503. In a long history,
one or two digits are too broad (422), unless the dates leave only few calls.`,
      query: list,
      answer: ListSchema,
      produces: ['text/csv', 'application/x-ndjson'],
      errors: [422],
      async handle(call) {
        const { query } = call;
        const format = wantedFormat(call.headers.accept);
        if (format) return exported(call, format);
        const { limit, offset, deletedSince } = query;
        if (deletedSince !== undefined) return deletions(deletedSince, limit, call.warn);
        assertYear(query);
        const page = { limit, offset, ...readOrder(query) };
        const { data, window } = await cdr.list(query, page, askerOf(call));
        return enveloped(data, { meta: { timezone, window } });
      },
    }),
    route({
      method: 'GET',
      path: '/cdr:export',
      function: 'export',
      access,
      summary: 'Export calls as CSV (a row per leg) or NDJSON (a call per line)',
      description: `A key can run one export at a time: a second one waits a moment, then fails with 429. A client that reads very slowly is
disconnected, so that a truncated file is never taken for a complete one.`,
      query: {
        ...filters,
        format: withDefault(oneOf(EXPORT_FORMATS), 'csv'),
      },
      produces: ['text/csv', 'application/x-ndjson'],
      handle: (call) => exported(call, call.query.format),
    }),
    route({
      method: 'GET',
      path: '/cdr:getMetadata',
      function: 'getMetadata',
      access,
      summary: 'First and last date of the newest records',
      query: { limit: clamped(1000, 100) },
      answer: MetadataSchema,
      handle: ({ query }) => cdr.metadata(query.limit),
    }),
    route({
      method: 'GET',
      path: '/cdr:getStats',
      function: 'getStats',
      access,
      summary: 'Count calls by hour or day and by how they ended',
      description: `Returns an entry for every hour (at most 31 days) or day (at most 365 days) of the period, including those without
calls. A period of more than 31 days counts as a search, as in the list of calls.`,
      query: {
        ...statsFields,
        by: withDefault(oneOf<Step>(['hour', 'day']), 'day'),
      },
      answer: CallCountsSchema,
      errors: [422],
      async handle(call) {
        const { query } = call;
        const counts = await cdr.callCounts(readCountsWindow(query), query.by, askerOf(call));
        const data = counts.map((count) => ({ ...count, at: wallText(count.at) }));
        return enveloped(data, { meta: { timezone } });
      },
    }),
    route({
      method: 'GET',
      path: '/cdr:getStatsByProvider',
      function: 'getStatsByProvider',
      access,
      summary: 'Count calls by provider and direction',
      query: { ...statsFields, provider: optional(text({ max: 255 })) },
      answer: ProviderTotalsSchema,
      errors: [422],
      async handle({ query }) {
        const [totals, names] = await Promise.all([
          cdr.providerTotals(readStatsWindow(query), query.provider || undefined),
          providerNames(),
        ]);
        return totals.map((row) => ({ ...row, providerName: names.get(row.provider) ?? row.provider }));
      },
    }),
    ...recordingRoutes({ cdr, group: cdrResource }),
    route({
      method: 'GET',
      path: '/cdr/{id}',
      function: 'getRecord',
      access,
      summary: 'Read a leg or a call',
      id: callId,
      find: cdr.find,
      answer: Type.Union([LegSchema, CallSchema]),
      handle: ({ found }) => found,
    }),
    route({
      method: 'DELETE',
      path: '/cdr/{id}',
      function: 'delete',
      access: writes(cdrResource),
      summary: 'Delete a leg, or a call with all its legs',
      id: callId,
      find: cdr.find,
      query: { deleteRecording: queryFlag(false) },
      body: {
        deleteRecording: described(optional(boolean), 'Alternative to the query parameter of the same name'),
      },
      answer: DeletedSchema,
      handle: ({ id, query, body }) => cdr.remove(id, body.deleteRecording ?? query.deleteRecording),
    }),
  ];
}

const askerOf = ({ asker, signal }: HttpCall): Asker => ({ name: asker, signal });

/** JSON, unless the client prefers another format. */
function wantedFormat(accept: string | string[] | undefined): ExportFormat | undefined {
  const type = preferredType(accept, ['application/json', ...EXPORT_FORMATS.map(mediaType)]);
  return EXPORT_FORMATS.find((format) => mediaType(format) === type);
}

const mediaType = (format: ExportFormat): string => EXPORT_TYPES[format].split(';')[0] as string;
