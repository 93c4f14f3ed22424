import Type from 'typebox';
import {
  custom,
  described,
  type Field,
  FieldProblem,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { digits, type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import type { Clock } from '../../../lib/clock.ts';
import { inPieces } from '../../../lib/in-pieces.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import { readInstant } from '../../../lib/zoned-time.ts';
import type { FlowService } from '../records/flow-service.ts';
import type { StoredCalendar } from './calendar-expansion.ts';
import type { Calendars } from './calendars.ts';
import type { HoursService } from './hours.service.ts';
import { routeIds } from './off-work-fields.ts';
import type { OffWorkValues } from './off-work-values.ts';

interface RouteParts {
  readonly resource: Resource;
  readonly service: FlowService<OffWorkValues>;
  readonly hours: HoursService;
  readonly calendars: Calendars;
  /** Calendars of all rules but this one. */
  readonly others: (id: string) => readonly StoredCalendar[];
  readonly clock: Clock;
  readonly timezone: string;
}

const OverrideSchema = Type.Object({
  mode: Type.Enum({ open: 'open', closed: 'closed' }),
  until: Type.String({ description: 'Empty: until somebody ends the override' }),
  ruleId: Type.String({ description: 'Empty: the first rule that covers the route' }),
  incomingRouteIds: Type.Array(Type.Integer(), { description: 'Empty: all routes' }),
});

const StateSchema = Type.Object(
  {
    state: Type.Enum({ open: 'open', closed: 'closed' }),
    ruleId: Type.String({ description: 'The rule that applies; empty while open' }),
    ruleName: Type.String(),
    until: Type.String({ description: 'When the state changes next; empty: not within 370 days' }),
    override: Type.Union([OverrideSchema, Type.Null()]),
    timezone: Type.String(),
  },
  { $id: 'OpeningHoursState' },
);

const InForceSchema = Type.Object(
  {
    ...OverrideSchema.properties,
    mode: Type.Enum(
      { open: 'open', closed: 'closed', auto: 'auto' },
      {
        description:
          '`auto`: these routes follow the rules, even if an override for all routes says otherwise',
      },
    ),
  },
  { $id: 'OpeningHoursOverride' },
);

const SkippedSchema = Type.Object({ uid: Type.String(), summary: Type.String(), reason: Type.String() });
const OccurrenceSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
  allDay: Type.Boolean(),
  summary: Type.String(),
});

