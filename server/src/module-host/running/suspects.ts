import type { Clock } from '../../lib/clock.ts';
import type { WorkerListener } from '../process/worker-listener.ts';
import { createSuspectFile } from './suspect-file.ts';

/** What a module can be at, what says most about it first. */
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
  /** Nothing is read or written without it. */
  readonly file: string | undefined;
  readonly clock: Clock;
  /** Ends of the exchange count for so long. */
  readonly windowMs: number;
  readonly onError: (error: unknown) => void;
}

/** At least for so long after its last work a module stands in the file: who is busy is not written down each time. */
const LINGER_MS = 1_000;

interface Work {
  readonly id: string;
  readonly doing: Doing;
  count: number;
  /** Was done since the file was looked through. */
  isFresh: boolean;
}

/**
 * Which modules are at work, in a file that outlives the service: whoever stands there at the next start may have been
 * the reason why the exchange ended. When none was at work, all that had a process are suspects; nobody counts that
 * against them, since it says nothing of what they did.
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
  /** What each was at. */
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
  // Those who are named now stay so until they were tried: this start may be the next to end.
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

  /** Only what begins is written at once. */
  function noteLater(): void {
    if (isOver) return; // what ends now was under way when the service ended
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
    /** With what they were at when the exchange ended. */
    all: (): ReadonlyMap<string, string> => suspects,
    /** When the exchange ended while it was at work. */
    endsOf: (id: string): readonly number[] => ends.get(id) ?? [],
    /** It was tried and stayed well, or nobody wants it any more. */
    acquit(id: string): void {
      if (suspects.delete(id)) note();
    },

    /** It is at work until what is returned is called. */
    begin,
    /** What has no end that we would know. */
    touch,
    /** Each question is work until it is answered, a line of the log for a moment. */
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
    /** It has a process, for which `starting` is called. */
    starting(id: string): () => void {
      running.add(id);
      return begin(id, 'starting');
    },
    gone(id: string): void {
      if (!running.delete(id)) return;
      isStale = true;
      noteLater();
    },

    /** The exchange is about to end, and nobody asked it to: what is written by now is what counts. */
    freeze: end,
    /** An end of the service that was meant. Who was not tried yet stays a suspect. */
    close(): void {
      if (isOver) return;
      end();
      if (suspects.size > 0) file.write({ atWork: new Map(), running: new Set(), suspects, ends });
      else file.remove();
    },
  };
}

export type Suspects = ReturnType<typeof createSuspects>;
