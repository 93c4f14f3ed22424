import { compareDecisions, type Decision } from './decision.ts';

/** The encoded decisions, one after the other, and where each begins. */
export interface OrderedBytes {
  readonly decisions: readonly Decision[];
  readonly bytes: Buffer;
  /** Entry i lies in [starts[i], starts[i + 1]). */
  readonly starts: Uint32Array;
  /** Index of each entry in the layout it was copied from, -1 for a newly encoded one. */
  readonly origins: Int32Array;
}

/**
 * Lays decisions out as bytes. Entries of `previous` are copied in long runs and only new ones are encoded, so one more
 * ban among 100 000 costs a copy, not a serialisation. Copied decisions are not even read: fetching 100 000 objects
 * from memory takes longer than all of the copying.
 */
export function layOut(
  decisions: readonly Decision[],
  encode: (decision: Decision) => Buffer,
  previous: OrderedBytes | undefined,
  allocate: (size: number) => Buffer,
): OrderedBytes {
  const origins = findOrigins(decisions, previous?.decisions ?? []);
  const starts = new Uint32Array(decisions.length + 1);
  const encoded: Buffer[] = [];
  const before = previous?.starts ?? new Uint32Array(0);
  let size = 0;
  for (let i = 0; i < decisions.length; i++) {
    const origin = origins[i] as number;
    starts[i] = size;
    if (origin >= 0) size += (before[origin + 1] as number) - (before[origin] as number);
    else size += encoded[encoded.push(encode(decisions[i] as Decision)) - 1]?.length ?? 0;
  }
  starts[decisions.length] = size;

  const bytes = allocate(size).subarray(0, size);
  let next = 0;
  for (let i = 0; i < decisions.length; ) {
    const first = i;
    const origin = origins[first] as number;
    if (origin < 0) {
      encoded[next++]?.copy(bytes, starts[i++]);
      continue;
    }
    while (i < decisions.length && origins[i] === origin + i - first) i++;
    previous?.bytes.copy(bytes, starts[first], before[origin], before[origin + i - first]);
  }
  return { decisions, bytes, starts, origins };
}

/** Both lists are in order, so one walk along both finds every decision again. */
function findOrigins(decisions: readonly Decision[], old: readonly Decision[]): Int32Array {
  const origins = new Int32Array(decisions.length).fill(-1);
  let at = 0;
  for (let i = 0; i < decisions.length && at < old.length; ) {
    if (Object.is(decisions[i], old[at])) origins[i++] = at++;
    // The old decision is gone or was renewed.
    else if (compareDecisions(old[at] as Decision, decisions[i] as Decision) <= 0) at++;
    else i++;
  }
  return origins;
}
