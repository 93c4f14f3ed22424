import { readFileSync } from 'node:fs';
import { isForAnyDigits } from '../../call-flow/queue-codes.ts';
import { answersCaller, waitSeconds } from '../../call-flow/queue-stay.ts';
import { type DesiredCallFlow, type DesiredQueue, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredState } from '../../desired-state.ts';
import { dialable, plainText } from '../config/encode.ts';
import type { FormerQueues, FormerSection } from '../config/queue-sections.ts';
import { allMembers, queueKey, queueSection, TALKS } from '../config/queues.ts';
import { carried, context, exten } from './contexts.ts';
import { encodedText } from './journal-format.ts';
import { shownName } from './names.ts';
import { targetExtension } from './targets.ts';

/** The logic, the same for every exchange. */
export const QUEUE_CALLS = readFileSync(new URL('./queue-calls.conf', import.meta.url), 'utf8');

/** Until when a member is left out; stored with the caller. */
const LEFT_UNTIL = `SHARED(\${PBX_STAY}-\${EXTEN},\${PBX_CALLER})`;

/** The queue's end of an inner channel, seen from ours: their names differ only in `;1` and `;2`. */
export const QUEUE_END = `\${CHANNEL(name):0:-1}1`;

export const QUEUE_PHRASES: Readonly<Record<string, string>> = {
  'left-until': LEFT_UNTIL,
  'left-out': `$[0\${FILTER(0-9,\${${LEFT_UNTIL}})} > \${EPOCH}]`,
  talks: TALKS,
  'has-talked': `\${DB_EXISTS(${TALKS}/\${EXTEN})}`,
  'queue-end': QUEUE_END,
  attempt: `\${UNIQUEID}-\${SET(PBX_COUNT=$[0\${PBX_COUNT} + 1])}`,
};

const LONGEST_LEFT_OUT_SECONDS = 60;
/** The key of a deleted queue in which somebody still waits: members ring as before, and his call ends after it. */
const ANY_QUEUE = '_q!';
const MAX_NAME = 100;
const NUMBER = /^\d{1,20}$/;
/** Settings that are no longer known of a deleted queue. */
const NO_QUEUE = { rejectSeconds: 0, callerIdPrefix: '' };

/** A state as the engine has to serve it while callers still wait in a queue that was changed. */
export type QueueCallsState = DesiredState & Partial<FormerQueues>;

/** Dialplan data: one line per queue and kind of data, one per member. */
export function renderQueueCalls(state: QueueCallsState): string {
  const { callFlow = PLAIN_CALL_FLOW, extensions, formerSections = [] } = state;
  const queues = callFlow.queues.filter(({ number }) => NUMBER.test(number));
  const employees = new Map(extensions.map((one) => [one.number, one]));
  const members = new Map(allMembers({ queues }).map((one) => [one.number, one]));
  const former = new Map(
    formerSections.flatMap((one) => one.members.map((member) => [member.number, member])),
  );
  return [
    context('pbx-queues', ...queues.map((queue) => entrance(queue, callFlow))),
    context(
      'pbx-queue-full',
      ...queues.flatMap((queue) => fullWithFormer(queue, formerSections)),
      exten(ANY_QUEUE, 'Return(0)'),
    ),
    context('pbx-wrap-up', ...queues.map(wrapUp), exten(ANY_QUEUE, 'Return(0)')),
    context('pbx-queue-targets', ...queues.map(targets), exten(ANY_QUEUE, 'Return(,,)')),
    context(
      'pbx-queue-data',
      ...queues.map((queue) => data(queueSection(queue), queue, queue)),
      ...formerSections.map((one) => data(one.name, one, queueIn(one, queues))),
      exten(ANY_QUEUE, 'Return(0,0,0,)'),
    ),
    context(
      'pbx-queue-sections',
      ...queues.map((queue) => exten(queue.number, `Return(${queueSection(queue)})`)),
    ),
    context(
      'pbx-own-queues',
      ...[...ownQueues(queues)].map(([number, queue]) => exten(number, `Return(${queue})`)),
    ),
    context('pbx-features', ...codes(callFlow, queues)),
    ...queues.map((queue) => places(queueSection(queue), queue)),
    ...formerSections.map((one) => places(one.name, one)),
    context(
      'pbx-member',
      ...[...new Set([...members.keys(), ...former.keys()])].filter(isDialled).map((number) => {
        const employee = employees.get(number);
        // The number of a former employee is not dialled outside: no operator asked for that (contract 21.6).
        if (!employee && !members.has(number) && former.get(number)?.isEmployee)
          return exten(number, 'Goto(pbx-left-out,s,1)');
        const routine = employee && NUMBER.test(number) ? 'pbx-rung' : 'pbx-rung-outside';
        const name = members.get(number)?.name ?? employee?.name ?? '';
        const shown = encodedText([...name].slice(0, MAX_NAME).join(''));
        return exten(number, `Gosub(${routine},${number},1(${employee?.isRecorded ? 1 : 0},${shown}))`);
      }),
    ),
  ].join('');
}

const isDialled = (number: string): boolean => number !== '' && dialable(number) === number;

