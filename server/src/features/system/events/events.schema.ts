import Type, { type TSchema } from 'typebox';

/** Schemas of the `data` of each event, as named parts of the document (contract 30). */

const text = Type.String();
const deleted = Type.Literal(true, { description: 'It no longer exists' });
const count = Type.Integer({ minimum: 0 });
/** A schema described by the resource that it belongs to. */
const named = (name: string): TSchema => Type.Unsafe({ $ref: `#/components/schemas/${name}` });

const CallEvent = Type.Object(
  {
    start: text,
    answer: Type.String({ description: 'Empty while it rings' }),
    endtime: Type.String({ description: 'Empty until it is over' }),
    src_num: text,
    src_name: text,
    dst_num: text,
    dst_name: text,
    did: text,
    linkedid: text,
    state: Type.Enum(['ringing', 'talking', 'held', 'ended']),
    disposition: Type.Optional(Type.String({ description: 'Only when the call is over, if known' })),
    totalDuration: Type.Optional(Type.Integer({ description: 'Seconds; only when the call is over' })),
    totalBillsec: Type.Optional(Type.Integer({ description: 'Seconds; only when the call is over' })),
  },
  { $id: 'CallEvent', description: 'A call under way, or one that has just ended' },
);

const ExtensionEvent = Type.Unsafe({
  $id: 'ExtensionEvent',
  description: 'An entry of `sip:getStatuses`; a change of the round-trip time alone is not reported',
  ...Type.Union([named('ExtensionStatus'), Type.Object({ extension: text, deleted })]),
});

const ProviderEvent = Type.Unsafe({
  $id: 'ProviderEvent',
  description:
    'An entry of `sip-providers:getStatuses`, as it was when the state changed: its duration counts from `stateStartTime`',
  ...Type.Union([named('ProviderStatus'), Type.Object({ id: text, deleted })]),
});

const BanEvent = Type.Object(
  {
    value: Type.String({ description: 'Address or range' }),
    category: Type.Enum(['sip', 'http', 'ami', 'iax']),
    origin: Type.Literal('pbx-fail2ban'),
    scenario: Type.Enum(['pbx/sip', 'pbx/http', 'pbx/ami', 'pbx/iax']),
    change: Type.Enum(['added', 'lifted', 'expired'], {
      description: '`added` also when a ban is renewed',
    }),
    expiresAt: Type.Integer({
      description: 'Unix seconds; 0: no end. Once the ban is over, the end that it had',
    }),
    reason: Type.Optional(Type.Union([Type.Null(), named('BanReason')])),
  },
  { $id: 'BanEvent' },
);

const BanCounts = Type.Object(
  {
    total: count,
    categories: Type.Object({ sip: count, http: count, ami: count, iax: count }),
  },
  { $id: 'BanCounts', description: 'How many bans there are, by category' },
);

const EmergencyCallEvent = Type.Object(
  {
    linkedid: text,
    src_num: text,
    src_name: text,
    number: Type.String({ description: 'The emergency number' }),
    provider: Type.String({
      description: 'Id of the provider that is asked first to carry the call; empty when there is none',
    }),
  },
  { $id: 'EmergencyCallEvent', description: 'Somebody dials an emergency number' },
);

const BouncerPoll = Type.Unsafe({
  $id: 'BouncerPoll',
  allOf: [Type.Object({ id: Type.String({ description: 'Id of its API key' }) }), named('KeyBouncer')],
});
const BouncerEvent = Type.Unsafe({
  $id: 'BouncerEvent',
  description:
    'A bouncer has polled or become late, or the number of decisions still to be sent to it has changed; at most one event per key per second',
  ...Type.Union([BouncerPoll, Type.Object({ id: text, deleted })]),
});

const EngineEvent = Type.Object(
  {
    state: Type.Enum(['looking', 'fetching', 'starting', 'up', 'away', 'none', 'stopped']),
    since: Type.Optional(Type.String({ description: 'ISO 8601' })),
    version: Type.Optional(text),
    appliedAt: Type.Optional(
      Type.String({ description: 'It serves the configuration that was stored at this time' }),
    ),
    fetch: Type.Optional(
      Type.Object({
        step: text,
        doneMb: Type.Number(),
        totalMb: Type.Union([Type.Number(), Type.Null()]),
        seconds: Type.Number(),
      }),
    ),
    lastError: Type.Optional(text),
    restarts: Type.Optional(count),
  },
  { $id: 'EngineEvent', description: 'The telephony engine, as `pbxcore engine status` shows it' },
);

const ModuleEvent = Type.Object(
  {
    id: text,
    state: Type.Enum(['running', 'disabled', 'failed', 'removed']),
    reason: Type.String({ description: 'Why it does not run; may be empty' }),
  },
  { $id: 'ModuleEvent' },
);

