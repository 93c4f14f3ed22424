import { isoWithOffset } from '../lib/local-time.ts';
import type { Dialect } from './dialect.ts';

/** Messages that a handler adds to its data. */
export interface Notes {
  readonly info: string[];
  readonly warning: string[];
}

interface Around {
  readonly function: string;
  readonly status: number;
  readonly now: number;
  readonly timezone: string;
  readonly dialect: Dialect;
  /** Additional keys of `meta`. */
  readonly meta?: object | undefined;
  readonly pagination?: object | undefined;
}

/** Contract 1.2. */
export function successEnvelope(data: unknown, { info, warning }: Notes, around: Around): object {
  return {
    result: true,
    ...(around.dialect.hasSuccess && { success: true }),
    data: data ?? {},
    messages: { error: [], info, warning },
    ...(around.status !== 200 && { httpCode: around.status }),
    function: around.function,
    ...(around.pagination && { pagination: around.pagination }),
    meta: { timestamp: isoWithOffset(around.now, around.timezone), ...around.meta },
  };
}

/** The same with `data` as ready JSON text, which is not parsed again. */
export const successText = (json: string, notes: Notes, around: Around): string =>
  `{"data":${json},${afterData(notes, around)}`;

/** The same with a list in pieces; `around` is called after the last piece. */
export async function* successPieces(pieces: AsyncIterable<string>, notes: Notes, around: () => Around) {
  yield '{"data":[';
  yield* pieces;
  yield `],${afterData(notes, around())}`;
}

function afterData(notes: Notes, around: Around): string {
  const { data: _, ...rest } = successEnvelope({}, notes, around) as { data: unknown };
  return JSON.stringify(rest).slice(1);
}

/** Contract 1.3: one shape for every status from 400 up. */
export function errorEnvelope(errors: readonly string[], around: Around): object {
  return {
    result: false,
    ...(around.dialect.hasSuccess && { success: false }),
    data: {},
    messages: { error: errors, info: [], warning: [] },
    httpCode: around.status,
    function: around.function,
    meta: { timestamp: isoWithOffset(around.now, around.timezone) },
    ...(around.dialect.hasMessage && { message: errors[0] }),
  };
}
