import type { Clock } from '../../lib/clock.ts';
import type { WorkerListener } from '../process/worker-listener.ts';
import { createSuspectFile } from './suspect-file.ts';

/** What a module can be doing; the most telling one first. */
const DOINGS = [
  'at a call',
  'starting',
  'talking to the exchange',
  'hearing of an event',
  'under watch',
] as const;
export type Doing = (typeof DOINGS)[number];

type Talk = Pick<WorkerListener, 'ask' | 'log'>;

interface SuspectsParts {
  /** Without it, nothing is read or written. */
  readonly file: string | undefined;
  readonly clock: Clock;
  /** How long an exit of the exchange counts. */
  readonly windowMs: number;
  readonly onError: (error: unknown) => void;
}

/** A module stays in the file at least this long after its last work, so that a busy one is not written each time. */
const LINGER_MS = 1_000;

interface Work {
  readonly id: string;
  readonly doing: Doing;
  count: number;
  /** Done since the file was last cleaned up. */
  isFresh: boolean;
}

/**
 * Which modules are at work, in a file that outlives the service: those listed at the next start may have caused the
 * exchange to end. If none was at work, all that had a process are suspects; it does not count as a crash, since it
 * says nothing of what they did.
 */
export function createSuspects({ file: path, clock, windowMs, onError }: SuspectsParts) {
  const file = createSuspectFile(path, onError);
  const left = file.read();
  const since = clock.now() - windowMs;
  const ends = new Map<string, readonly number[]>();
  for (const [id, times] of left.ends) {
    const recent = times.filter((time) => time >= since);
    if (recent.length > 0) ends.set(id, recent);
  }
  /** What each was doing. */
  const suspects = new Map(left.suspects);
  for (const [id, doing] of left.atWork) {
    suspects.set(id, doing);
    ends.set(id, [...(ends.get(id) ?? []), clock.now()]);
  }
  if (left.atWork.size === 0)
    for (const id of left.running) if (!suspects.has(id)) suspects.set(id, 'running');

  const works = new Map<string, Work>();
  const running = new Set<string>();
  let isStale = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  // Suspects stay in the file until they were tried: this run may be the next to end.
  if (suspects.size > 0) note();

  function note(): void {
    if (isOver) return;
    isStale = false;
    const atWork = new Map<string, Doing>();
    for (const doing of DOINGS)
      for (const work of works.values())
        if (work.doing === doing && !atWork.has(work.id)) atWork.set(work.id, doing);
    file.write({ atWork, running, suspects, ends });
  }

  /** Only beginnings are written at once. */
  function noteLater(): void {
    if (isOver) return; // work that ends now was under way when the service ended
    timer ??= setTimeout(() => {
      timer = undefined;
      let isLingering = false;
      for (const [key, work] of works) {
        if (work.count > 0) continue;
        if (!work.isFresh) isStale = works.delete(key);
        else isLingering = true;
        work.isFresh = false;
      }
      if (isStale) note();
      if (isLingering) noteLater();
    }, LINGER_MS).unref();
  }

  function begin(id: string, doing: Doing): () => void {
    const key = `${id} ${doing}`;
    const known = works.get(key);
    const work: Work = known ?? { id, doing, count: 0, isFresh: true };
    work.count++;
    if (!known) {
      works.set(key, work);
      note();
    }
    return () => {
      work.count--;
      work.isFresh = true;
      noteLater();
    };
  }

  const touch = (id: string, doing: Doing): void => begin(id, doing)();

  function end(): void {
    isOver = true;
    clearTimeout(timer);
  }

  return {
    /** With what they were doing when the exchange ended. */
    all: (): ReadonlyMap<string, string> => suspects,
    /** When the exchange ended while it was at work. */
    endsOf: (id: string): readonly number[] => ends.get(id) ?? [],
    /** It was tried without incident, or shall no longer run. */
    acquit(id: string): void {
      if (suspects.delete(id)) note();
    },

    /** Marks it as at work until the returned function is called. */
    begin,
    /** For work without a known end. */
    touch,
    /** A question counts as work until it is answered, a log line for a moment. */
    hearing: (id: string, { ask, log }: Talk): Talk => ({
      ask(...question) {
        const ends = begin(id, 'talking to the exchange');
        return ask(...question).finally(ends);
      },
      log(...line) {
        touch(id, 'talking to the exchange');
        log(...line);
      },
    }),
    /** Called when it gets a process. */
    starting(id: string): () => void {
      running.add(id);
      return begin(id, 'starting');
    },
    gone(id: string): void {
      if (!running.delete(id)) return;
      isStale = true;
      noteLater();
    },

    /** The exchange is about to end unrequested: the file stays as it is now. */
    freeze: end,
    /** A requested end of the service. Suspects that were not tried stay suspects. */
    close(): void {
      if (isOver) return;
      end();
      if (suspects.size > 0) file.write({ atWork: new Map(), running: new Set(), suspects, ends });
      else file.remove();
    },
  };
}

export type Suspects = ReturnType<typeof createSuspects>;
