import { offsetSpans, wallIn } from '../../lib/zone-spans.ts';
import type {
  DesiredCallFlow,
  DesiredOffWorkRule,
  DesiredSound,
  HoursOverride,
  OffWorkTime,
} from '../desired-call-flow.ts';
import { fits, MINUTE_MS, windowsOf } from './off-work-windows.ts';

/** What decides whether the line is open (contract 26). Of sounds, only which ones exist. */
export type Hours = Pick<DesiredCallFlow, 'offWorkRules' | 'overrides'> & {
  readonly sounds: readonly Pick<DesiredSound, 'id'>[];
};

export interface HoursState {
  readonly state: 'open' | 'closed';
  /** The rule that closes the line. */
  readonly rule?: DesiredOffWorkRule;
  /** The override in force for this route, whatever its mode. */
  readonly override?: HoursOverride;
}

/** Whether a rule closes the line at this moment, by whole minutes (contract 26.3 to 26.9). */
export function isActive(
  { when, timezone }: Pick<DesiredOffWorkRule, 'when' | 'timezone'>,
  at: number,
): boolean {
  if (when.kind === 'calendar') return isWithin(when.ranges, Math.floor(at / MINUTE_MS) * MINUTE_MS);
  // Computed from offsets, since there may be more zones than clock formats are cached.
  const wall = wallIn(offsetSpans(timezone, at, at + 1), at);
  return windowsOf(when).some((window) => fits(window, wall));
}

type Ranges = Extract<OffWorkTime, { kind: 'calendar' }>['ranges'];

/** The ranges are in order: only the last one that has begun can hold the moment. */
function isWithin(ranges: Ranges, at: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const last = ranges[low - 1];
  return last !== undefined && at < last[1];
}

/** A rule whose target or sound is gone is passed over (contract 26.11). */
export function usableRules({ offWorkRules, sounds }: Omit<Hours, 'overrides'>): DesiredOffWorkRule[] {
  const audible = new Set(sounds.map(({ id }) => id));
  return offWorkRules.filter(({ target, soundId }) => target !== '' || audible.has(soundId));
}

export const covers = ({ routeIds }: Pick<DesiredOffWorkRule, 'routeIds'>, routeId: number): boolean =>
  routeIds === undefined || routeIds.includes(routeId);

/** An override without routes is for all. */
export const isForRoute = ({ routeIds }: Pick<HoursOverride, 'routeIds'>, routeId: number): boolean =>
  routeIds.length === 0 || routeIds.includes(routeId);

/** The last override in force for this route (contract 26.12). */
const overrideFor = ({ overrides }: Hours, routeId: number, at: number): HoursOverride | undefined =>
  overrides.findLast(
    (override) => (override.until === 0 || at < override.until) && isForRoute(override, routeId),
  );

/** Whether the line is open for a call that fits this route first, and which rule acts if not (contract 26.2). */
export function hoursAt(hours: Hours, routeId: number, at: number): HoursState {
  const override = overrideFor(hours, routeId, at);
  const shown = override && { override };
  if (override?.mode === 'open') return { state: 'open', ...shown };
  const usable = usableRules(hours);
  const rule =
    (override?.mode === 'closed' && ruleOfOverride(usable, override, routeId)) ||
    usable.find((candidate) => covers(candidate, routeId) && isActive(candidate, at));
  return rule ? { state: 'closed', rule, ...shown } : { state: 'open', ...shown };
}

/** The rule that an override names, whatever routes it is for; without one, the first that covers the route. */
const ruleOfOverride = (rules: readonly DesiredOffWorkRule[], { ruleId }: HoursOverride, routeId: number) =>
  rules.find(({ id }) => id === ruleId) ?? rules.find((rule) => covers(rule, routeId));
