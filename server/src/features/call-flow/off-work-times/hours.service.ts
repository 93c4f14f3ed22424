import { covers, type Hours, hoursAt, usableRules } from '../../../engine/call-flow/off-work.ts';
import { nextChange } from '../../../engine/call-flow/off-work-changes.ts';
import type {
  DesiredCallFlow,
  DesiredOffWorkRule,
  HoursOverride,
} from '../../../engine/desired-call-flow.ts';
import type { NightSwitched } from '../../../engine/events.ts';
import type { Clock } from '../../../lib/clock.ts';
import { InvalidFields, RuleBroken } from '../../../lib/errors.ts';
import { type FlowKind, type FlowRecord, soundHasAudio } from '../../../lib/flow-record.ts';
import { inSlices } from '../../../lib/in-slices.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import { createMadeOnce } from '../../../lib/made-once.ts';
import { learnZones } from '../../../lib/zone-spans.ts';
import type { Directory } from '../../telephony/directory/directory.ts';
import type { FlowParts } from '../records/flow-feature.ts';
import type { Calendars } from './calendars.ts';
import { desiredRules } from './desired-off-work.ts';
import { type OffWorkRecord, storedCalendars } from './off-work-values.ts';
import type { OverrideStore } from './overrides.store.ts';
import { hasEnded, withOverride } from './overrides.ts';

interface HoursParts {
  readonly directory: Pick<Directory, 'write'> & {
    readonly records: {
      settle(): Promise<void>;
      all(kind: FlowKind): readonly FlowRecord[];
      find(kind: FlowKind, id: string): FlowRecord | undefined;
    };
  };
  readonly overrides: OverrideStore;
  readonly calendars: Calendars;
  readonly clock: Clock;
  /** Time zone of the exchange. */
  readonly timezone: string;
  readonly isSomebodys: FlowParts['isSomebodys'];
  readonly numbersNow: FlowParts['numbersNow'];
}

/** As `:getState` shows it. */
export interface HoursAnswer {
  readonly state: 'open' | 'closed';
  readonly ruleId: string;
  readonly ruleName: string;
  readonly until: string;
  readonly override: OverrideAnswer | null;
  readonly timezone: string;
}

export interface OverrideAnswer {
  readonly mode: 'open' | 'closed';
  readonly until: string;
  readonly ruleId: string;
  readonly incomingRouteIds: readonly number[];
}

const DEFAULT_ROUTE = 1;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
const MONTH_MS = 28 * DAY_MS;
/** How far ahead `:getState` looks for a change, and the dialplan for clock changes; with a little to spare. */
const STATE_DAYS = 372;
const ENGINE_DAYS = 1130;

/** One setting of the switch still in force; `auto` leaves routes to the rules despite one for all routes. */
export interface OverrideInForce extends Omit<OverrideAnswer, 'mode'> {
  readonly mode: HoursOverride['mode'];
}

