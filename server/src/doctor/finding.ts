import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { EngineReport } from './engine-report.ts';

/** The result of one check. If not ok, `remedy` says what to do. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly remedy?: string;
}

/** What every check can use. */
export interface Patient {
  readonly config: Config;
  readonly clock: Clock;
  /** Whether the service runs with this data directory. */
  readonly isRunning: boolean;
  readonly engine: () => Promise<EngineReport>;
  /** Keys in Redis that look like bans but contain no address. */
  readonly unreadableBans: () => Promise<readonly string[]>;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string, remedy: string): Finding => ({ level: 'warning', text, remedy });
export const problem = (text: string, remedy: string): Finding => ({ level: 'problem', text, remedy });

/** Clocks of machines that work together may differ by this much. */
const SKEW_MS = 5000;

/** `theirs` was read between the two moments of our own clock. */
export function clockFinding(name: string, theirs: number, before: number, after: number): Finding[] {
  const skewMs = theirs < before ? theirs - before : theirs > after ? theirs - after : 0;
  if (Math.abs(skewMs) <= SKEW_MS) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return [
    warning(
      `the clock of ${name} is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`,
      'synchronize both clocks with NTP',
    ),
  ];
}
