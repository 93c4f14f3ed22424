import { createHash } from 'node:crypto';
import {
  type DesiredCallFlow,
  type DesiredMember,
  type DesiredQueue,
  PLAIN_CALL_FLOW,
  type QueueStrategy,
} from '../../desired-call-flow.ts';
import type { DesiredState } from '../../desired-state.ts';
import { configSection, dialable, type Setting } from './encode.ts';
import { musicClass, soundFile } from './music.ts';

/** Of a queue, in the dialplan: letters and digits only, since `-` means nothing in extensions. */
export const queueKey = (id: string): string => `q${createHash('md5').update(id).digest('hex').slice(0, 12)}`;

/**
 * Of its section. The engine cannot change strategy, members or order of a queue in which somebody waits, so each such
 * change is a new section (contract 27.17).
 */
export const queueSection = ({ id, revision }: Pick<DesiredQueue, 'id' | 'revision'>): string =>
  `${queueKey(id)}-r${Math.max(0, Math.trunc(revision))}`;

/**
 * Where the engine keeps the talks of members: the category of groups that are named like the section of a talk, and the family of
 * its database in which stands when the last one of each member ended (`queue-calls.conf`).
 */
export const TALKS = 'pbx-talks';

type Sounds = Pick<DesiredCallFlow, 'sounds'>;

/** A round without anybody to ring, and the pause between two, last a second: less the engine does not know. */
export const PAUSE_SECONDS = 1;
const ANNOUNCE_SECONDS = 30;

/** Growing is all at once too: the routine of each member decides when it is its turn (`queue-calls.conf`). */
const ENGINE_STRATEGIES: Readonly<Record<QueueStrategy, string>> = {
  ringall: 'ringall',
  growing: 'ringall',
  leastrecent: 'leastrecent',
  fewestcalls: 'fewestcalls',
  random: 'random',
  rrmemory: 'rrmemory',
  linear: 'linear',
};

/** Told to nobody but us, who read the file again: of a section whose queue is another one by now. */
export const GROWING = '; growing';

/** Nobody is reachable who takes calls of the queue. */
const EMPTY = 'paused,unavailable,invalid';

const GENERAL: readonly Setting[] = [
  ['persistentmembers', 'no'],
  // Several free members take several callers at once (contract 27.1); wrap-up counts in every queue (27.15).
  ['autofill', 'yes'],
  ['shared_lastcall', 'yes'],
];

/**
 * The queues of an exchange, by the names of their sections. `queues.conf` is these and those that were served before and
 * in which somebody waits still.
 */
export function renderQueueSections({
  callFlow = PLAIN_CALL_FLOW,
  extensions,
}: Pick<DesiredState, 'callFlow' | 'extensions'>): ReadonlyMap<string, string> {
  const employees = new Set(extensions.map(({ number }) => number));
  return new Map(
    callFlow.queues.map((queue) => {
      const name = queueSection(queue);
      const settings = [...settingsOf(queue, callFlow), ...membersOf(queue, employees)];
      const text = configSection(name, settings);
      return [name, queue.strategy === 'growing' ? text.replace('\n', `\n${GROWING}\n`) : text];
    }),
  );
}

export const renderQueues = (sections: ReadonlyMap<string, string>): string =>
  configSection('general', GENERAL) + [...sections.values()].join('');

function* settingsOf(queue: DesiredQueue, sounds: Sounds): Generator<Setting> {
  const announces = queue.announcesPosition || queue.announcesHoldTime;
  const periodic = queue.periodicSeconds > 0 ? soundFile(sounds, queue.periodicSoundId) : '';
  yield ['strategy', ENGINE_STRATEGIES[queue.strategy]];
  yield ['timeout', roundSeconds(queue)];
  yield ['retry', PAUSE_SECONDS];
  yield ['timeoutrestart', 'yes'];
  yield ['wrapuptime', queue.wrapUpSeconds];
  yield ['ringinuse', queue.ringsBusyMembers ? 'yes' : 'no'];
  yield ['maxlen', queue.maxWaiting];
  yield ['reportholdtime', 'no'];
  yield ['joinempty', queue.onEmpty === '' ? 'yes' : EMPTY];
  yield ['leavewhenempty', queue.onEmpty === '' ? 'no' : EMPTY];
  yield ['announce-frequency', announces ? ANNOUNCE_SECONDS : 0];
  yield ['announce-position', queue.announcesPosition ? 'yes' : 'no'];
  yield ['announce-holdtime', queue.announcesHoldTime ? 'yes' : 'no'];
  if (queue.hears === 'moh') yield ['musicclass', musicClass(sounds, queue.musicSoundId)];
  if (announces) {
    // To the first in line nothing is said of his place (contract 27.9).
    yield ['queue-youarenext', ''];
    yield ['queue-thankyou', ''];
  }
  if (periodic === '') return;
  // Without it the first in line would never hear the sound, however often phones ring in vain.
  yield ['announce-to-first-user', 'yes'];
  yield ['periodic-announce', periodic];
  yield ['periodic-announce-frequency', queue.periodicSeconds];
  // Counted from the end of the last one (contract 27.9).
  yield ['relative-periodic-announce', 'yes'];
}

/** How long one round rings. That of a growing queue is a step, the pause behind it included. */
const roundSeconds = ({ strategy, ringSeconds }: DesiredQueue): number =>
  strategy === 'growing' ? Math.max(1, ringSeconds - PAUSE_SECONDS) : ringSeconds;

/** `interface,penalty,name,state interface`; whether it is paused is ordered over the control connection. */
const membersOf = ({ members }: DesiredQueue, employees: ReadonlySet<string>): Setting[] =>
  members.flatMap(({ number }): Setting[] => {
    const dialled = dialable(number);
    if (dialled === '' || dialled !== number) return [];
    // Not by a hint, as is common: with each of thousands of hints, reading the dialplan again looks at all others.
    const state = employees.has(number) ? `PJSIP/${number}` : '';
    return [['member', `${memberInterface(number, employees.has(number))},0,${number},${state}`]];
  });

/**
 * What the engine rings for a member: a routine that rings all its devices. The inner channel of an employee leaves the
 * call once somebody answered; that of a number outside stays, since nothing else says that it is in a call.
 */
export const memberInterface = (number: string, isEmployee: boolean): string =>
  `Local/${number}@pbx-member${isEmployee ? '' : '/n'}`;

/** Everybody who is a member somewhere, once, in the order of the queues. */
export function allMembers({ queues }: Pick<DesiredCallFlow, 'queues'>): DesiredMember[] {
  const members = new Map<string, DesiredMember>();
  for (const queue of queues)
    for (const member of queue.members) if (!members.has(member.number)) members.set(member.number, member);
  return [...members.values()];
}
