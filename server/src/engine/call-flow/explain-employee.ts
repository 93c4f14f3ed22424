import { isTargetWord } from '../../lib/target.ts';
import { CAUSE } from './causes.ts';
import type { Extension } from './explanation.ts';
import { employeeRingSeconds } from './ring-seconds.ts';
import { called, enter, giveUp, isLate, type Move, pass, seconds, type Walk, within } from './walk.ts';

/** The phones of an employee ring without an answer; then his forwards decide where the call goes (contract 21). */
export function ringEmployee(walk: Walk, employee: Extension): Move {
  const { number, name, forward } = employee;
  const onNoAnswer = usable(forward.onNoAnswer);
  const ringSeconds = employeeRingSeconds(employee);
  const who = called(name, number);
  if (ringSeconds === 0) {
    walk.step('forward', number, name, `${who} is not rung at all: calls go on to ${onNoAnswer} at once.`);
    return next(walk, onNoAnswer, CAUSE.noAnswer);
  }
  const by = `employee ${number}`;
  if (walk.call.present?.isReachable(number) === false) {
    walk.step('employee', number, name, `${who} has no phone that can be reached.`);
    walk.last = { by, dialstatus: 'CHANUNAVAIL' };
    return forwarded(walk, employee, usable(forward.onUnavailable), CAUSE.absent);
  }
  const rung = within(walk, ringSeconds);
  walk.step('employee', number, name, `The phones of ${who} ring for ${seconds(rung)}.`);
  walk.ring({ number, name, from: walk.after, to: walk.after + rung, state: 'Available' });
  pass(walk, rung);
  walk.last = { by, dialstatus: 'NOANSWER' };
  return forwarded(walk, employee, onNoAnswer, CAUSE.noAnswer);
}

function forwarded(walk: Walk, { number, name }: Extension, target: string, cause: number): Move {
  const goesOn = target !== '' && target !== 'hangup' && !isLate(walk);
  if (goesOn) walk.step('forward', number, name, `${called(name, number)} forwards such calls to ${target}.`);
  return next(walk, target, cause);
}

/** After the deadline of a route nobody is next (contract 22.7). */
function next(walk: Walk, target: string, cause: number): Move {
  if (target === '' || target === 'hangup' || isLate(walk)) return giveUp(cause);
  walk.cause = cause;
  return enter(target);
}

/** Mailboxes do not exist yet; an invalid target ends the call. */
function usable(target: string): string {
  if (target === 'voicemail') return 'hangup';
  return target === '' || isTargetWord(target) || /^[0-9+*#]{1,80}$/.test(target) ? target : 'hangup';
}