const HoursEvent = Type.Object(
  {
    state: Type.Enum(['open', 'closed'], {
      description: 'State for the first route named; for route 1 if none is named',
    }),
    ruleId: Type.String({ description: 'The rule that applies; empty while open' }),
    override: Type.Union([
      Type.Object({
        mode: Type.Enum(['open', 'closed']),
        until: text,
        ruleId: text,
        incomingRouteIds: Type.Array(Type.Integer()),
      }),
      Type.Null(),
    ]),
    incomingRouteIds: Type.Array(Type.Integer(), { description: 'Ids of the routes concerned; empty: all' }),
  },
  { $id: 'HoursEvent', description: 'Current override of the opening hours for these routes' },
);

const queueMember = {
  state: Type.Enum(['in', 'out', 'paused']),
  reason: text,
  device: Type.Enum(['free', 'ringing', 'inuse', 'wrapup', 'unavailable', 'unknown']),
};
const QueueNow = Type.Object(
  {
    id: text,
    name: text,
    extension: text,
    waiting: count,
    talking: count,
    free: count,
    members: Type.Array(Type.Object({ extension: text, represent: text, ...queueMember })),
    callers: Type.Array(Type.Object({ linkedid: text, src_num: text, src_name: text, position: count })),
  },
  { $id: 'QueueNow', description: 'A queue as on the live board, without values that only change with time' },
);
const QueueEvent = Type.Unsafe({
  $id: 'QueueEvent',
  ...Type.Union([QueueNow, Type.Object({ id: text, deleted })]),
});
const queueCaller = {
  queueId: text,
  number: Type.String({ description: 'Number of the queue' }),
  linkedid: text,
  src_num: text,
  position: Type.Integer({ description: 'Position in the queue, from 1; 0 when the caller no longer waits' }),
  waiting: count,
};
const QueueJoined = Type.Object(queueCaller, { $id: 'QueueJoined' });
const QueueLeft = Type.Object(
  {
    ...queueCaller,
    outcome: Type.String({ description: '`ANSWER`, `ABANDON`, `TIMEOUT`, `EMPTY`, `FULL`' }),
    wait: Type.Integer({ description: 'Seconds' }),
    member: Type.String({ description: 'Member who took the call; may be empty' }),
  },
  { $id: 'QueueLeft' },
);
const QueueMemberChanged = Type.Object(
  { queueId: text, extension: text, ...queueMember },
  { $id: 'QueueMemberChanged' },
);

const RecordEvent = Type.Object(
  {
    resource: Type.String({ description: 'As in its URL: `employees`, `module-phone-book/contacts`' }),
    id: Type.String({ description: 'Empty: several records at once, read the list again' }),
    change: Type.Enum(['created', 'changed', 'deleted']),
    by: Type.String({
      description:
        'Login of a person, `key <id>`, `module <id>`, or empty if the change did not come through this interface',
    }),
  },
  { $id: 'RecordEvent', description: 'Any copy of this record that a client holds is out of date' },
);

const snapshot = (topic: string, properties: Record<string, TSchema>) =>
  Type.Object({ topic: Type.Literal(topic), ...properties });
const SnapshotEvent = Type.Unsafe({
  $id: 'SnapshotEvent',
  description: 'The current state of one topic. Only the last snapshot of a set has an id to resume from.',
  ...Type.Union([
    snapshot('calls', { calls: Type.Array(CallEvent) }),
    snapshot('extensions', { extensions: Type.Record(text, named('ExtensionStatus')) }),
    snapshot('providers', { providers: Type.Record(text, named('ProviderStatus')) }),
    snapshot('bans', { bans: BanCounts }),
    snapshot('bouncers', { bouncers: Type.Array(BouncerPoll) }),
    snapshot('engine', { engine: EngineEvent }),
    snapshot('modules', { modules: Type.Array(ModuleEvent) }),
    snapshot('hours', { hours: Type.Array(HoursEvent) }),
    snapshot('queues', { queues: Type.Array(QueueNow) }),
    snapshot('records', { records: Type.Object({}) }),
  ]),
});

const GapEvent = Type.Object(
  {
    reason: Type.Enum(['expired', 'overflow', 'node'], {
      description:
        '`expired`: no longer kept. `overflow`: the client stopped reading. `node`: the log was lost, or the id is from another node',
    }),
  },
  { $id: 'GapEvent', description: 'Events are missing here; snapshots follow' },
);

const ByeEvent = Type.Object(
  { reason: Type.Enum(['stopping', 'credential', 'store']) },
  { $id: 'ByeEvent', description: 'The service ends the stream' },
);

/** Schemas of `data` by the name of the event. */
export const EventData = Type.Object(
  {
    call: CallEvent,
    'emergency-call': EmergencyCallEvent,
    extension: ExtensionEvent,
    provider: ProviderEvent,
    ban: BanEvent,
    bans: BanCounts,
    bouncer: BouncerEvent,
    engine: EngineEvent,
    module: ModuleEvent,
    'hours-changed': HoursEvent,
    queue: QueueEvent,
    'queue-joined': QueueJoined,
    'queue-left': QueueLeft,
    'queue-member-changed': QueueMemberChanged,
    record: RecordEvent,
    snapshot: SnapshotEvent,
    gap: GapEvent,
    bye: ByeEvent,
  },
  { $id: 'EventData', description: '`data` of the events of `GET /events`, by event name' },
);
