import { isoWithOffset } from '../lib/local-time.ts';

export interface Messages {
  readonly error: string[];
  readonly info: string[];
  readonly warning: string[];
}

interface Surroundings {
  readonly function: string;
  readonly status: number;
  readonly now: number;
  readonly timezone: string;
  /** More keys of `meta`. */
  readonly meta?: object;
  /** Module endpoints say `success` too (contract 1.2). */
  readonly module?: boolean;
  readonly pagination?: object | undefined;
}

/** Contract 1.2. */
export function successEnvelope(
  data: unknown,
  messages: Omit<Messages, 'error'>,
  around: Surroundings,
): object {
  return {
    result: true,
    ...(around.module && { success: true }),
    data: data ?? {},
    messages: { error: [], info: messages.info, warning: messages.warning },
    ...(around.status !== 200 && { httpCode: around.status }),
    function: around.function,
    ...(around.pagination && { pagination: around.pagination }),
    meta: { timestamp: isoWithOffset(around.now, around.timezone), ...around.meta },
  };
}

/** The same with `data` as ready JSON text, which is not read again. */
export function successText(json: string, messages: Omit<Messages, 'error'>, around: Surroundings): string {
  const { data: _, ...rest } = successEnvelope({}, messages, around) as { data: unknown };
  return `{"data":${json},${JSON.stringify(rest).slice(1)}`;
}

/** Contract 1.3: one shape for every status from 400 up. Below the bouncer `message` repeats the first error. */
export function errorEnvelope(errors: readonly string[], around: Surroundings, bouncer: boolean): object {
  return {
    result: false,
    ...(around.module && { success: false }),
    data: {},
    messages: { error: errors, info: [], warning: [] },
    httpCode: around.status,
    function: around.function,
    meta: { timestamp: isoWithOffset(around.now, around.timezone) },
    ...(bouncer && { message: errors[0] }),
  };
}
