import { readFileSync } from 'node:fs';
import type { Clock } from '../../../lib/clock.ts';
import { usableRules } from '../../call-flow/off-work.ts';
import type { DesiredCallFlow, DesiredOffWorkRule, HoursOverride } from '../../desired-call-flow.ts';
import { dialable } from '../config/encode.ts';
import { soundFile } from '../config/music.ts';
import { renderCalendar } from './calendars.ts';
import { context, exten } from './contexts.ts';
import { shownName } from './names.ts';
import { targetExtension } from './targets.ts';
import { wallClock, windowsTest } from './wall-clock.ts';

const LOGIC = readFileSync(new URL('./hours.conf', import.meta.url), 'utf8');

type Hours = Pick<
  DesiredCallFlow,
  'offWorkRules' | 'overrides' | 'overrideRevision' | 'sounds' | 'featureCodes'
>;

/**
 * Opening hours that the engine applies without us: a call only compares numbers, and this writes the numbers to
 * compare with. `call-flow/off-work.ts` computes the same.
 */
export function renderHours(hours: Hours, clock: Clock): string {
  const rules = usableRules(hours);
  const routes = createRouteSets();
  const parts = [
    context('pbx-overrides', renderOverrides(hours.overrides, rules, routes)),
    context('pbx-off-work', exten('s', ...ruleSteps(rules, routes, clock.now()))),
    context('pbx-off-work-first', exten('s', ...firstSteps(rules, routes))),
    context('pbx-closed', ...rules.map((rule) => exten(String(id(rule.id)), closedStep(rule, hours)))),
    ...rules.map(renderCalendar),
    renderNightCode(hours.featureCodes.night),
  ];
  return [...parts, ...routes.contexts()].join('');
}

/** `hours.conf` with the values of this exchange. */
export function hoursLogic(hours: Hours): string {
  const rules = usableRules(hours);
  const phrases: Readonly<Record<string, string>> = {
    revision: String(id(hours.overrideRevision)),
    // Without a rule, a closed line would have nothing to do.
    night: rules.length > 0 ? 'closed' : 'auto',
    switched: switched(hours.overrides),
  };
  return LOGIC.replace(/@([a-z-]+)@/g, (all, name: string) => phrases[name] ?? all);
}

/** Whether the last override for all routes closes them. */
function switched(overrides: readonly HoursOverride[]): string {
  const last = overrides.findLast(({ routeIds }) => routeIds.length === 0);
  if (last?.mode !== 'closed') return 'auto';
  return last.until === 0 ? 'closed' : `\${IF($[\${ARG1} < ${seconds(last.until)}]?closed:auto)}`;
}

/** The last override comes first: it wins (contract 26.12). */
function renderOverrides(
  overrides: readonly HoursOverride[],
  rules: readonly DesiredOffWorkRule[],
  routes: RouteSets,
): string {
  const steps = overrides.toReversed().map(({ mode, until, ruleId, routeIds }) => {
    const inTime = until === 0 ? [] : [`\${ARG2} < ${seconds(until)}`];
    const test = [...inTime, ...(routeIds.length === 0 ? [] : [routes.test(routeIds)])].join(' & ') || '1';
    const isKnown = rules.some((rule) => rule.id === ruleId);
    if (mode === 'closed' && isKnown) return `ExecIf($[${test}]?Return(${id(ruleId)}))`;
    if (mode === 'closed') return `GotoIf($[${test}]?pbx-off-work-first,s,1)`;
    return mode === 'open' ? `ExecIf($[${test}]?Return(open))` : `GotoIf($[${test}]?pbx-off-work,s,1)`;
  });
  return exten('s', ...steps, 'Goto(pbx-off-work,s,1)');
}

/** The first active rule decides (contract 26.2). The wall clock of a zone is read once for the rules that follow. */
function ruleSteps(rules: readonly DesiredOffWorkRule[], routes: RouteSets, now: number): string[] {
  let zone: string | undefined;
  const steps = rules.flatMap((rule) => {
    if (rule.routeIds?.length === 0) return [];
    const restriction = rule.routeIds ? [routes.test(rule.routeIds)] : [];
    const act = (test: string) => `ExecIf($[${[...restriction, test].join(' & ')}]?Return(${id(rule.id)}))`;
    if (rule.when.kind === 'calendar')
      return [
        `Gosub(pbx-calendar-${id(rule.id)},\${STRFTIME(\${ARG2},UTC,%Y%m%d)},1(\${ARG2}))`,
        act(`\${GOSUB_RETVAL}`),
      ];
    const isNew = rule.timezone !== zone;
    zone = rule.timezone;
    return [...(isNew ? [`Set(PBX_NOW=${wallClock(zone, now)})`] : []), act(windowsTest(rule.when))];
  });
  return [...steps, 'Return(open)'];
}

function firstSteps(rules: readonly DesiredOffWorkRule[], routes: RouteSets): string[] {
  const steps: string[] = [];
  for (const { id: ruleId, routeIds } of rules) {
    if (!routeIds) return [...steps, `Return(${id(ruleId)})`];
    if (routeIds.length > 0) steps.push(`ExecIf($[${routes.test(routeIds)}]?Return(${id(ruleId)}))`);
  }
  return [...steps, 'Return(open)'];
}

/** contract 26.10 */
function closedStep({ name, target, soundId }: DesiredOffWorkRule, hours: Hours): string {
  if (target !== '') return `Goto(pbx-target,${targetExtension(target)},1)`;
  const message = [soundFile(hours, soundId), ...shownName(name)];
  return `Gosub(pbx-closed-message,s,1(${message.join(',')}))`;
}

function renderNightCode(code: string): string {
  const number = dialable(code);
  return number === '' ? '' : context('pbx-features', exten(number, `Goto(pbx-night,${number},1)`));
}

type RouteSets = ReturnType<typeof createRouteSets>;

/** Rules and overrides for the same routes share a context, which has an extension per route. */
function createRouteSets() {
  const sets = new Map<string, string>();
  return {
    test(routeIds: readonly number[]): string {
      const ids = [...new Set(routeIds.map(id))].sort((a, b) => a - b);
      const key = ids.join(',');
      const name = sets.get(key) ?? `pbx-hours-routes-${sets.size + 1}`;
      sets.set(key, name);
      return `\${DIALPLAN_EXISTS(${name},\${ARG1},1)}`;
    },
    contexts: (): string[] =>
      [...sets].map(([key, name]) =>
        context(
          name,
          ...(key === '' ? [] : key.split(',').toReversed()).map((route) => exten(route, 'NoOp()')),
        ),
      ),
  };
}

/** Our ids are numbers; whatever came instead, the dialplan gets a number. */
const id = (number: number): number => Math.max(0, Math.trunc(number) || 0);
const seconds = (at: number): number => Math.ceil(at / 1000);
