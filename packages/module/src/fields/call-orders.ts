/** Acts on calls that a module asks for, checked; only these reach the engine. */

export interface CheckedOriginate {
  readonly from: string;
  readonly to: string;
  readonly ringSeconds: number;
}

export interface CheckedTransfer {
  readonly callId: string;
  readonly to: string;
  /** Empty: any employee in the call. */
  readonly by: string;
}

export interface Checked<T> {
  /** Usable only if there are no problems. */
  readonly order: T;
  readonly problems: readonly string[];
}

const EXTENSION = /^\d{1,20}$/;
const DIALLED = /^\+?[\d*#]{1,40}$/;
const CALL_ID = /^[\w.-]{1,150}$/;
const RING_SECONDS = { min: 5, max: 120, usual: 30 } as const;

const NO_EXTENSION = 'must be an extension of 1..20 digits';
const NO_NUMBER = 'must be 1..40 digits, * and #, + allowed before them';
const NO_CALL = 'callId: must be the id of a call';

export function readOriginate(given: unknown): Checked<CheckedOriginate> {
  const { from, to, ringSeconds = RING_SECONDS.usual } = objectOf(given);
  const { min, max } = RING_SECONDS;
  const isTime = Number.isInteger(ringSeconds) && Number(ringSeconds) >= min && Number(ringSeconds) <= max;
  return {
    order: { from: textOf(from), to: textOf(to), ringSeconds: Number(ringSeconds) },
    problems: [
      ...(EXTENSION.test(textOf(from)) ? [] : [`from: ${NO_EXTENSION}`]),
      ...(DIALLED.test(textOf(to)) ? [] : [`to: ${NO_NUMBER}`]),
      ...(from === to && EXTENSION.test(textOf(from)) ? ['to: must be another number than from'] : []),
      ...(isTime ? [] : [`ringSeconds: must be an integer of ${min}..${max}`]),
    ],
  };
}

export function readTransfer(callId: unknown, to: unknown, options: unknown): Checked<CheckedTransfer> {
  const { by = '' } = objectOf(options);
  return {
    order: { callId: textOf(callId), to: textOf(to), by: textOf(by) },
    problems: [
      ...readCallId(callId).problems,
      ...(DIALLED.test(textOf(to)) ? [] : [`to: ${NO_NUMBER}`]),
      ...(by === '' || EXTENSION.test(textOf(by)) ? [] : [`by: ${NO_EXTENSION}`]),
    ],
  };
}

export const readCallId = (callId: unknown): Checked<string> => ({
  order: textOf(callId),
  problems: CALL_ID.test(textOf(callId)) ? [] : [NO_CALL],
});

const objectOf = (given: unknown): Record<string, unknown> =>
  typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};

/** Nothing but a string is accepted: `[201]` would otherwise become a number. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
