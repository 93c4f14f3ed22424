import type { Clock } from '../../../lib/clock.ts';
import type { DesiredMember, DesiredQueue } from '../../desired-call-flow.ts';
import type { DesiredState } from '../../desired-state.ts';
import type { QueueMemberStatus, QueueStatus } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import { queueKeys, queueOfSection } from '../config/queue-sections.ts';
import { memberInterface, queueSection, TALKS } from '../config/queues.ts';
import { type Ami, type AmiMessage, AmiRefused } from '../control/ami.ts';

interface QueueMemberParts {
  readonly ami: Pick<Ami, 'action' | 'list' | 'listen'>;
  readonly tell: (event: EngineEvent) => void;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

interface Known extends QueueMemberStatus {
  /** Seconds of the epoch; 0 = none. */
  readonly lastCall: number;
  readonly wrapUp: number;
}

/** By the engine's device states. */
const DEVICES: Readonly<Record<string, QueueMemberStatus['device']>> = {
  1: 'free',
  2: 'inuse',
  3: 'inuse',
  4: 'unavailable',
  5: 'unavailable',
  6: 'ringing',
  7: 'inuse',
  8: 'inuse',
};
const STATES = new Set(['QueueMemberStatus', 'QueueMemberPause']);

/** Which members can be rung in which queue: read once after each change, then followed by events. */
export function createQueueMembers({ ami, tell, clock, onError }: QueueMemberParts) {
  let queues: readonly DesiredQueue[] = [];
  let employees: ReadonlySet<string> = new Set();
  let keys: ReadonlyMap<string, string> = new Map();
  /** Only sections that new callers enter. */
  let current: ReadonlySet<string> = new Set();
  const known = new Map<string, Map<string, Known>>();
  /** The queue of each member's last call: the time after that call counts in all queues (contract 27.15). */
  const callsOf = new Map<string, string>();
  /**
   * The end of each member's last call, from the dialplan: unlike the engine's value, it survives edits and restarts.
   */
  const ended = new Map<string, { readonly at: number; readonly queueId: string | undefined }>();
  const wrapUps = new Map<string, NodeJS.Timeout>();

  const stopListening = ami.listen((event) => {
    if (STATES.has(event.Event ?? '')) take(event, true);
  });

  function take(event: AmiMessage, isNews: boolean): void {
    const { Queue = '', MemberName: text, Name: name } = event;
    const number = text ?? name ?? '';
    const queueId = queueOfSection(Queue, keys);
    if (queueId === undefined) return;
    if (event.InCall === '1') callsOf.set(number, queueId);
    if (!current.has(Queue)) return;
    const members = known.get(queueId) ?? new Map<string, Known>();
    known.set(queueId, members);
    set(queueId, members, statusOf(queueId, number, event), isNews);
  }

  function set(queueId: string, members: Map<string, Known>, status: Known, isNews: boolean): void {
    const before = members.get(status.number);
    members.set(status.number, status);
    watchWrapUp(queueId, members, status);
    if (isNews && (before?.device !== status.device || before.isPaused !== status.isPaused))
      tell({ type: 'queue-member-changed', queueId, member: shown(status) });
  }

  /** No event reports that the time after a call is over. */
  function watchWrapUp(queueId: string, members: Map<string, Known>, status: Known): void {
    const key = `${queueId} ${status.number}`;
    clearTimeout(wrapUps.get(key));
    wrapUps.delete(key);
    if (status.device !== 'wrapup') return;
    const left = (status.lastCall + status.wrapUp) * 1000 - clock.now();
    const over = () => {
      wrapUps.delete(key);
      // The queue, or the member, may be gone by now.
      if (known.get(queueId)?.get(status.number) === status)
        set(queueId, members, { ...status, device: 'free' }, true);
    };
    wrapUps.set(key, setTimeout(over, Math.max(0, left)).unref());
  }

  function statusOf(queueId: string, number: string, event: AmiMessage): Known {
    const { Status = '', Paused, LastCall } = event;
    const last = ended.get(number);
    const lastCall = Math.max(Number(LastCall) || 0, last?.at ?? 0);
    // The engine notes the same end itself, perhaps a second later.
    const isWritten = last !== undefined && last.at + 1 >= lastCall;
    const lastQueueId = isWritten ? last.queueId : (callsOf.get(number) ?? queueId);
    const wrapUp = queues.find(({ id }) => id === lastQueueId)?.wrapUpSeconds ?? 0;
    const device = DEVICES[Status] ?? 'unknown';
    const isWrapping = device === 'free' && lastCall > 0 && (lastCall + wrapUp) * 1000 > clock.now();
    return {
      number,
      device: isWrapping ? 'wrapup' : device,
      isPaused: Paused === '1',
      lastCallAt: lastCall === 0 ? null : lastCall * 1000,
      lastCall,
      wrapUp,
    };
  }

  async function read(): Promise<AmiMessage[]> {
    const events = (await ami.list('QueueStatus')).filter(({ Event }) => Event === 'QueueMember');
    await readEnds();
    const there = new Set(events.map(({ Queue, Name }) => `${Queue} ${Name}`));
    for (const event of events) take(event, true);
    for (const queue of queues)
      for (const number of known.get(queue.id)?.keys() ?? [])
        if (!there.has(`${queueSection(queue)} ${number}`)) known.get(queue.id)?.delete(number);
    return events;
  }

  async function readEnds(): Promise<void> {
    const events = await ami.list('DBGetTree', { Family: TALKS }).catch((error: unknown) => {
      // A remote engine may not allow it.
      if (!(error instanceof AmiRefused)) throw error;
      return [];
    });
    for (const { Key = '', Val = '' } of events) {
      const [at = '', key = ''] = Val.split('-');
      ended.set(Key.slice(Key.lastIndexOf('/') + 1), { at: Number(at) || 0, queueId: keys.get(key) });
    }
  }

  /** In every section of the queue, old ones too (contract 27.17). */
  async function pause(events: readonly AmiMessage[]): Promise<void> {
    let ordered = 0;
    const wanted = new Map(
      queues.flatMap(({ id, members }) =>
        members.map((member) => [`${id} ${member.number}`, member] as const),
      ),
    );
    for (const { Queue = '', Name = '', Paused } of events) {
      const member = wanted.get(`${queueOfSection(Queue, keys)} ${Name}`);
      if (!member || isOut(member) === (Paused === '1')) continue;
      await order(Queue, member);
      ordered++;
    }
    if (ordered > 0) await read();
  }

  async function order(queue: string, { number, state }: DesiredMember): Promise<void> {
    const paused = state === 'in' ? '0' : '1';
    const Interface = memberInterface(number, employees.has(number));
    try {
      await ami.action('QueuePause', { Queue: queue, Interface, Paused: paused, Reason: state });
    } catch (error) {
      // The member has just gone.
      if (!(error instanceof AmiRefused)) throw error;
      onError(error);
    }
  }

  return {
    /** Call it once the engine serves this state. */
    async follow({ callFlow, extensions }: DesiredState): Promise<void> {
      const had = queues.length > 0;
      queues = callFlow?.queues ?? [];
      employees = new Set(extensions.map(({ number }) => number));
      keys = queueKeys(queues.map(({ id }) => id));
      current = new Set(queues.map(queueSection));
      for (const id of known.keys()) if (!queues.some((queue) => queue.id === id)) known.delete(id);
      if (!had && queues.length === 0) return;
      await pause(await read());
    },
    statuses: (): QueueStatus[] =>
      queues.map(({ id }) => ({ queueId: id, members: [...(known.get(id)?.values() ?? [])].map(shown) })),
    close(): void {
      stopListening();
      for (const timer of wrapUps.values()) clearTimeout(timer);
    },
  };
}

const isOut = ({ state }: DesiredMember): boolean => state !== 'in';

const shown = ({ number, device, isPaused, lastCallAt }: Known): QueueMemberStatus => ({
  number,
  device,
  isPaused,
  lastCallAt,
});