/** A section as an extension, in which the engine ignores `-`; the logic drops it in the same way. */
const sectionExtension = (section: string): string => section.replace('-', '');

const queueIn = ({ name }: FormerSection, queues: readonly DesiredQueue[]): DesiredQueue | undefined =>
  queues.find(({ id }) => name.startsWith(`${queueKey(id)}-`));

/** For the number of each member, the section of the first queue that it is in. */
function ownQueues(queues: readonly DesiredQueue[]): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const queue of queues)
    for (const { number } of queue.members)
      if (NUMBER.test(number) && !own.has(number)) own.set(number, queueSection(queue));
  return own;
}

/** Each code alone, and followed by the number of a queue; a number that is already another code stays that one. */
function codes({ featureCodes }: DesiredCallFlow, queues: readonly DesiredQueue[]): string[] {
  const own = [
    { code: dialable(featureCodes.queueLogin), state: 'out' },
    { code: dialable(featureCodes.queuePause), state: 'paused' },
  ].filter(({ code }) => code !== '');
  const known = new Set([dialable(featureCodes.night), ...own.map(({ code }) => code)]);
  return own.flatMap(({ code, state }) => {
    const alone = exten(code, `Gosub(pbx-switch,${code},1(${state},))`);
    if (isForAnyDigits(code))
      return [alone, exten(`_${code}X!`, `Gosub(pbx-switch,\${EXTEN},1(${state},\${EXTEN:${code.length}}))`)];
    const ofQueues = queues.filter(({ number }) => !known.has(code + number));
    for (const { number } of ofQueues) known.add(code + number);
    return [
      alone,
      ...ofQueues.map(({ number }) =>
        exten(code + number, `Gosub(pbx-switch,${code}${number},1(${state},${number}))`),
      ),
    ];
  });
}

function entrance(queue: DesiredQueue, callFlow: Pick<DesiredCallFlow, 'sounds'>): string {
  const fields = [
    queueSection(queue),
    queueKey(queue.id),
    queue.hears === 'ringing' ? 'r' : '',
    waitSeconds(queue),
    answersCaller(queue, callFlow) ? 'answered' : '',
    ...shownName(queue.name),
  ];
  return exten(queue.number, `Gosub(pbx-queue,${queue.number},1(${fields.join(',')}))`);
}

/** The engine counts callers per section; those waiting since before an edit count too (contract 27.12). */
function fullWithFormer(queue: DesiredQueue, formerSections: readonly FormerSection[]): string[] {
  const key = queueKey(queue.id);
  const former = formerSections.flatMap(({ name }) => (name.startsWith(`${key}-`) ? name : []));
  if (queue.maxWaiting === 0 || former.length === 0) return [];
  const waiting = [queueSection(queue), ...former].map((section) => `0\${QUEUE_WAITING_COUNT(${section})}`);
  return [exten(key, `Return($[${waiting.join(' + ')} >= ${queue.maxWaiting}])`)];
}

const wrapUp = ({ id, wrapUpSeconds }: DesiredQueue): string =>
  exten(queueKey(id), `Return(${wrapUpSeconds})`);

const targets = ({ id, onTimeout, onEmpty, onFull }: DesiredQueue): string =>
  exten(queueKey(id), `Return(${[onTimeout, onEmpty, onFull].map(targetExtension).join(',')})`);

type Turns = Pick<FormerSection, 'strategy' | 'ringSeconds'> & {
  readonly members: readonly { readonly number: string }[];
};

/**
 * In strategies that would choose the same member again, one who did not answer is left out for as long as the others
 * need (contract 27.6). How members take turns comes from the section, the rest from the queue as it is now, if it
 * exists (contract 27.17).
 */
function data(
  section: string,
  { strategy, ringSeconds, members }: Turns,
  { rejectSeconds, callerIdPrefix }: Pick<DesiredQueue, 'rejectSeconds' | 'callerIdPrefix'> = NO_QUEUE,
): string {
  const isSticky = strategy === 'leastrecent' || strategy === 'fewestcalls';
  const others = Math.min(LONGEST_LEFT_OUT_SECONDS, ringSeconds * (members.length - 1));
  const left = isSticky && members.length > 1 ? ringSeconds + others : 0;
  const step = strategy === 'growing' ? ringSeconds : 0;
  const prefix = callerIdPrefix === '' ? '' : carried(prefixText(callerIdPrefix));
  return exten(sectionExtension(section), `Return(${[left, rejectSeconds, step, prefix].join(',')})`);
}

/** `Sales: ` before the name; of what the operator wrote, only the end is completed. */
function prefixText(prefix: string): string {
  const text = plainText(prefix, 200);
  return /[\s:]$/.test(text) || text === '' ? `${text} ` : `${text}: `;
}

function places(section: string, { strategy, members }: Turns): string {
  if (strategy !== 'growing') return '';
  const numbers = members.map(({ number }) => number);
  return context(
    `pbx-queue-place-${section}`,
    ...numbers.flatMap((number, at) => (isDialled(number) ? exten(number, `Return(${at + 1})`) : [])),
  );
}
