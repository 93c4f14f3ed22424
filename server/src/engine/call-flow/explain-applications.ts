import type { DesiredMenu, DesiredQueue } from '../desired-call-flow.ts';
import { CAUSE } from './causes.ts';
import { canBeDialled } from './explain-outside.ts';
import type { MemberDevice } from './explanation.ts';
import { type MenuStay, stayInMenu } from './menu-stay.ts';
import { answersCaller, type QueueStay, RINGING, stayInQueue } from './queue-stay.ts';
import { called, enter, giveUp, isLate, type Move, pass, seconds, type Walk, within } from './walk.ts';

const MOST_TOLD = 20;

/** The application answers and keeps the call: routes that are left are not tried any more (contract 22.7). */
function takes(walk: Walk, step: number): void {
  walk.isAnswered = true;
  walk.deadline = undefined;
  walk.taken ??= step;
}

/**
 * Warns of numbers that are nobody's any more: the engine does not get them, so an entry is wrong or a member not rung.
 */
function warnOfGone(walk: Walk, kind: string, { name, number }: DesiredMenu | DesiredQueue): void {
  const gone = walk.house.goneNumbers?.(number) ?? [];
  if (gone.length === 0) return;
  const more = gone.length > MOST_TOLD ? ` and ${gone.length - MOST_TOLD} more` : '';
  const numbers = `${gone.slice(0, MOST_TOLD).join(', ')}${more}`;
  walk.warnings.add(`${kind} ${called(name, number)} names ${numbers}, which nobody here has any more`);
}

export function enterMenu(walk: Walk, menu: DesiredMenu): Move {
  const entries = walk.ahead === '' ? walk.entries : [walk.ahead, ...walk.entries];
  const stay = stayInMenu(menu, entries, {
    isEmployee: (number) => walk.employee(number) !== undefined,
    beginsEmployee: walk.beginsEmployee,
    soundSeconds: walk.soundSeconds,
  });
  const who = called(menu.name, menu.number);
  const n = walk.step('menu', menu.number, menu.name, `Menu ${who} answers; ${doing(stay)}`);
  warnOfGone(walk, 'menu', menu);
  takes(walk, n);
  walk.after += stay.seconds;
  walk.entries = stay.rest;
  walk.ahead = stay.ahead;
  walk.last = { by: `menu ${menu.number}`, dialstatus: stay.outcome };
  if (stay.outcome === 'CONTINUE') {
    // A key begins a new chain (contract 21.5).
    walk.seen = [];
    walk.cause = undefined;
  }
  return enter(stay.target);
}

function doing({ outcome, target, told, seconds: stayed }: MenuStay): string {
  const entries = told.join(',');
  const where = `to ${target} after ${seconds(stayed)}`;
  if (outcome === 'CONTINUE') return `the caller enters ${entries} and goes ${where}.`;
  const why = outcome === 'TIMEOUT' ? 'nothing was chosen' : 'the entry was wrong too often';
  return `the caller enters ${entries}: ${why}, so the call goes ${where}.`;
}

export function enterQueue(walk: Walk, queue: DesiredQueue): Move {
  const { present, isNow } = walk.call;
  const isEmployee = (number: string): boolean => walk.employee(number) !== undefined;
  const device = (number: string): MemberDevice => {
    const known = present?.memberDevice(queue.id, number);
    if (known !== undefined && known !== 'unknown') return known;
    if (!isEmployee(number)) return 'unknown';
    return present?.isReachable(number) === false ? 'unavailable' : 'free';
  };
  const isTaking = answersCaller(queue, walk.flow);
  const stay = stayInQueue(queue, {
    // The service keeps the members' states itself (contract 27.18): no engine has to be asked.
    hasStates: isNow,
    device,
    wrapUpLeft: (number) => present?.wrapUpLeft(queue.id, number) ?? 0,
    canBeDialled: (number) => isEmployee(number) || canBeDialled(walk, number),
    waiting: present?.waiting(queue.number) ?? 0,
    within: (limit) => (isTaking ? limit : within(walk, limit)),
  });
  const n = walk.step('queue', queue.number, queue.name, waiting(queue, stay));
  warnOfGone(walk, 'queue', queue);
  if (isTaking) takes(walk, n);
  for (const { member, device: state, from, to } of stay.rings)
    walk.ring({
      number: member.number,
      name: member.name,
      state,
      from: walk.after + from,
      to: walk.after + to,
    });
  if (stay.rings.length === 0 && stay.outcome !== 'FULL')
    walk.warnings.add(`nobody can be rung in queue ${called(queue.name, queue.number)}`);
  pass(walk, stay.seconds);
  walk.last = { by: `queue ${queue.number}`, dialstatus: stay.outcome };
  return leaveQueue(walk, queue, stay.outcome);
}

function waiting(queue: DesiredQueue, { outcome, rings, seconds: waited }: QueueStay): string {
  const who = `Queue ${called(queue.name, queue.number)}`;
  if (outcome === 'FULL') return `${who} is full.`;
  if (outcome === 'EMPTY') return `${who} is empty: no member takes calls and can be reached.`;
  const how = rings.length === 0 ? 'nobody can be rung' : RINGING[queue.strategy];
  const hears = queue.hears === 'moh' ? 'hears music' : 'hears ringing';
  return `${who}: the caller ${hears} for ${seconds(waited)}; ${how}.`;
}

/** Where callers go if nobody took them (contract 27.10 to 27.13). */
function leaveQueue(walk: Walk, queue: DesiredQueue, outcome: QueueStay['outcome']): Move {
  if (outcome === 'TIMEOUT') {
    walk.cause = CAUSE.noAnswer;
    return isLate(walk) ? giveUp(CAUSE.noAnswer) : enter(queue.onTimeout || 'hangup');
  }
  if (outcome === 'EMPTY') {
    walk.cause = CAUSE.absent;
    return enter(queue.onEmpty);
  }
  walk.cause = CAUSE.busy;
  if (queue.onFull !== '') return enter(queue.onFull);
  return walk.routes.length > 0 ? { to: 'next-route', cause: CAUSE.busy } : enter('busy');
}
