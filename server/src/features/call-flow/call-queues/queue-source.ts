import type { ActiveLeg } from '../../../engine/engine.ts';
import type { StatusSource } from '../../../store/events/status-teller.ts';
import type { queueBoard } from './queue-board.ts';

type BoardRecord = ReturnType<typeof queueBoard>[number];

interface SourceParts {
  /** Whether this node publishes queues. */
  readonly isOurs: () => Promise<boolean>;
  readonly legs: () => Iterable<ActiveLeg>;
  /** Values that differ whenever queues or members may have changed. */
  readonly version: () => readonly unknown[];
  readonly board: () => Promise<readonly BoardRecord[]>;
}

/** Queues as published, without figures that only change with time or come from call records. */
export function queueSource({ isOurs, legs, version, board }: SourceParts): StatusSource {
  let last:
    | { readonly marks: readonly unknown[]; readonly made: Awaited<ReturnType<StatusSource['read']>> }
    | undefined;

  /** Calls without a queue change nothing here. */
  const callsOfQueues = () =>
    [...legs()]
      .filter(({ application, queue }) => application === 'queue' || queue !== undefined)
      .map(({ id, answeredAt }) => `${id} ${answeredAt}`)
      .sort()
      .join();

  return {
    topic: 'queues',
    event: 'queue',
    async read() {
      if (!(await isOurs())) return undefined;
      const marks = [callsOfQueues(), ...version()];
      if (last && marks.every((mark, at) => mark === last?.marks[at])) return last.made;
      const made = new Map((await board()).map((record) => [record.id, { record: shown(record) }]));
      last = { marks, made };
      return made;
    },
    gone: (id) => ({ id, deleted: true }),
  };
}

const shown = ({ id, name, extension, waiting, talking, free, members, callers }: BoardRecord) => ({
  id,
  name,
  extension,
  waiting,
  talking,
  free,
  members: members.map(({ extension: number, represent, state, reason, device }) => ({
    extension: number,
    represent,
    state,
    reason,
    device,
  })),
  callers: callers.map(({ linkedid, src_num, src_name, position }) => ({
    linkedid,
    src_num,
    src_name,
    position,
  })),
});