/** Whether the line is open, and the switch that overrides the rules (contract 26.12). */
export function createHours(parts: HoursParts) {
  const { directory, overrides, calendars, clock, timezone, isSomebodys, numbersNow } = parts;
  const { records } = directory;

  const storedRules = () => records.all('off-work-times') as readonly OffWorkRecord[];

  /** The day from which to expand calendars for a moment: one expansion serves the following four weeks. */
  function dayFor(at: number): number {
    const now = clock.now();
    return at >= now - DAY_MS && at < now + MONTH_MS ? now : Math.floor(at / MONTH_MS) * MONTH_MS;
  }

  const zonesOnce = createMadeOnce<ReadonlySet<string>>();
  const zonesOf = (stored: readonly OffWorkRecord[]) =>
    zonesOnce([stored], () => new Set(stored.map(({ values }) => values.timezone || timezone)));

  /** Does the slow work for a moment in slices, so that other requests are served in between. */
  async function prepare(at: number, daysAhead = STATE_DAYS): Promise<void> {
    const stored = storedRules();
    await calendars.ready(storedCalendars(stored, timezone), dayFor(at));
    await inSlices(learnZones(zonesOf(stored), at - 2 * MONTH_MS, at + daysAhead * DAY_MS));
  }

  const renewOnce = createMadeOnce<Promise<void>>();
  const madeOnce = createMadeOnce<DesiredOffWorkRule[]>();
  const rulesAt = (at: number): DesiredOffWorkRule[] => {
    const [stored, day] = [storedRules(), dayFor(at)];
    // The window of calendars moves with the day, and days begin at quarters of an hour.
    return madeOnce([stored, ...numbersNow(), Math.floor(day / QUARTER_MS), calendars.revision()], () =>
      desiredRules(stored, { timezone, calendars, now: day, isSomebodys }),
    );
  };

  /** Overrides made after the moment do not count. */
  const hoursOf = (at: number): Hours => ({
    offWorkRules: rulesAt(at),
    overrides: overrides.current().list.filter(({ since }) => since <= at),
    sounds: records.all('sound-files').filter(soundHasAudio),
  });

  const shownTime = (at: number | undefined) => (at ? localDateTime(at, timezone) : '');
  const shownId = (id: number | undefined) => (id ? String(id) : '');

  const shown = ({ until, ruleId, routeIds }: HoursOverride) => ({
    until: shownTime(until),
    ruleId: shownId(ruleId),
    incomingRouteIds: routeIds,
  });

  function shownOverride(override: HoursOverride | undefined): OverrideAnswer | null {
    if (!override || override.mode === 'auto') return null;
    return { mode: override.mode, ...shown(override) };
  }

  function stateOf(routeId: number, at: number): HoursAnswer {
    const hours = hoursOf(at);
    const { state, rule, override } = hoursAt(hours, routeId, at);
    return {
      state,
      ruleId: shownId(rule?.id),
      ruleName: rule?.name ?? '',
      until: shownTime(nextChange(hours, routeId, at)),
      override: shownOverride(override),
      timezone,
    };
  }

  function stateNow(routeIds: readonly number[]): Pick<SwitchRecord, 'state' | 'ruleId'> {
    return stateIn(hoursOf(clock.now()), routeIds, clock.now());
  }

  function stateIn(
    hours: Hours,
    routeIds: readonly number[],
    at: number,
  ): Pick<SwitchRecord, 'state' | 'ruleId'> {
    const { state, rule } = hoursAt(hours, routeIds[0] ?? DEFAULT_ROUTE, at);
    return { state, ruleId: shownId(rule?.id) };
  }

  async function settle(): Promise<void> {
    await Promise.all([records.settle(), overrides.settle()]);
    await prepare(clock.now(), ENGINE_DAYS);
  }

  function unknownRoutes(routeIds: readonly number[]): string[] {
    return routeIds.flatMap((id, at) =>
      records.find('incoming-routes', String(id)) ? [] : `incomingRouteIds[${at}]: no such route`,
    );
  }

  /** contract 26.12: there must be a rule for what a closed line does. */
  function refuseWithoutRule({ ruleId, routeIds }: HoursOverride, now: number): void {
    const rules = usableRules(hoursOf(now));
    if (ruleId !== 0) {
      if (!records.find('off-work-times', String(ruleId)))
        throw new InvalidFields('ruleId: no such off-work rule');
      if (rules.every(({ id }) => id !== ruleId))
        throw new RuleBroken('ruleId: the rule is disabled, or its target or sound is gone');
      return;
    }
    const bare = routeIds.filter((id) => !rules.some((rule) => covers(rule, id)));
    if (bare.length > 0)
      throw new RuleBroken(`incomingRouteIds: no off-work rule covers route ${bare.join(', ')}`);
    if (rules.length === 0)
      throw new RuleBroken(
        'no usable off-work rule says what callers get while the line is closed: create or repair one',
      );
  }

  async function change(at: number, next: Parameters<OverrideStore['change']>[2]): Promise<void> {
    await directory.write(({ trx }) => overrides.change(trx, at, next));
    await overrides.follow();
  }

  return {
    settle,
    stateNow,

    async state(routeId: number, at: number): Promise<HoursAnswer> {
      await settle();
      await prepare(at);
      return stateOf(routeId, at);
    },

    /** All overrides in force, newest last, without routes that are gone. */
    async overrides(): Promise<OverrideInForce[]> {
      await settle();
      const now = clock.now();
      return overrides.current().list.flatMap((one) => {
        const routeIds = one.routeIds.filter((id) => records.find('incoming-routes', String(id)));
        const isOver = hasEnded(one, now) || (routeIds.length === 0 && one.routeIds.length > 0);
        return isOver ? [] : [{ mode: one.mode, ...shown({ ...one, routeIds }) }];
      });
    },

    async override(wanted: HoursOverride): Promise<HoursAnswer> {
      await settle();
      const since = clock.now();
      const problems = unknownRoutes(wanted.routeIds);
      if (wanted.until !== 0 && wanted.until <= since) problems.push('until: must be in the future');
      if (problems.length > 0) throw new InvalidFields(problems);
      if (wanted.mode === 'closed') refuseWithoutRule(wanted, since);
      await change(since, ({ list }) => withOverride(list, { ...wanted, since }));
      return stateOf(wanted.routeIds[0] ?? DEFAULT_ROUTE, clock.now());
    },

    /** Stores a phone's switch unless somebody switched since (contract 26.13). It may be reported twice. */
    async night({ mode, at, revision: base }: NightSwitched): Promise<void> {
      const added = { mode, until: 0, ruleId: 0, routeIds: [], since: at };
      await change(at, ({ list, revision }) =>
        base === revision || at > revision ? withOverride(list, added) : undefined,
      );
    },

    /** This feature's part of the desired state. */
    desired(): Pick<DesiredCallFlow, 'offWorkRules' | 'overrides' | 'overrideRevision'> {
      const now = clock.now();
      const { list, revision } = overrides.current();
      const inForce = list.filter((override) => !hasEnded(override, now));
      return {
        offWorkRules: rulesAt(now),
        overrides: inForce.map(({ since: _, ...override }) => override),
        overrideRevision: revision,
      };
    },

    /** Called every second: expands calendars anew each day, before anybody waits for them. */
    async renew(): Promise<void> {
      const now = clock.now();
      await renewOnce([storedRules(), Math.floor(now / QUARTER_MS)], () => prepare(now, ENGINE_DAYS));
    },

    /** Whether anything is set; it may end by itself. */
    hasSwitch: (): boolean => overrides.current().list.length > 0,

    /** Every override in force, by its routes, as published. */
    switches(): ReadonlyMap<string, SwitchRecord> {
      const now = clock.now();
      const inForce = overrides.current().list.filter((one) => !hasEnded(one, now));
      const hours = hoursOf(now);
      return new Map(
        inForce.map((override) => [
          override.routeIds.join(',') || 'all',
          {
            ...stateIn(hours, override.routeIds, now),
            override: shownOverride(override),
            incomingRouteIds: override.routeIds,
          },
        ]),
      );
    },
  };
}

/** As published (contract 29.4). */
export interface SwitchRecord {
  readonly state: 'open' | 'closed';
  readonly ruleId: string;
  readonly override: OverrideAnswer | null;
  readonly incomingRouteIds: readonly number[];
}

export type HoursService = ReturnType<typeof createHours>;
