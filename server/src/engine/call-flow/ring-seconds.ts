import type { DesiredExtension } from '../desired-state.ts';

/** Nothing rings longer, neither a phone of ours without a forward that ends it nor a number outside. */
export const LONGEST_RING_SECONDS = 600;

/** Without a forward, the phones ring until the caller gives up; with 0 seconds, they do not ring at all. */
export function employeeRingSeconds({
  ringSeconds,
  forward,
}: Pick<DesiredExtension, 'ringSeconds' | 'forward'>): number {
  if (forward.onNoAnswer === '') return LONGEST_RING_SECONDS;
  return Math.min(LONGEST_RING_SECONDS, Math.max(0, Math.trunc(ringSeconds) || 0));
}
