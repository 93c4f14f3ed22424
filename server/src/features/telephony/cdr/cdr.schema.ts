import Type from 'typebox';
import {
  custom,
  described,
  type Field,
  FieldProblem,
  oneOf,
  optional,
  queryFlag,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { readWallTime, type WallMoment } from '../../../lib/zoned-time.ts';
import { APPLICATIONS, SORTS, type Sort } from './call-filter.ts';

const Time = Type.String({ description: 'Local time of the exchange, `YYYY-MM-DD HH:MM:SS.mmm`, or empty' });
const legProperties = {
  recordingfile: Type.String({ description: 'Name of the recording; empty when the file is missing' }),
  playback_url: Type.String({
    description: 'URL that plays the recording, valid for an hour without a credential',
  }),
  download_url: Type.String(),
  dtmf_digits: Type.String(),
  id: Type.Integer({ description: 'Increases with every leg stored; the position for `idFrom`' }),
  start: Time,
  answer: Time,
  endtime: Time,
  src_chan: Type.String(),
  src_num: Type.String(),
  src_name: Type.String(),
  dst_chan: Type.String(),
  dst_num: Type.String(),
  dst_name: Type.String(),
  UNIQUEID: Type.String(),
  linkedid: Type.String(),
  did: Type.String(),
  disposition: Type.String(),
  from_account: Type.String(),
  to_account: Type.String(),
  dialstatus: Type.String(),
  appname: Type.String(),
  transfer: Type.String(),
  is_app: Type.String(),
  duration: Type.Integer(),
  billsec: Type.Integer(),
  work_completed: Type.String(),
  src_call_id: Type.String(),
  dst_call_id: Type.String(),
  verbose_call_id: Type.String(),
  rec_src_channel: Type.String(),
};
export const LegSchema = Type.Object(legProperties, { $id: 'CallLeg' });
export const CallSchema = Type.Object(
  {
    linkedid: Type.String(),
    start: Time,
    src_num: Type.String(),
    src_name: Type.String(),
    dst_num: Type.String({ description: 'The DID, if a leg has one' }),
    dst_name: Type.String(),
    did: Type.String(),
    disposition: Type.String({
      description: 'ANSWERED if any leg was answered, otherwise the disposition of the earliest leg',
    }),
    totalDuration: Type.Integer({
      description:
        'Seconds of all legs together; if the call reached a menu, queue or message, seconds from the first start to the last end',
    }),
    totalBillsec: Type.Integer(),
    records: Type.Array(LegSchema, { description: 'Legs of the call, by start time' }),
  },
  { $id: 'Call' },
);
export const ListSchema = Type.Object({
  records: Type.Array(Type.Union([CallSchema, LegSchema])),
  pagination: Type.Object({
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    hasMore: Type.Boolean(),
    lastId: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Highest leg id in this answer; if there is none, the `idFrom` that was sent',
    }),
  }),
  deleted: Type.Optional(
    Type.Object(
      {
        legs: Type.Array(Type.Integer(), { description: 'Ids of legs' }),
        calls: Type.Array(Type.String(), { description: 'linkedids of calls that have no legs left' }),
        cursor: Type.Integer({ description: 'Value for the next `deletedSince`' }),
        hasMore: Type.Boolean(),
      },
      { description: 'Only with `deletedSince`' },
    ),
  ),
});
export const MetadataSchema = Type.Object({
  earliestDate: Type.Union([Type.String(), Type.Null()]),
  latestDate: Type.Union([Type.String(), Type.Null()]),
  hasRecords: Type.Boolean(),
  sampleSize: Type.Integer(),
});
export const ProviderTotalsSchema = Type.Array(
  Type.Object(
    {
      provider: Type.String(),
      providerName: Type.String(),
      direction: Type.Union([Type.Literal('incoming'), Type.Literal('outgoing')]),
      totalCalls: Type.Integer(),
      answeredCalls: Type.Integer(),
      missedCalls: Type.Integer(),
      totalDuration: Type.Integer(),
      totalBillsec: Type.Integer(),
    },
    { $id: 'ProviderTotals' },
  ),
);
export const CallCountsSchema = Type.Array(
  Type.Object(
    {
      at: Type.String({ description: 'Local time of the exchange at which the hour or day begins' }),
      answered: Type.Integer(),
      noAnswer: Type.Integer(),
      busy: Type.Integer(),
      failed: Type.Integer(),
      chanunavail: Type.Integer(),
    },
    { $id: 'CallCounts' },
  ),
);
export const DeletedSchema = Type.Object({
  id: Type.String({ description: 'The id that was sent' }),
  linkedid: Type.String(),
  recordingDeleted: Type.Boolean(),
  linkedRecordsDeleted: Type.Integer({
    description: 'Number of further legs of the call that were deleted',
  }),
});

