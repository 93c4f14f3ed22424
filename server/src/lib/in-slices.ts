import { setImmediate as otherWork } from 'node:timers/promises';

/** How long one slice may delay everybody else. */
const SLICE_MS = 8;

/** Work that can pause at every `yield`; it returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs the steps with other work in between, however long they take. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let end = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await otherWork();
    end = performance.now() + SLICE_MS;
  }
}

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
