import Type, { type TSchema } from 'typebox';

/** Schemas of the `data` of each event, as named parts of the document (contract 30). */

const text = Type.String();
const deleted = Type.Literal(true, { description: 'There is none any more' });
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
    disposition: Type.Optional(Type.String({ description: 'Of a call that is over, where it is known' })),
    totalDuration: Type.Optional(Type.Integer({ description: 'Seconds; of a call that is over' })),
    totalBillsec: Type.Optional(Type.Integer({ description: 'Seconds; of a call that is over' })),
  },
  { $id: 'CallEvent', description: 'A call under way, or one that has just ended' },
);

const ExtensionEvent = Type.Unsafe({
  $id: 'ExtensionEvent',
  description: 'An entry of `sip:getStatuses`; a new round trip time alone is not told',
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
      description: '`added` also of one that was renewed',
    }),
    expiresAt: Type.Integer({ description: 'Unix seconds; 0: without end. When over, the end it had' }),
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
    provider: Type.String({ description: 'The first that is asked to carry it; empty when there is none' }),
  },
  { $id: 'EmergencyCallEvent', description: 'An emergency number is dialled' },
);

const BouncerPoll = Type.Unsafe({
  $id: 'BouncerPoll',
  allOf: [Type.Object({ id: Type.String({ description: 'Of its API key' }) }), named('KeyBouncer')],
});
const BouncerEvent = Type.Unsafe({
  $id: 'BouncerEvent',
  description:
    'A bouncer has polled, became late, or there is more or less to tell it; at most one event per key and second',
  ...Type.Union([BouncerPoll, Type.Object({ id: text, deleted })]),
});

const EngineEvent = Type.Object(
  {
    state: Type.Enum(['looking', 'fetching', 'starting', 'up', 'away', 'none', 'stopped']),
    since: Type.Optional(Type.String({ description: 'ISO 8601' })),
    version: Type.Optional(text),
    appliedAt: Type.Optional(Type.String({ description: 'What was stored then is what it serves' })),
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
    state: Type.Enum(['open', 'closed'], { description: 'Of the first route, or of route 1' }),
    ruleId: Type.String({ description: 'Which acts; empty while open' }),
    override: Type.Union([
      Type.Object({
        mode: Type.Enum(['open', 'closed']),
        until: text,
        ruleId: text,
        incomingRouteIds: Type.Array(Type.Integer()),
      }),
      Type.Null(),
    ]),
    incomingRouteIds: Type.Array(Type.Integer(), { description: 'For which routes; empty: all' }),
  },
  { $id: 'HoursEvent', description: 'What the switch of the opening hours is set to, for these routes' },
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
  { $id: 'QueueNow', description: 'As the live board shows it, without what only moves with the time' },
);
const QueueEvent = Type.Unsafe({
  $id: 'QueueEvent',
  ...Type.Union([QueueNow, Type.Object({ id: text, deleted })]),
});
const queueCaller = {
  queueId: text,
  number: Type.String({ description: 'Of the queue' }),
  linkedid: text,
  src_num: text,
  position: Type.Integer({ description: 'From 1; 0 when it waits no longer' }),
  waiting: count,
};
const QueueJoined = Type.Object(queueCaller, { $id: 'QueueJoined' });
const QueueLeft = Type.Object(
  {
    ...queueCaller,
    outcome: Type.String({ description: '`ANSWER`, `ABANDON`, `TIMEOUT`, `EMPTY`, `FULL`' }),
    wait: Type.Integer({ description: 'Seconds' }),
    member: Type.String({ description: 'Who took the call; may be empty' }),
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
    id: Type.String({ description: 'Empty: several at once, read the list anew' }),
    change: Type.Enum(['created', 'changed', 'deleted']),
    by: Type.String({
      description:
        'Login of a person, `key <id>`, `module <id>`, or empty when it was no caller of this interface',
    }),
  },
  { $id: 'RecordEvent', description: 'What a client may hold of this record is out of date' },
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
        '`expired`: no longer kept. `overflow`: the client did not read. `node`: the log was lost, or the id is of another node',
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
  { $id: 'EventData', description: '`data` of the events of `GET /events`, by the name of the event' },
);
