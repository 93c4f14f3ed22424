import Type from 'typebox';
import { answersOf } from '../../../http/fields.ts';
import { COLOURS, SHOWN_STATES } from './provider-status.ts';
import { providerFields } from './sip-providers.schema.ts';

const text = Type.String();
const unixSeconds = Type.Integer({ description: 'Unix seconds' });
const type = Type.Literal('SIP');
const fields = answersOf(providerFields);

/** A provider without its secret, for lists. */
export const ProviderListItem = Type.Object(
  {
    id: text,
    description: fields.description,
    type,
    note: fields.note,
    disabled: fields.disabled,
    represent: Type.String({ description: 'Label, plain text' }),
    username: fields.username,
    host: fields.host,
    port: fields.port,
    registration_type: fields.registration_type,
    transport: fields.transport,
    statusClass: Type.Enum(['', 'grey']),
    search_index: Type.String({ description: 'Lower-case text to search in' }),
  },
  { $id: 'SipProviderListItem' },
);

export const ProviderRecord = Type.Object(
  {
    id: Type.String({ description: 'Empty when the record is not stored' }),
    type,
    ...fields,
    secret: Type.String({
      description:
        '`XXXXXXXX` stands for a stored secret: always if `registration_type` is `outbound`, otherwise for callers with level read',
    }),
    networkfilter_represent: text,
    additionalHosts: Type.Array(Type.Object({ id: text, address: text })),
  },
  { $id: 'SipProvider' },
);

/** Sent back by clients that PUT a record they read (contract 1.5). */
export const PROVIDER_RESPONSE_FIELDS = Object.keys({
  ...ProviderRecord.properties,
  ...ProviderListItem.properties,
}).filter((name) => !Object.hasOwn(providerFields, name));

export const ProviderSwitch = Type.Object(
  { id: text, type, disabled: Type.Boolean(), description: text },
  { $id: 'ProviderSwitch' },
);

export const ProviderStatus = Type.Object(
  {
    id: text,
    type: Type.Literal('sip'),
    state: Type.Enum([...SHOWN_STATES]),
    stateText: text,
    stateDescription: text,
    stateColor: Type.Enum([...COLOURS]),
    description: text,
    username: text,
    host: text,
    lastUpdate: unixSeconds,
    lastChange: unixSeconds,
    stateStartTime: unixSeconds,
    stateDuration: Type.Integer({ description: 'Seconds' }),
    rtt: Type.Union([Type.Null(), Type.Number({ description: 'Milliseconds' })]),
    rejectionReason: Type.Optional(text),
  },
  { $id: 'ProviderStatus' },
);

export const ProviderStatusMap = Type.Object(
  {
    sip: Type.Record(text, ProviderStatus, { description: 'Keyed by provider id' }),
    iax: Type.Object({}, { description: 'Always empty: there are no such providers' }),
  },
  { $id: 'ProviderStatuses' },
);

export const ProviderHistory = Type.Object(
  {
    provider: Type.String({ description: 'Id of the provider' }),
    events: Type.Array(
      Type.Object({
        timestamp: unixSeconds,
        state: Type.Enum([...SHOWN_STATES]),
        previousState: Type.Enum([...SHOWN_STATES]),
      }),
      { description: 'Newest first' },
    ),
    count: Type.Integer(),
    limit: Type.Integer(),
  },
  { $id: 'ProviderHistory' },
);

export const ProviderStatistics = Type.Object(
  {
    provider: Type.String({ description: 'Id of the provider' }),
    aggregated: Type.Object({
      availability: Type.Union([Type.Null(), Type.Number()], {
        description:
          'Share (0..1) of time available, out of the time in which the provider was enabled and its state known; null: there was no such time',
      }),
      changes: Type.Integer({ description: 'Number of history events in the period' }),
      states: Type.Record(text, Type.Object({ seconds: Type.Integer(), share: Type.Number() }), {
        description: 'Time spent in each state that occurred',
      }),
    }),
    daily: Type.Array(Type.Never(), { description: 'Always empty', maxItems: 0 }),
    period: Type.Object({ from: unixSeconds, to: unixSeconds }),
  },
  { $id: 'ProviderStatistics' },
);
