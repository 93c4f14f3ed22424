import { type Decision, decisionId, ENDLESS, remainingSeconds } from './decision.ts';
import type { OrderedBytes } from './ordered-bytes.ts';

/** The places of fixed width in which the durations of a layout stand, right-aligned. */
export interface DurationSlots {
  readonly expiries: Float64Array;
  /** How many bytes follow the duration of each entry. */
  readonly closings: Uint8Array;
  /** The seconds that stand in the bytes now. */
  readonly written: Int32Array;
}

/** `"999999999s"` with its quotes. Shorter ones have blanks before them, which JSON allows. */
const SLOT_WIDTH = 12;
const closing = (scenario: string): string => `,"scenario":"${scenario}"},`;
const [QUOTE, SECONDS, BLANK, ZERO] = [0x22, 0x73, 0x20, 0x30];

/** The JSON of a decision and a comma, with the slot for its duration still blank unless the ban has no end. */
export function encodeWithSlot(decision: Decision): Buffer {
  const { value, scenario, expiresAt } = decision;
  const origin = scenario === 'pbx/manual' ? 'pbx-networkfilters' : 'pbx-fail2ban';
  const scope = value.includes('/') ? 'Range' : 'Ip';
  const slot = (expiresAt === Infinity ? `"${ENDLESS}"` : '').padStart(SLOT_WIDTH);
  return Buffer.from(
    `{"id":${decisionId(value, scenario)},"origin":"${origin}","type":"ban","scope":"${scope}",` +
      `"value":"${value}","duration":${slot}${closing(scenario)}`,
    'latin1',
  );
}

/** Where the durations of a layout stand; what was copied from the previous one is taken over with its digits. */
export function findSlots(
  { decisions, origins }: OrderedBytes,
  previous: DurationSlots | undefined,
): DurationSlots {
  const expiries = new Float64Array(decisions.length);
  const closings = new Uint8Array(decisions.length);
  const written = new Int32Array(decisions.length);
  for (let i = 0; i < decisions.length; i++) {
    const origin = origins[i] as number;
    if (previous && origin >= 0) {
      expiries[i] = previous.expiries[origin] as number;
      closings[i] = previous.closings[origin] as number;
      written[i] = previous.written[origin] as number;
    } else {
      const { expiresAt, scenario } = decisions[i] as Decision;
      expiries[i] = expiresAt;
      closings[i] = closing(scenario).length;
    }
  }
  return { expiries, closings, written };
}

/** This loop runs for every ban in each second that somebody polls in. */
export function writeDurations({ bytes, starts }: OrderedBytes, slots: DurationSlots, at: number): void {
  const { closings, expiries, written } = slots;
  for (let i = 0; i < expiries.length; i++) {
    const expiresAt = expiries[i] as number;
    if (expiresAt === Infinity) continue;
    // `| 0`: dividing integers is many times faster.
    let seconds = remainingSeconds(expiresAt, at) | 0;
    const passed = (written[i] as number) - seconds;
    if (passed === 0) continue;
    written[i] = seconds;
    let position = (starts[i + 1] as number) - (closings[i] as number);
    const lastDigit = (bytes[position - 3] as number) - passed;
    if (passed > 0 && lastDigit >= ZERO) {
      bytes[position - 3] = lastDigit;
      continue;
    }
    const first = position - SLOT_WIDTH;
    bytes[--position] = QUOTE;
    bytes[--position] = SECONDS;
    do {
      const rest = (seconds / 10) | 0;
      bytes[--position] = ZERO + seconds - rest * 10;
      seconds = rest;
    } while (seconds > 0);
    bytes[--position] = QUOTE;
    while (position > first && bytes[position - 1] !== BLANK) bytes[--position] = BLANK;
  }
}
