import type { MemberSwitched } from '../../../engine/events.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import type { MemberState } from '../../../lib/member-state.ts';
import type { FlowService } from '../records/flow-service.ts';
import type { QueueMember, QueueValues } from './queue.schema.ts';
import { stateOf } from './queue.ts';

interface StateParts {
  readonly service: Pick<FlowService<QueueValues>, 'changeOwn'>;
  readonly all: () => readonly FlowRecord<QueueValues>[];
  /** Called once the switch is stored. */
  readonly stored: (switched: MemberSwitched) => void;
  readonly onError: (error: unknown) => void;
  readonly retryMs?: number;
}

interface NewState {
  readonly state: MemberState;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

type Queue = FlowRecord<QueueValues>;

const RETRY_MS = 2000;

/** States of members of queues (contract 27.18 to 27.20). */
export function createMemberStates({ service, all, stored, onError, retryMs = RETRY_MS }: StateParts) {
  /** Switched by phone and not stored yet; already in force in the engine. */
  let pending: readonly MemberSwitched[] = [];
  let storing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const isMember = (queue: Queue, number: string) =>
    queue.values.members.some(({ extension }) => extension === number);

  /** Changes all of these queues or none. Resolves to those that still exist. */
  const set = (
    queues: readonly Queue[],
    number: string,
    next: NewState,
    isOnlyNewer = false,
  ): Promise<Queue[]> =>
    service.changeOwn(
      queues.map(({ id }) => id),
      (values) => {
        const isMeant = (member: QueueMember) =>
          member.extension === number && !(isOnlyNewer && stateOf(member).since >= next.since);
        if (!values.members.some(isMeant)) return values;
        const members = values.members.map((member) =>
          isMeant(member) ? { extension: number, ...next } : member,
        );
        return { ...values, members };
      },
    );

  /** The engine may report a switch again if the service was killed meanwhile; a state set later wins. */
  async function store(switched: MemberSwitched): Promise<void> {
    const { number, state, queue: one, at } = switched;
    const next = { state, reason: '', since: at };
    const queues = all().filter((queue) => isMember(queue, number) && (one === '' || queue.number === one));
    if (queues.length > 0) await set(queues, number, next, true);
    pending = pending.filter((other) => other !== switched);
    stored(switched);
  }

  async function storeAll(): Promise<void> {
    for (let [next] = pending; next; [next] = pending) await store(next);
  }

  function begin(): void {
    clearTimeout(timer);
    storing ??= storeAll()
      .catch((error) => {
        onError(error);
        timer = setTimeout(begin, retryMs).unref();
      })
      .finally(() => {
        storing = undefined;
      });
  }

  return {
    set,
    queuesOf: (number: string): Queue[] => all().filter((queue) => isMember(queue, number)),
    switched(event: MemberSwitched): void {
      pending = [...pending, event];
      begin();
    },
    /** Switches that `current` adds; a new array whenever they change. */
    pending: (): readonly MemberSwitched[] => pending,
    /** Values as the engine has them, including switches not stored yet. */
    current(queue: Queue): QueueValues {
      if (pending.length === 0) return queue.values;
      const members = queue.values.members.map((member) => {
        const last = pending.findLast(
          ({ number, queue: one, at }) =>
            number === member.extension && (one === '' || one === queue.number) && at > stateOf(member).since,
        );
        return last ? { ...member, state: last.state, reason: '', since: last.at } : member;
      });
      return { ...queue.values, members };
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      await storing;
    },
  };
}
