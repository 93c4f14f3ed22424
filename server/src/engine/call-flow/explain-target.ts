import type { DesiredMenu, DesiredQueue } from '../desired-call-flow.ts';
import { CAUSE } from './causes.ts';
import { enterMenu, enterQueue } from './explain-applications.ts';
import { ringEmployee } from './explain-employee.ts';
import { dialMobile, dialOutside } from './explain-outside.ts';
import { called, enter, giveUp, type Move, type Walk } from './walk.ts';

/** Limits of the numbers in a chain, and in a call as a whole (contract 21.4, 21.5). */
const MOST_NUMBERS = 20;
const MOST_HOPS = 100;
/** Busy tone for a caller whose line is answered. */
const BUSY_SECONDS = 10;
/** Internal numbers are short: a short one that is nobody's was meant to be internal (contract 21). */
const SHORT = /^\d{1,8}$/;

/** Enters a number or a word of the operator (contract 21), as the dialplan's `pbx-target` does. */
export function enterTarget(walk: Walk, target: string): Move {
  switch (target) {
    case 'hangup':
    case 'voicemail':
      return { to: 'end', cause: CAUSE.word };
    case 'busy':
      if (walk.isAnswered) walk.after += BUSY_SECONDS;
      return { to: 'end', cause: CAUSE.busy, isBusy: true };
    case 'did2user':
      return enterCalledNumber(walk);
    default:
      return /^[0-9+*#]+$/.test(target) ? enterNumber(walk, target) : enterTarget(walk, 'hangup');
  }
}

function enterNumber(walk: Walk, number: string): Move {
  if (walk.seen.includes(number) || walk.seen.length >= MOST_NUMBERS) {
    const chain = [...walk.seen.slice(Math.max(0, walk.seen.indexOf(number))), number].join(', ');
    walk.step('loop', number, '', `The call has already passed ${number}, or too many numbers: ${chain}.`);
    walk.warnings.add(`the call runs in a loop: ${chain}`);
    return giveUp(walk.cause ?? CAUSE.word);
  }
  if (walk.hops >= MOST_HOPS) {
    walk.step('loop', number, '', `The call has passed ${MOST_HOPS} numbers and ends here.`);
    walk.warnings.add(`the call passes more than ${MOST_HOPS} numbers`);
    return { to: 'end', cause: CAUSE.congestion };
  }
  walk.hops += 1;
  walk.seen = [...walk.seen, number];
  const employee = walk.employee(number);
  if (employee) return ringEmployee(walk, employee);
  const queue = queueOf(walk, number);
  if (queue) return enterQueue(walk, queue);
  const menu = menuOf(walk, number);
  if (menu) return enterMenu(walk, menu);
  const owner = walk.mobile(number);
  if (owner) return dialMobile(walk, number, owner);
  if (SHORT.test(number)) walk.warnings.add(`${number} is nobody's number here, it would be dialled outside`);
  return dialOutside(walk, number);
}

const queueOf = ({ flow }: Walk, number: string): DesiredQueue | undefined =>
  flow.queues.find((queue) => queue.number === number);

const menuOf = ({ flow }: Walk, number: string): DesiredMenu | undefined =>
  flow.menus.find((menu) => menu.number === number);

/** The name of what a caller from outside can reach by the number called (contract 21.7). */
export function nameInside(walk: Walk, number: string): string | undefined {
  return (walk.employee(number) ?? queueOf(walk, number) ?? menuOf(walk, number))?.name;
}

function enterCalledNumber(walk: Walk): Move {
  const { did } = walk;
  const name = nameInside(walk, did);
  if (name !== undefined) {
    walk.step('did', did, name, `The number called belongs to ${called(name, did)}.`);
    return enter(did);
  }
  const digits = did.slice(-walk.flow.numbering.extensionLength);
  const employee = walk.employee(digits);
  if (employee) {
    walk.step(
      'did',
      did,
      employee.name,
      `The number called ends with that of ${called(employee.name, digits)}.`,
    );
    return enter(digits);
  }
  walk.step('did', did, '', 'The number called belongs to nobody here.');
  return giveUp(CAUSE.nobody);
}
