import type { DesiredCallFlow, DesiredMember, DesiredQueue } from '../desired-call-flow.ts';
import type { MemberDevice } from './explanation.ts';

/** Nobody waits longer (contract 27.10). */
const LONGEST_WAIT_SECONDS = 7200;
/** Between two rounds (contract 27.6). */
const PAUSE_SECONDS = 1;

interface MemberRing {
  readonly member: DesiredMember;
  readonly device: MemberDevice;
  readonly from: number;
  readonly to: number;
}

export interface QueueStay {
  readonly outcome: 'TIMEOUT' | 'EMPTY' | 'FULL';
  readonly seconds: number;
  readonly rings: readonly MemberRing[];
}

interface Around {
  /** Whether members' states count; if not, all take calls. */
  readonly hasStates: boolean;
  readonly device: (number: string) => MemberDevice;
  readonly wrapUpLeft: (number: string) => number;
  /** Whether any provider takes calls to a member who is no employee; to the engine such a member is like any other. */
  readonly canBeDialled: (number: string) => boolean;
  readonly waiting: number;
  /** How much of this time a caller may actually wait. */
  readonly within: (seconds: number) => number;
}

/**
 * Whether the line is answered before a member answers: for music, and for any announcement (contract 27.8). A sound
 * without audio is none (24.1).
 */
export function answersCaller(queue: DesiredQueue, { sounds }: Pick<DesiredCallFlow, 'sounds'>): boolean {
  const { hears, announcesPosition, announcesHoldTime, periodicSeconds, periodicSoundId } = queue;
  const isPeriodic = periodicSeconds > 0 && sounds.some(({ id }) => id === periodicSoundId);
  return hears === 'moh' || announcesPosition || announcesHoldTime || isPeriodic;
}

/** How long a caller waits at most, unless a route sets a shorter limit (contract 27.10). */
export const waitSeconds = ({ timeoutSeconds, onTimeout }: DesiredQueue): number =>
  timeoutSeconds > 0 && onTimeout !== ''
    ? Math.min(timeoutSeconds, LONGEST_WAIT_SECONDS)
    : LONGEST_WAIT_SECONDS;

/** What happens to a caller whom nobody answers (contract 27). Members that ring again and again are listed once. */
export function stayInQueue(queue: DesiredQueue, around: Around): QueueStay {
  const members = queue.members
    .filter(({ state }) => state === 'in' || !around.hasStates)
    .map((member) => ({ member, device: around.device(member.number) }))
    .filter(({ device }) => device !== 'unavailable');
  if (members.length === 0 && queue.onEmpty !== '') return { outcome: 'EMPTY', seconds: 0, rings: [] };
  // The engine checks this second.
  if (queue.maxWaiting > 0 && around.waiting >= queue.maxWaiting)
    return { outcome: 'FULL', seconds: 0, rings: [] };
  const seconds = around.within(waitSeconds(queue));
  const rung = members.filter(
    ({ member, device }) => canRing(queue, device) && around.canBeDialled(member.number),
  );
  const isWrapping = ({ device }: { device: MemberDevice }): boolean => device === 'wrapup';
  const rings = [...rung.filter((one) => !isWrapping(one)), ...rung.filter(isWrapping)]
    .map((one, place) => {
      const ready = isWrapping(one) ? around.wrapUpLeft(one.member.number) : 0;
      return { ...one, ...turnOf(queue, place, { ready, end: seconds }) };
    })
    .filter(({ from }) => from < seconds);
  return { outcome: 'TIMEOUT', seconds, rings };
}

/** contract 27.2. A member in wrap-up can ring once that is over. */
const canRing = ({ ringsBusyMembers }: DesiredQueue, device: MemberDevice): boolean =>
  device === 'free' || device === 'unknown' || device === 'wrapup' || ringsBusyMembers;

/** When a member first rings, and until when. */
function turnOf(
  { strategy, ringSeconds }: DesiredQueue,
  place: number,
  { ready, end }: { readonly ready: number; readonly end: number },
) {
  if (strategy === 'ringall') return { from: ready, to: end };
  if (strategy === 'growing') return { from: Math.max(ready, place * ringSeconds), to: end };
  const from = Math.max(ready, place * (ringSeconds + PAUSE_SECONDS));
  return { from, to: Math.min(end, from + ringSeconds) };
}

/** How members ring, as half a sentence. */
export const RINGING: Readonly<Record<DesiredQueue['strategy'], string>> = {
  ringall: 'all who can be rung ring at once',
  linear: 'members ring one after another, in order, again and again',
  growing: 'the first who can be rung rings, and one more joins at each step',
  rrmemory: 'members ring in turn, beginning after the one who rang last, again and again',
  random: 'members ring one after another, in random order, again and again',
  leastrecent: 'members ring one after another, beginning with the one whose last call is longest ago',
  fewestcalls: 'members ring one after another, beginning with the one who took the fewest calls',
};
