import { setTimeout as pause } from 'node:timers/promises';
import { TooManyRequests } from '../../lib/errors.ts';

/** What the questions of one module may take of the exchange. */
export interface QuestionLimits {
  /** Under way at the same time. */
  readonly atOnce: number;
  /** Waiting, and the size of what they carry: more are refused. */
  readonly waiting: number;
  readonly waitingBytes: number;
  /** So many in a second, in the long run; one that carries or gives many records counts for more. */
  readonly perSecond: number;
  /** So many at once after a pause. */
  readonly burst: number;
}

export const QUESTION_LIMITS: QuestionLimits = {
  atOnce: 8,
  waiting: 400,
  waitingBytes: 16 * 1024 * 1024,
  perSecond: 4_000,
  burst: 8_000,
};

/** What a question takes besides being asked. */
interface Cost {
  readonly questions?: number;
  readonly records?: number;
  readonly bytes?: number;
}

/** Records that cost as much as a question. */
const RECORDS_EACH = 20;
const BYTES_EACH = 16 * 1024;
/** Of JSON that is read in one go, which nobody else can interrupt: at the worst a quarter of the time goes there. */
const JSON_BYTES_EACH = 4 * 1024;
const JSON_VALUES_EACH = 100;
/** In one turn of the event loop no more is begun once so much was taken. */
const PER_TURN = 16;

/**
 * Lets the questions of a module through, so many at a time and so fast. What is too fast waits; nothing is refused before
 * far too much waits. The cost of an answer is known afterwards: it delays what comes next.
 */
export function createQuestionBudget({ atOnce, waiting, waitingBytes, perSecond, burst }: QuestionLimits) {
  const line: { begin: () => void; bytes: number }[] = [];
  let running = 0;
  let held = 0;
  let tokens = burst;
  let countedAt = performance.now();
  let restUntil = 0;
  let takenThisTurn = 0;
  let isPaused = false;
  let isBeginning = false;
  let isDue = false;

  function refill(): void {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - countedAt) / 1000) * perSecond);
    countedAt = now;
  }

  const msFor = (price: number): number => (price / perSecond) * 1000;

  function take(price: number): void {
    tokens -= price;
    takenThisTurn += price;
    soon();
  }

  /** Not paid with what was saved: others get so much time before the next. */
  function takeAndRest(price: number): void {
    take(price);
    if (price >= PER_TURN) restUntil = Math.max(restUntil, performance.now()) + msFor(price);
  }

  function next(): void {
    if (line.length === 0 || running >= atOnce || takenThisTurn >= PER_TURN) return;
    if (isPaused || isBeginning) return;
    refill();
    const waitMs = Math.max(msFor(1 - tokens), restUntil - countedAt);
    if (waitMs > 0) {
      void recover(waitMs);
      return;
    }
    const { begin, bytes } = line.shift() as (typeof line)[number];
    held -= bytes;
    running++;
    take(1);
    takeAndRest(bytes / JSON_BYTES_EACH);
    begin();
    isBeginning = true;
    // The next one follows behind all that this one does at once, when it is known what it took.
    queueMicrotask(() =>
      process.nextTick(() => {
        isBeginning = false;
        next();
      }),
    );
  }

  /** In the next turn of the event loop: what SQLite answers at once would otherwise leave it none. */
  function soon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      takenThisTurn = 0;
      next();
    });
  }

  async function recover(ms: number): Promise<void> {
    isPaused = true;
    await pause(Math.ceil(ms), undefined, { ref: false });
    isPaused = false;
    next();
  }

  return {
    async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
      if (line.length >= waiting || held + bytes > waitingBytes)
        throw new TooManyRequests('more questions wait than the exchange takes', 1);
      await new Promise<void>((begin) => {
        line.push({ begin, bytes });
        held += bytes;
        next();
      });
      try {
        return await work();
      } finally {
        running--;
        soon();
      }
    },
    /** Paid for afterwards. */
    charge({ questions = 0, records = 0, bytes = 0 }: Cost): void {
      take(questions + records / RECORDS_EACH + bytes / BYTES_EACH);
    },
    /** For JSON that is read in one go, before it is. Of a question, its bytes are paid for already. */
    chargeJson({ bytes = 0, values }: { readonly bytes?: number; readonly values: number }): void {
      takeAndRest(bytes / JSON_BYTES_EACH + values / JSON_VALUES_EACH);
    },
  };
}
