import { type Decision, decisionId, originOf } from './decision.ts';
import { type DurationWriter, remainingSeconds } from './duration.ts';
import type { OrderedBytes } from './ordered-bytes.ts';

/** The fixed-width slots of a layout that hold the durations, right-aligned. */
export interface DurationSlots {
  readonly expiries: Float64Array;
  /** How many bytes follow the duration of each entry. */
  readonly closings: Uint8Array;
  /** The seconds that the bytes show now. */
  readonly written: Int32Array;
}

const closing = (scenario: string): string => `,"scenario":"${scenario}"},`;
const ZERO = 0x30;

/** The JSON of a decision and a comma, with the slot for its duration still blank unless the ban has no end. */
export function encodeWithSlot(decision: Decision, { endless, width }: DurationWriter): Buffer {
  const { value, scenario, expiresAt } = decision;
  const origin = originOf(scenario);
  const scope = value.includes('/') ? 'Range' : 'Ip';
  // JSON allows the blanks before a shorter text.
  const slot = (expiresAt === Infinity ? `"${endless}"` : '').padStart(width);
  return Buffer.from(
    `{"id":${decisionId(value, scenario)},"origin":"${origin}","type":"ban","scope":"${scope}",` +
      `"value":"${value}","duration":${slot}${closing(scenario)}`,
    'latin1',
  );
}

/** The duration slots of a layout; entries copied from the previous layout keep their digits. */
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

/** Hot loop: runs over every ban in each second that has a poll. */
export function writeDurations(
  { bytes, starts }: OrderedBytes,
  { closings, expiries, written }: DurationSlots,
  at: number,
  writer: DurationWriter,
): void {
  const { lastDigitFromEnd } = writer;
  for (let i = 0; i < expiries.length; i++) {
    const expiresAt = expiries[i] as number;
    if (expiresAt === Infinity) continue;
    // `| 0`: dividing integers is many times faster.
    const seconds = remainingSeconds(expiresAt, at) | 0;
    const passed = (written[i] as number) - seconds;
    if (passed === 0) continue;
    written[i] = seconds;
    const end = (starts[i + 1] as number) - (closings[i] as number);
    const lastDigit = (bytes[end - lastDigitFromEnd] as number) - passed;
    if (passed > 0 && lastDigit >= ZERO) bytes[end - lastDigitFromEnd] = lastDigit;
    else writer.write(bytes, end, seconds);
  }
}
