import type { Refusal } from './description.ts';

/** An error with a status, for handlers to throw; every other error that leaves one is a 500. */
function refusal<Status extends number>(status: Status, reasons: readonly string[]) {
  return Object.assign(new Error(reasons.join('; ')), {
    name: 'Refusal',
    $pbxcore: 'refusal' as const,
    status,
    reasons,
  });
}

/** Only the exchange itself refuses with these; a handler cannot. */
export const withStatus = (status: 413 | 415, reason: string) => refusal(status, [reason]);

/** 400: the request makes no sense, whatever is stored. */
export const badRequest = (reason: string): Refusal => refusal(400, [reason]);
/** 403 */
export const forbidden = (reason: string): Refusal => refusal(403, [reason]);
/** 404; the text should contain "not found". */
export const notFound = (reason = 'not found'): Refusal => refusal(404, [reason]);
/** 409: the value is taken, or the record is in use. */
export const conflict = (reason: string): Refusal => refusal(409, [reason]);
/** 422: a rule of your module is broken. Write each reason as `field: what is wrong`. */
export const invalid = (...reasons: [string, ...string[]]): Refusal => refusal(422, reasons);
/** 429 */
export const tooMany = (reason: string): Refusal => refusal(429, [reason]);
/** 503: something you need is temporarily unavailable. */
export const unavailable = (reason: string): Refusal => refusal(503, [reason]);

/** Recognized by its mark: the error may come from another copy of this package. */
export const isRefusal = (error: unknown): error is Refusal =>
  typeof error === 'object' && error !== null && '$pbxcore' in error && error.$pbxcore === 'refusal';
