import { localDateTime } from '../../lib/local-time.ts';
import type { DesiredOffWorkRule } from '../desired-call-flow.ts';
import { CAUSE } from './causes.ts';
import { covers, type Hours, hoursAt, isActive, usableRules } from './off-work.ts';
import { nextChange } from './off-work-changes.ts';
import { called, enter, type Move, playMessage, type Walk } from './walk.ts';

const MOST_TOLD = 20;

/**
 * What the opening hours do to the call (contract 26); `undefined`: it is open. `onClosed` reports the route that fits.
 */
export function askHours(walk: Walk, onClosed: () => void): Move | undefined {
  const { flow, call, house } = walk;
  const [first] = walk.routes;
  const hours: Hours = call.isNow ? flow : { ...flow, overrides: [] };
  if (first) warnOfPassedOver(walk, hours, first.id);
  if (!first || flow.offWorkRules.length === 0) return undefined;
  const { state, rule, override } = hoursAt(hours, first.id, call.at);
  const change = nextChange(hours, first.id, call.at);
  const until = change === undefined ? '' : ` until ${localDateTime(change, house.timezone)}`;
  const isOverridden = override !== undefined && override.mode !== 'auto';
  if (state === 'open' || !rule) {
    const byRules = isOverridden ? hoursAt({ ...hours, overrides: [] }, first.id, call.at) : undefined;
    if (byRules?.rule) {
      walk.step('override', '', '', `The line is kept open by hand${until}.`);
      walk.warnings.add(
        `opened by an override${until}, though rule ${ruleName(byRules.rule)} closes the line`,
      );
    }
    warnOfOthers(walk, hours, first.id);
    return undefined;
  }
  onClosed();
  const how = isOverridden ? 'The line is closed by hand' : 'The line is closed';
  const text = `${how}${until}, by rule ${ruleName(rule)}.`;
  walk.taken = walk.step(isOverridden ? 'override' : 'hours', String(rule.id), rule.name, text);
  if (isOverridden) walk.warnings.add(`closed by an override${until}`);
  return act(walk, rule);
}

/** The routes are not tried again (contract 26.10). */
function act(walk: Walk, { id, target, soundId }: DesiredOffWorkRule): Move {
  walk.unasked = walk.routes;
  walk.routes = [];
  if (target !== '') return enter(target);
  playMessage(walk, soundId);
  walk.last = { by: `hours ${id}`, dialstatus: 'CONTINUE' };
  return { to: 'end', cause: CAUSE.word };
}

/** Rules that close the line now, but not for this route. */
function warnOfOthers(walk: Walk, hours: Hours, routeId: number): void {
  const others = usableRules(hours).filter((rule) => !covers(rule, routeId) && isActive(rule, walk.call.at));
  for (const rule of others.slice(0, MOST_TOLD))
    walk.warnings.add(`rule ${ruleName(rule)} does not cover route ${routeId}`);
}

/** Rules that would close the line now, but lead nowhere (contract 26.11). */
function warnOfPassedOver({ house, call, warnings }: Walk, hours: Hours, routeId: number): void {
  const usable = new Set(usableRules(hours));
  const silent = hours.offWorkRules.filter((rule) => !usable.has(rule));
  const gone = house.goneRules ?? [];
  const wouldAct = [...gone, ...silent].filter((rule) => covers(rule, routeId) && isActive(rule, call.at));
  for (const rule of wouldAct.slice(0, MOST_TOLD)) {
    const why =
      rule.target === ''
        ? 'its sound has no audio'
        : `its target ${rule.target} is nobody's number here any more`;
    warnings.add(`rule ${ruleName(rule)} is passed over: ${why}`);
  }
}

const ruleName = ({ name, id }: DesiredOffWorkRule): string => called(name, id);