/** A time of contract 5.2. */
export const moment = (timezone: string, description: string): Field<WallMoment> =>
  custom({ type: 'string', description, examples: ['2026-03-01T00:00:00'] }, (value) => {
    const read = readWallTime(String(value), timezone);
    if (!read) throw new FieldProblem('must have the format YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD');
    return read;
  });

/** Clamped, never refused. */
export const clamped = (maximum: number, byDefault: number): Field<number> =>
  withDefault(
    custom(
      { type: 'integer', minimum: 1, maximum, description: `Clamped to 1..${maximum}, never refused` },
      (value) => (/^-?\d+$/.test(String(value)) ? Math.min(maximum, Math.max(1, Number(value))) : byDefault),
    ),
    byDefault,
  );

const count = (description: string): Field<number> =>
  custom({ type: 'integer', minimum: 0, description }, (value) => {
    if (!/^\d+$/.test(String(value))) throw new FieldProblem('must be an integer, at least 0');
    return Math.min(Number(value), 2 ** 50);
  });

const part = (description: string): Field<string | undefined> => {
  const field = text({ max: 255 });
  return {
    ...field,
    required: false,
    schema: { ...field.schema, description },
    read: (value) => field.read(value) || undefined,
  };
};

/** Other values count as not sent. */
const choice = <const T extends string>(
  values: readonly T[],
  any: 'case' | 'exact',
  description: string,
): Field<T | undefined> =>
  optional(
    custom({ type: 'string', enum: values, description }, (value) => {
      const wanted = any === 'case' ? String(value).toUpperCase() : String(value);
      return values.find((known) => known === wanted);
    }),
  );

export const filterFields = (timezone: string) => ({
  dateFrom: optional(moment(timezone, 'From this time on; a date means the start of the day')),
  dateTo: optional(moment(timezone, 'Up to and including this second or day')),
  src_num: part('Part of the number of the caller, in any leg'),
  dst_num: part('Part of the number called or of the DID, in any leg'),
  did: part('Part of the DID, in any leg'),
  disposition: optional(
    custom(
      { type: 'string', description: 'ANSWERED, NO ANSWER, BUSY, FAILED or CHANUNAVAIL, ignoring case' },
      (value) => String(value),
    ),
  ),
  linkedid: part('Only this call'),
  provider: part('Id of a provider: calls that came in or went out over it'),
  app: optional(
    described(
      oneOf(APPLICATIONS),
      'Calls that reached a menu, a queue, a message, or the message for closed hours',
    ),
  ),
  queue: part('Number of a queue: calls that waited in it'),
  billsecFrom: optional(count('Calls with at least this many seconds of talk time')),
  idFrom: optional(
    count(
      'Only entries with a leg whose id is greater; send the previous `lastId` to miss and repeat nothing',
    ),
  ),
  search: part('Part of any number, or of the name of an employee'),
  grouped: queryFlag(true),
});

export const listFields = (timezone: string) => ({
  ...filterFields(timezone),
  limit: clamped(100, 50),
  offset: withDefault(count('Number of records to skip'), 0),
  sort: choice<Sort>(SORTS, 'exact', 'Field to sort by; any other value means `id`'),
  order: choice(['ASC', 'DESC'], 'case', 'Default: `DESC`, or `ASC` with `idFrom` and without `sort`'),
  deletedSince: optional(
    count(
      'Return the ids of legs and calls deleted after this position, at most 90 days ago, instead of calls. ' +
        'Start with 0, then send `deleted.cursor`. Of the other parameters only `limit` counts',
    ),
  ),
});