/** Routes of opening hours besides those of all kinds (contract 26). */
export function offWorkTimesRoutes(parts: RouteParts): Route[] {
  const { resource, service, hours, calendars, others, clock, timezone } = parts;
  const moment: Field<number> = custom({ type: 'string', examples: ['2026-05-09T10:00:00'] }, (value) => {
    const at = typeof value === 'string' ? readInstant(value, timezone) : undefined;
    if (at === undefined) throw new FieldProblem('must have the format YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD');
    return at;
  });
  const end: Field<number> = custom({ type: 'string' }, (value) => (value === '' ? 0 : moment.read(value)));
  const zoneOf = ({ timezone: own }: OffWorkValues) => own || timezone;

  return [
    route({
      method: 'GET',
      path: '/off-work-times:getState',
      function: 'getState',
      access: reads(resource),
      summary: 'Show whether the line is open or closed, by which rule, and until when',
      query: {
        incomingRouteId: described(
          withDefault(recordId, 1),
          'Id of the first incoming route that the call matches',
        ),
        at: described(optional(moment), 'Default: now'),
      },
      answer: StateSchema,
      handle: ({ query }) => hours.state(query.incomingRouteId, query.at ?? clock.now()),
    }),
    route({
      method: 'GET',
      path: '/off-work-times:getOverrides',
      function: 'getOverrides',
      access: reads(resource),
      summary:
        'All overrides in force, the latest last: what was opened or closed by hand, and for which routes',
      answer: Type.Array(InForceSchema),
      handle: () => hours.overrides(),
    }),
    route({
      method: 'POST',
      path: '/off-work-times:override',
      function: 'override',
      access: writes(resource),
      summary: 'Open or close the line by hand, or return to the rules',
      description:
        'Returns the state of the first route named. If several overrides concern a route, the latest request wins.',
      body: {
        mode: described(oneOf(['open', 'closed', 'auto']), '`auto`: follow the rules again'),
        until: described(withDefault(end, 0, ''), 'When the override ends by itself; empty: never'),
        ruleId: described(
          withDefault(ruleId, 0, ''),
          'The rule that a closed line follows; empty: the first that covers the route',
        ),
        incomingRouteIds: described(withDefault(routeIds, []), 'Empty: all routes'),
      },
      answer: StateSchema,
      errors: [422],
      handle: ({ body: { mode, until, ruleId, incomingRouteIds } }) =>
        hours.override({ mode, until, ruleId, routeIds: incomingRouteIds }),
    }),
    route({
      method: 'POST',
      path: '/off-work-times/{id}:importCalendar',
      function: 'importCalendar',
      access: writes(resource),
      summary: 'Replace the calendar of a rule with a file (RFC 5545)',
      description:
        'Send the file as `text/calendar`, or as JSON in the field `ics`. `skipped` lists the events that do not count.',
      id: digits,
      find: service.find,
      accepts: { calendar: true },
      errors: [409],
      body: {
        ics: described(
          text({ min: 1, max: MAX_FILE, whiteSpace: true, untrimmed: true }),
          'The content of the file',
        ),
      },
      answer: Type.Object({
        events: Type.Integer({ description: 'Number of events that count' }),
        from: Type.String({ description: 'Start of the first event in force; empty when there is none' }),
        to: Type.String(),
        skipped: Type.Array(SkippedSchema),
      }),
      async handle({ found, body, warn }) {
        const zone = zoneOf(found.values);
        const { events, occurrences, skipped } = await calendars.importFile({
          text: body.ics,
          timezone: zone,
          now: clock.now(),
          others: () => others(found.id),
          store: (packed) => service.changeValues(found.id, (values) => ({ ...values, calendar: packed })),
        });
        if (found.values.calType !== 'ical') warn('calType is timeframe: the calendar does not count yet');
        const last = Math.max(...occurrences.map(({ to }) => to));
        return {
          events: events.length,
          from: occurrences[0] ? localDateTime(occurrences[0].from, zone) : '',
          to: occurrences[0] ? localDateTime(last, zone) : '',
          skipped,
        };
      },
    }),
    route({
      method: 'GET',
      path: '/off-work-times/{id}:getCalendar',
      function: 'getCalendar',
      access: reads(resource),
      summary: 'List the events in force from the calendar of a rule, from today on',
      id: digits,
      find: service.find,
      answer: Type.Array(OccurrenceSchema),
      async handle({ found: { values } }) {
        if (!values.calendar) return [];
        const zone = zoneOf(values);
        const occurrences = await calendars.occurrencesAt(values.calendar, zone, clock.now());
        return inPieces(
          occurrences,
          ({ from, to, event }) => ({
            from: localDateTime(from, zone),
            to: localDateTime(to, zone),
            allDay: event.start.isDate,
            summary: event.summary,
          }),
          () => ANSWER_BYTES,
        );
      },
    }),
  ];
}

/** Approximate size of an event in an answer. */
const ANSWER_BYTES = 150;
const MAX_FILE = 2 * 1024 * 1024;

const recordId: Field<number> = custom({ type: ['integer', 'string'], pattern: '^\\d{1,15}$' }, (value) => {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) throw new FieldProblem('must be an id');
  return id;
});

const ruleId: Field<number> = custom({ type: ['string', 'integer'], pattern: '^\\d{0,15}$' }, (value) =>
  value === '' ? 0 : recordId.read(value),
);
