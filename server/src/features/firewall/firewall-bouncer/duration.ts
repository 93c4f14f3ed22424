import type { DurationFormat } from '../../../lib/bouncer-options.ts';

/** The most that fits the fixed slot of a rendered duration: about thirty years. */
const MAX_SECONDS = 999_999_999;

/** Whole seconds, rounded up, never below one (contract 8.2, 14.2). */
export const remainingSeconds = (expiresAt: number, at: number): number =>
  Math.min(MAX_SECONDS, Math.max(1, Math.ceil((expiresAt - at) / 1000)));

/** The longest timeout that ipset accepts without a warning per entry and poll; every poll renews it. */
const ENDLESS_HOURS = 596;

/** Writes durations in one format (contract 17.20), as text and into the fixed slot of a rendering. */
export interface DurationWriter {
  /** For a ban without end. */
  readonly endless: string;
  /** Width of the longest text, including the quotes. */
  readonly width: number;
  /** Distance from the end of the slot back to the last digit of the whole seconds. */
  readonly lastDigitFromEnd: number;
  text(seconds: number): string;
  /** Writes text and quotes so that they end at `end`, and blanks over the rest of the old text before them. */
  write(bytes: Buffer, end: number, seconds: number): void;
}

const WIDTH_IN_SECONDS = `"${MAX_SECONDS}s"`.length;
const [QUOTE, SECONDS, BLANK, ZERO] = [0x22, 0x73, 0x20, 0x30];

const inSeconds: DurationWriter = {
  endless: `${ENDLESS_HOURS}h`,
  width: WIDTH_IN_SECONDS,
  lastDigitFromEnd: '0s"'.length,
  text: (seconds) => `${seconds}s`,
  // Digit by digit for speed: every ban of the shared list comes here every ten seconds.
  write(bytes, end, seconds) {
    let position = end;
    let rest = seconds;
    bytes[--position] = QUOTE;
    bytes[--position] = SECONDS;
    do {
      const higher = (rest / 10) | 0;
      bytes[--position] = ZERO + rest - higher * 10;
      rest = higher;
    } while (rest > 0);
    bytes[--position] = QUOTE;
    const first = end - WIDTH_IN_SECONDS;
    while (position > first && bytes[position - 1] !== BLANK) bytes[--position] = BLANK;
  },
};

/** As Go's time.Duration prints it: `1h0m0s`, `10m0s`, `59s`. */
function asGo(fraction: string): DurationWriter {
  function text(seconds: number): string {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const rest = `${seconds % 60}${fraction}s`;
    return hours > 0 ? `${hours}h${minutes}m${rest}` : minutes > 0 ? `${minutes}m${rest}` : rest;
  }
  const width = `"${text(MAX_SECONDS)}"`.length;
  return {
    endless: text(ENDLESS_HOURS * 3600),
    width,
    lastDigitFromEnd: `0${fraction}s"`.length,
    text,
    write: (bytes, end, seconds) =>
      void bytes.write(`"${text(seconds)}"`.padStart(width), end - width, 'latin1'),
  };
}

export const DURATION_WRITERS: Readonly<Record<DurationFormat, DurationWriter>> = {
  seconds: inSeconds,
  go: asGo(''),
  // Half a second more than the rounded-up seconds: the client that needs a fraction just cuts it off.
  go_fraction: asGo('.5'),
};

export function durationText(expiresAt: number, at: number, format: DurationFormat): string {
  const { endless, text } = DURATION_WRITERS[format];
  return expiresAt === Infinity ? endless : text(remainingSeconds(expiresAt, at));
}
