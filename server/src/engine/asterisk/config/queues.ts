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

/** The key of a queue in the dialplan: letters and digits only, since the engine ignores `-` in extensions. */
export const queueKey = (id: string): string => `q${createHash('md5').update(id).digest('hex').slice(0, 12)}`;

/**
 * The name of its section. The engine cannot change strategy, members or order of a queue in which somebody waits, so
 * each such change makes a new section (contract 27.17).
 */
export const queueSection = ({ id, revision }: Pick<DesiredQueue, 'id' | 'revision'>): string =>
  `${queueKey(id)}-r${Math.max(0, Math.trunc(revision))}`;

/**
 * Where the engine keeps the talks of members: the category of groups named after the section of a talk, and the family
 * of its database with the time at which each member's last talk ended (`queue-calls.conf`).
 */
export const TALKS = 'pbx-talks';

type Sounds = Pick<DesiredCallFlow, 'sounds'>;

/** Length of a round with nobody to ring, and of the pause between two: the engine's minimum is a second. */
export const PAUSE_SECONDS = 1;
const ANNOUNCE_SECONDS = 30;

/** Growing rings all at once too: the routine of each member decides when it is its turn (`queue-calls.conf`). */
const ENGINE_STRATEGIES: Readonly<Record<QueueStrategy, string>> = {
  ringall: 'ringall',
  growing: 'ringall',
  leastrecent: 'leastrecent',
  fewestcalls: 'fewestcalls',
  random: 'random',
  rrmemory: 'rrmemory',
  linear: 'linear',
};

/** A note to ourselves for when we read the file again: the queue of a section may have another strategy by then. */
export const GROWING = '; growing';

/** States of members who cannot take calls: a queue with no others is empty. */
const EMPTY = 'paused,unavailable,invalid';

const GENERAL: readonly Setting[] = [
  ['persistentmembers', 'no'],
  // Several free members take several callers at once (contract 27.1); wrap-up counts in every queue (27.15).
  ['autofill', 'yes'],
  ['shared_lastcall', 'yes'],
];

/**
 * The queues of an exchange, by section name. `queues.conf` has these and the former ones in which somebody still
 * waits.
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
    // The first in line is not told his position (contract 27.9).
    yield ['queue-youarenext', ''];
    yield ['queue-thankyou', ''];
  }
  if (periodic === '') return;
  // Without it the first in line would never hear the sound, however often phones ring in vain.
  yield ['announce-to-first-user', 'yes'];
  yield ['periodic-announce', periodic];
  yield ['periodic-announce-frequency', queue.periodicSeconds];
  // Measured from the end of the last announcement (contract 27.9).
  yield ['relative-periodic-announce', 'yes'];
}

/** How long one round rings. In a growing queue, a round and the pause after it make one step. */
const roundSeconds = ({ strategy, ringSeconds }: DesiredQueue): number =>
  strategy === 'growing' ? Math.max(1, ringSeconds - PAUSE_SECONDS) : ringSeconds;

/** `interface,penalty,name,state interface`; members are paused over the control connection. */
const membersOf = ({ members }: DesiredQueue, employees: ReadonlySet<string>): Setting[] =>
  members.flatMap(({ number }): Setting[] => {
    const dialled = dialable(number);
    if (dialled === '' || dialled !== number) return [];
    // No hint, although common: with thousands of hints, reading the dialplan again compares each with all others.
    const state = employees.has(number) ? `PJSIP/${number}` : '';
    return [['member', `${memberInterface(number, employees.has(number))},0,${number},${state}`]];
  });

/**
 * What the engine rings for a member: a routine that rings all its devices. The inner channel of an employee leaves the
 * call once somebody answered; that of an outside number stays, since nothing else shows that it is in a call.
 */
export const memberInterface = (number: string, isEmployee: boolean): string =>
  `Local/${number}@pbx-member${isEmployee ? '' : '/n'}`;

/** All members of any queue, each once, in the order of the queues. */
export function allMembers({ queues }: Pick<DesiredCallFlow, 'queues'>): DesiredMember[] {
  const members = new Map<string, DesiredMember>();
  for (const queue of queues)
    for (const member of queue.members) if (!members.has(member.number)) members.set(member.number, member);
  return [...members.values()];
}
