import type { DesiredMember, DesiredQueue } from '../desired-call-flow.ts';
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
  /** Whether states of members count; if not, all take calls. */
  readonly hasStates: boolean;
  readonly device: (number: string) => MemberDevice;
  readonly waiting: number;
  /** How long a caller may wait who would wait so long. */
  readonly within: (seconds: number) => number;
}

/** What happens to a caller whom nobody answers (contract 27). Members that ring again and again ring once here. */
export function stayInQueue(queue: DesiredQueue, around: Around): QueueStay {
  if (queue.maxWaiting > 0 && around.waiting >= queue.maxWaiting)
    return { outcome: 'FULL', seconds: 0, rings: [] };
  const members = queue.members
    .filter(({ state }) => state === 'in' || !around.hasStates)
    .map((member) => ({ member, device: around.device(member.number) }))
    .filter(({ device }) => device !== 'unavailable');
  if (members.length === 0 && queue.onEmpty !== '') return { outcome: 'EMPTY', seconds: 0, rings: [] };
  const limit =
    queue.timeoutSeconds > 0 && queue.onTimeout !== '' ? queue.timeoutSeconds : LONGEST_WAIT_SECONDS;
  const seconds = around.within(Math.min(limit, LONGEST_WAIT_SECONDS));
  const rings = members
    .filter(({ device }) => canRing(queue, device))
    .map((one, place) => ({ ...one, ...turnOf(queue, place, seconds) }))
    .filter(({ from }) => from < seconds);
  return { outcome: 'TIMEOUT', seconds, rings };
}

/** contract 27.2 */
const canRing = ({ ringsBusyMembers }: DesiredQueue, device: MemberDevice): boolean =>
  device === 'free' || device === 'unknown' || (ringsBusyMembers && device !== 'wrapup');

/** When a member rings first, and until when. */
function turnOf({ strategy, ringSeconds }: DesiredQueue, place: number, end: number) {
  if (strategy === 'ringall') return { from: 0, to: end };
  if (strategy === 'growing') return { from: place * ringSeconds, to: end };
  const from = place * (ringSeconds + PAUSE_SECONDS);
  return { from, to: Math.min(end, from + ringSeconds) };
}

/** How members ring, as half a sentence. */
export const RINGING: Readonly<Record<DesiredQueue['strategy'], string>> = {
  ringall: 'all who can be rung ring at once',
  linear: 'members ring one after the other, from the first on, again and again',
  growing: 'the first who can be rung rings, then one more at each step',
  rrmemory: 'members ring in turn, going on after the last one who rang, again and again',
  random: 'members ring one after the other by chance, again and again',
  leastrecent: 'members ring one after the other, whose last call is longest ago first',
  fewestcalls: 'members ring one after the other, who took the fewest calls first',
};
