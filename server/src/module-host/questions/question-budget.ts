import { setTimeout as pause } from 'node:timers/promises';
import { TooManyRequests } from '../../lib/errors.ts';

/** Limits for the questions of one module. */
export interface QuestionLimits {
  /** Running at the same time. */
  readonly atOnce: number;
  /** Waiting, and the size of their data: beyond that they are refused. */
  readonly waiting: number;
  readonly waitingBytes: number;
  /** On average; a question that carries or returns many records counts as several. */
  readonly perSecond: number;
  /** Allowed at once after a pause. */
  readonly burst: number;
}

export const QUESTION_LIMITS: QuestionLimits = {
  atOnce: 8,
  waiting: 400,
  waitingBytes: 16 * 1024 * 1024,
  perSecond: 4_000,
  burst: 8_000,
};

/** The cost of a question beyond asking it. */
interface Cost {
  readonly questions?: number;
  readonly records?: number;
  readonly bytes?: number;
}

/** This many records cost as much as a question. */
const RECORDS_EACH = 20;
const BYTES_EACH = 16 * 1024;
/** JSON parsed without interruption: at worst, it takes a quarter of the time. */
const JSON_BYTES_EACH = 4 * 1024;
const JSON_VALUES_EACH = 100;
/** When this much was spent in one turn of the event loop, nothing more is begun in it. */
const PER_TURN = 16;

/**
 * Limits how many questions of a module run at once and how fast. Questions that come too fast wait; only far too many
 * waiting ones are refused. The cost of an answer is known afterwards: it delays the following questions.
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

  /** Savings do not cover this: others get that much time before the next question. */
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
    // The next one begins only after the synchronous part of this one, when its cost is known.
    queueMicrotask(() =>
      process.nextTick(() => {
        isBeginning = false;
        next();
      }),
    );
  }

  /** In the next turn of the event loop, which synchronous answers of SQLite would otherwise keep from coming. */
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
        throw new TooManyRequests('too many requests are waiting for the exchange', 1);
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
    /** Charged afterwards. */
    charge({ questions = 0, records = 0, bytes = 0 }: Cost): void {
      take(questions + records / RECORDS_EACH + bytes / BYTES_EACH);
    },
    /** Charged before JSON is parsed without interruption. The bytes of a question are charged already. */
    chargeJson({ bytes = 0, values }: { readonly bytes?: number; readonly values: number }): void {
      takeAndRest(bytes / JSON_BYTES_EACH + values / JSON_VALUES_EACH);
    },
  };
}
