import { compareDecisions, type Decision } from './decision.ts';

/** The bytes of decisions, one after the other, and where each begins. */
export interface OrderedBytes {
  readonly decisions: readonly Decision[];
  readonly bytes: Buffer;
  /** Entry i lies in [starts[i], starts[i + 1]). */
  readonly starts: Uint32Array;
}

type Segment = { readonly from: number; readonly to: number } | { readonly encoded: Buffer };

/**
 * Lays decisions out as bytes. What stood in `previous` is copied in long runs; only what is new is encoded, so that one
 * more ban among 100 000 costs a copy and not a serialisation.
 */
export function layOut(
  decisions: readonly Decision[],
  encode: (decision: Decision) => Buffer,
  previous: OrderedBytes | undefined,
  allocate: (size: number) => Buffer,
): OrderedBytes {
  const { segments, size } = plan(decisions, encode, previous);
  const bytes = allocate(size);
  const starts = new Uint32Array(decisions.length + 1);
  let position = 0;
  let entry = 0;
  for (const segment of segments) {
    if ('encoded' in segment) {
      segment.encoded.copy(bytes, position);
      starts[entry++] = position;
      position += segment.encoded.length;
      continue;
    }
    const { bytes: source, starts: sourceStarts } = previous as OrderedBytes;
    const begin = sourceStarts[segment.from] as number;
    const end = sourceStarts[segment.to] as number;
    source.copy(bytes, position, begin, end);
    for (let i = segment.from; i < segment.to; i++)
      starts[entry++] = (sourceStarts[i] as number) - begin + position;
    position += end - begin;
  }
  starts[entry] = position;
  return { decisions, bytes: bytes.subarray(0, position), starts };
}

function plan(
  decisions: readonly Decision[],
  encode: (decision: Decision) => Buffer,
  previous: OrderedBytes | undefined,
): { segments: Segment[]; size: number } {
  const old = previous?.decisions ?? [];
  const segments: Segment[] = [];
  let size = 0;
  let next = 0;
  let at = 0;
  while (next < decisions.length) {
    const from = at;
    while (next < decisions.length && at < old.length && decisions[next] === old[at]) {
      next++;
      at++;
    }
    if (at > from) {
      const { starts } = previous as OrderedBytes;
      segments.push({ from, to: at });
      size += (starts[at] as number) - (starts[from] as number);
      continue;
    }
    const decision = decisions[next] as Decision;
    if (at < old.length && compareDecisions(old[at] as Decision, decision) <= 0) {
      at++; // gone, or renewed in its place
      continue;
    }
    const encoded = encode(decision);
    segments.push({ encoded });
    size += encoded.length;
    next++;
  }
  return { segments, size };
}
