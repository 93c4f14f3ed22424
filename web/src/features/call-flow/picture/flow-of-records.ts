import type {
  EmployeeFullItem,
  IncomingRoute,
  Menu,
  MenuListItem,
  OffWorkTimeItem,
  Queue,
  QueueListItem,
} from '@pbxcore/client';
import { type Box, targetOf } from './flow-graph.ts';
import { createSketch, type Sketch, type Words } from './sketch.ts';

/** A larger picture would be unreadable. */
export const MOST = 60;

export interface FlowRecords {
  readonly routes: readonly IncomingRoute[];
  readonly defaultRoute: IncomingRoute;
  readonly rules: readonly OffWorkTimeItem[];
  readonly menus: readonly MenuListItem[];
  readonly queues: readonly QueueListItem[];
  /** Full records, of those in the lists that could be read. */
  readonly wholeMenus: ReadonlyMap<string, Menu>;
  readonly wholeQueues: ReadonlyMap<string, Queue>;
  /** By number. */
  readonly employees: ReadonlyMap<string, EmployeeFullItem>;
  /** Not all of them were read. */
  readonly hasMoreEmployees: boolean;
}

/** The longest possible wait in a queue (contract 27.10). */
const LONGEST_WAIT_SECONDS = 7200;
const HOURS = 'hours';
const keyOf = (number: string) => `to ${number}`;

/** Boxes and lines of the picture: every target in a record is a line. */
export function flowOf(records: FlowRecords, words: Words) {
  const sketch = createSketch(words);
  const rules = records.rules.filter(({ disabled }) => !disabled);
  const { add } = sketch;
  // Before the first line: a target without a box would be drawn as a person.
  for (const { id, name, extension } of records.menus.slice(0, MOST))
    add({ key: keyOf(extension), column: 'menus', title: name, note: extension, to: `/menus/${id}` });
  for (const { id, name, extension } of records.queues.slice(0, MOST))
    add({ key: keyOf(extension), column: 'queues', title: name, note: extension, to: `/queues/${id}` });
  sketchRoutes(sketch, records, rules);
  sketchHours(sketch, rules);
  sketchMenus(sketch, records);
  sketchQueues(sketch, records);
  sketchForwards(sketch, records);
  const { boxes, lines } = sketch.done();
  return { boxes, lines, isCut: isCut(records, rules, boxes) };
}

/** Whether something is missing in the picture. */
function isCut(
  { routes, menus, queues, employees, hasMoreEmployees }: FlowRecords,
  rules: readonly OffWorkTimeItem[],
  boxes: readonly Box[],
): boolean {
  const cut = [routes, rules, menus, queues, ...queues.map(({ members }) => members)];
  if (cut.some(({ length }) => length > MOST)) return true;
  // Their forwards are unknown.
  return hasMoreEmployees && boxes.some(({ search }) => search !== undefined && !employees.has(search));
}

function sketchRoutes(
  { t, add, lead, line }: Sketch,
  records: FlowRecords,
  rules: readonly OffWorkTimeItem[],
) {
  const { routes, defaultRoute } = records;
  for (const route of [...routes.slice(0, MOST), defaultRoute]) {
    const { id, number, rulename, extension, extension_represent: represent, disabled } = route;
    const key = `route ${id}`;
    const isDefault = route === defaultRoute;
    add({
      key,
      column: 'routes',
      title: isDefault ? t('picture.otherCalls') : number || t('picture.anyNumber'),
      note: isDefault ? '' : rulename,
      to: `/incoming-routes/${id}`,
      isOff: disabled,
    });
    const isByNumber = isDefault && route.did_to_extension;
    const mayClose = !disabled && rules.some((rule) => covers(rule, id));
    // A route with one way out needs no label for it.
    const otherwise = isByNumber ? t('picture.unknown') : mayClose ? t('picture.open') : '';
    if (isByNumber) lead(key, 'did2user', '', t('picture.known'));
    lead(key, extension, represent, otherwise);
    if (mayClose) line({ from: key, to: HOURS, label: t('picture.closed'), isDashed: true });
  }
}

/** contract 26.2 */
const covers = ({ allowRestriction, incomingRouteIds }: OffWorkTimeItem, route: string): boolean =>
  !allowRestriction || incomingRouteIds.map(String).includes(route);

function sketchHours({ t, add, lead, line }: Sketch, rules: readonly OffWorkTimeItem[]) {
  if (rules.length === 0) return;
  const note = t('picture.rules', { count: rules.length });
  add({ key: HOURS, column: 'hours', title: t('picture.hours'), note, to: '/opening-hours' });
  for (const rule of rules.slice(0, MOST)) {
    const label = rule.description || t('off-work-times.unnamed', { id: rule.id });
    if (rule.action === 'extension') {
      lead(HOURS, rule.extension, rule.extension_represent, label, true);
      continue;
    }
    const title = rule.audio_message_id_represent || t('picture.noSound');
    const to = `message ${title}`;
    add({ key: to, column: 'people', title, note: t('picture.message'), to: '/sounds' });
    line({ from: HOURS, to, label, isDashed: true });
  }
}

function sketchMenus({ t, lead }: Sketch, { menus, wholeMenus }: FlowRecords) {
  for (const menu of menus.slice(0, MOST)) {
    const from = keyOf(menu.extension);
    for (const { digits, represent } of menu.actions) lead(from, targetOf(represent), represent, digits);
    lead(from, menu.timeout_extension, menu.timeout_extension_represent, t('picture.nothing'));
    const whole = wholeMenus.get(menu.id);
    if (whole) lead(from, whole.invalid_extension, whole.invalid_extension_represent, t('picture.wrong'));
  }
}

function sketchQueues({ t, lead }: Sketch, { queues, wholeQueues }: FlowRecords) {
  for (const { id, extension, members } of queues.slice(0, MOST)) {
    const from = keyOf(extension);
    for (const member of members.slice(0, MOST))
      lead(from, member.extension, member.represent, t('picture.rings'));
    const queue = wholeQueues.get(id);
    if (!queue) continue;
    const seconds = queue.timeout_to_redirect_to_extension || LONGEST_WAIT_SECONDS;
    const { redirect_to_extension_if_empty: empty, redirect_to_extension_if_full: full } = queue;
    lead(from, queue.timeout_extension, queue.timeout_extension_represent, t('picture.waited', { seconds }));
    lead(from, empty, queue.redirect_to_extension_if_empty_represent, t('picture.empty'));
    lead(from, full, queue.redirect_to_extension_if_full_represent, t('picture.full'));
  }
}

/** Of everybody in the picture, including people who appear only in forwards. */
function sketchForwards({ t, lead, others }: Sketch, { employees }: FlowRecords) {
  for (const number of others) {
    const one = employees.get(number);
    if (!one) continue;
    const from = keyOf(number);
    const { fwd_forwardingonbusy: busy, fwd_forwardingonunavailable: away } = one;
    lead(from, one.fwd_forwarding, one.fwd_forwarding_represent, t('picture.noAnswer'));
    lead(from, busy, one.fwd_forwardingonbusy_represent, t('picture.busy'));
    lead(from, away, one.fwd_forwardingonunavailable_represent, t('picture.unreachable'));
  }
}
