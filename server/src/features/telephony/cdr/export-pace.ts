import type { CdrLimits } from './limits.ts';

interface PaceParts extends Pick<CdrLimits, 'paceMs' | 'slowBytesPerSecond' | 'leastBytesPerSecond'> {
  /** Whether somebody waits for the place of this export. */
  readonly isWanted: () => boolean;
  readonly onTooSlow: () => void;
}

const STEPS = 6;

/** Measures how fast a client takes an export. The time that the database needs does not count against it. */
export function createExportPace({
  paceMs,
  slowBytesPerSecond,
  leastBytesPerSecond,
  isWanted,
  onTooSlow,
}: PaceParts) {
  let offered = 0;
  let taken = 0;
  let waitedMs = 0;
  let waitingSince: number | undefined;
  let poorSteps = 0;

  function step(): void {
    countWaiting();
    const perSecond = (taken * 1000) / paceMs;
    const isTheClient = waitedMs > paceMs / 2;
    poorSteps = isTheClient && perSecond < leastBytesPerSecond ? poorSteps + 1 : 0;
    if (poorSteps >= STEPS || (isTheClient && perSecond < slowBytesPerSecond && isWanted())) onTooSlow();
    taken = 0;
    waitedMs = 0;
  }

  function countWaiting(): void {
    if (waitingSince === undefined) return;
    const now = performance.now();
    waitedMs += now - waitingSince;
    waitingSince = now;
  }

  const steps = setInterval(step, paceMs);
  steps.unref();
  return {
    /** From now on the client is to take this many bytes. */
    offer(bytes: number): void {
      offered = bytes;
      waitingSince = performance.now();
    },
    /** The client has taken them. */
    took(): void {
      countWaiting();
      waitingSince = undefined;
      taken += offered;
    },
    close: () => clearInterval(steps),
  };
}
