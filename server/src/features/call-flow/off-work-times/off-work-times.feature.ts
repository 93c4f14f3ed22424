import type { Kysely } from 'kysely';
import type { NightSwitched } from '../../../engine/events.ts';
import type { Clock } from '../../../lib/clock.ts';
import { soundHasAudio } from '../../../lib/flow-record.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import { createStatusTeller } from '../../../store/events/status-teller.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { FlowFeature, FlowParts } from '../records/flow-feature.ts';
import type { FlowResource } from '../records/flow-resource.ts';
import { createCalendars } from './calendars.ts';
import { createHours } from './hours.service.ts';
import { hoursSource } from './hours-source.ts';
import { LAST_PRIORITY, offWorkFields } from './off-work-fields.ts';
import { offWorkTimesRoutes } from './off-work-times.routes.ts';
import {
  brokenRules,
  type OffWorkRecord,
  type OffWorkValues,
  ruleWarnings,
  storedCalendars,
} from './off-work-values.ts';
import { createOffWorkView, OffWorkTimeItemSchema, OffWorkTimeSchema } from './off-work-view.ts';
import { createOverrideStore } from './overrides.store.ts';

/** How often to check for a new day or an ended override; the engine notices the latter by itself. */
const LOOK_MS = 1000;
/** While the database is away. */
const RETRY_MS = 5000;
const DAY_MS = 86_400_000;

export const offWorkResource = {
  path: '/api/v3/off-work-times',
  label: 'Off-Work Times',
  description: 'When the line is closed, and what happens then',
  levels: ['read', 'write'],
} as const;

interface OffWorkNeeds {
  readonly db: Kysely<Database>;
  readonly events: EventLog;
  readonly clock: Clock;
  /** Time zone of the exchange. */
  readonly timezone: string;
  readonly errorLogger: (what: string) => (error: unknown) => void;
}

/** Opening hours (contract 26). */
export function createOffWorkFeature(
  { telephony, isSomebodys, numbersNow, declare }: FlowParts,
  { db, events, clock, timezone, errorLogger }: OffWorkNeeds,
): FlowFeature {
  const { directory } = telephony;
  const calendars = createCalendars();
  const view = createOffWorkView({ clock, timezone, calendars });
  const kindOf: FlowResource<OffWorkValues> = {
    kind: 'off-work-times',
    resource: offWorkResource,
    fields: offWorkFields(timezone),
    ids: 'digits',
    nameField: 'description',
    lastPriority: LAST_PRIORITY,
    priorityVerbs: ['changePriorities', 'changePriority'],
    Record: OffWorkTimeSchema,
    ListItem: OffWorkTimeItemSchema,
    references: ({ extension, audio_message_id, incomingRouteIds }) => [
      { field: 'extension', named: 'target', name: extension, whenGone: 'the rule is passed over' },
      { field: 'audio_message_id', named: 'sound', name: audio_message_id },
      // contract 20.7: a deleted route is taken out of the rule.
      ...incomingRouteIds.map((id, at) => ({
        field: `incomingRouteIds[${at}]`,
        named: 'route' as const,
        name: String(id),
        givesWay: true,
      })),
    ],
    async broken(values, desk) {
      const sound = await desk.flow.find('sound-files', values.audio_message_id);
      return brokenRules(values, sound !== undefined && soundHasAudio(sound));
    },
    // contract 26.9: a copied rule has a calendar, too.
    async guard(desk, { id, values }, before) {
      const [copy] = before ? [] : storedCalendars([{ values }], timezone);
      if (!copy) return;
      const others = (await desk.flow.all('off-work-times')) as OffWorkRecord[];
      const theirs = others.filter((other) => other.id !== id);
      await calendars.refuseCopy(copy, storedCalendars(theirs, timezone), clock.now());
    },
    warnings: (values) => ruleWarnings(values),
    ...view,
    searched: ({ values }) => [values.description],
    sortedBy: {
      priority: ({ priority }) => priority,
      name: ({ values }) => values.description,
      description: ({ values }) => values.description,
      date_from: ({ values }) => values.date_from,
    },
  };
  const { service, routes } = declare(kindOf);

  const rulesBut = (id: string) =>
    (directory.records.all('off-work-times') as readonly OffWorkRecord[]).filter((one) => one.id !== id);

  const overrides = createOverrideStore({
    db,
    clock,
    onError: errorLogger('the opening hours switch cannot be read'),
  });
  const hours = createHours({
    directory,
    overrides,
    calendars,
    clock,
    timezone,
    isSomebodys,
    numbersNow,
  });
  const teller = createStatusTeller({
    events,
    sources: [hoursSource(hours, () => events.isSpeaker)],
    onError: errorLogger('the state of the opening hours switch cannot be sent'),
  });
  overrides.onChange(() => {
    telephony.callFlowChanged();
    teller.changed();
  });

  // Switched by a phone; reported again until it is stored (contract 26.13).
  let isClosed = false;
  const notStored = errorLogger('a switch made on a phone could not be stored yet');
  const retries = new Set<NodeJS.Timeout>();
  async function store(event: NightSwitched): Promise<void> {
    try {
      await hours.night(event);
      telephony.legsStored([event.legId]);
    } catch (error) {
      notStored(error);
      if (isClosed) return;
      const retry = setTimeout(() => {
        retries.delete(retry);
        void store(event);
      }, RETRY_MS).unref();
      retries.add(retry);
    }
  }
  telephony.listen((event) => {
    if (event.type === 'night-switched') void store(event);
  });

  const notRenewed = errorLogger('calendars cannot be expanded');
  let looking: NodeJS.Timeout | undefined;
  function look(): void {
    let today = Math.floor(clock.now() / DAY_MS);
    looking = setInterval(() => {
      const day = Math.floor(clock.now() / DAY_MS);
      // A new day moves the window in which calendars are in force (contract 26.9).
      if (day !== today) telephony.callFlowChanged();
      today = day;
      void hours.renew().catch(notRenewed);
      if (hours.hasSwitch()) teller.changed();
    }, LOOK_MS).unref();
  }

  return {
    routes: [
      ...offWorkTimesRoutes({
        resource: offWorkResource,
        service,
        hours,
        calendars,
        others: (id) => storedCalendars(rulesBut(id), timezone),
        clock,
        timezone,
      }),
      ...routes,
    ],
    async prepare() {
      await overrides.open();
      await hours.renew().catch(notRenewed);
      look();
    },
    settle: hours.settle,
    desired: hours.desired,
    startTelling: teller.start,
    async close() {
      isClosed = true;
      clearInterval(looking);
      for (const retry of retries) clearTimeout(retry);
      await teller.close();
      await overrides.close();
    },
  };
}
