import { setImmediate as otherWork } from 'node:timers/promises';

/** How long one slice may hold up everybody else. */
const SLICE_MS = 8;

/** Work that can stop for a while at every `yield`; it returns what it makes. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Others come in between, however long it takes. */
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
