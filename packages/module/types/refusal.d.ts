import type { Refusal } from './description.ts';
/** Only the exchange itself refuses with these; a handler cannot. */
export declare const withStatus: (status: 413 | 415, reason: string) => Error & {
    name: string;
    $pbxcore: 'refusal';
    status: 413 | 415;
    reasons: readonly string[];
};
/** 400: the request makes no sense, whatever is stored. */
export declare const badRequest: (reason: string) => Refusal;
/** 403 */
export declare const forbidden: (reason: string) => Refusal;
/** 404; the text should contain "not found". */
export declare const notFound: (reason?: string) => Refusal;
/** 409: the value is taken, or the record is in use. */
export declare const conflict: (reason: string) => Refusal;
/** 422: a rule of your module is broken. Write each reason as `field: what is wrong`. */
export declare const invalid: (...reasons: [string, ...string[]]) => Refusal;
/** 429 */
export declare const tooMany: (reason: string) => Refusal;
/** 503: something you need is temporarily unavailable. */
export declare const unavailable: (reason: string) => Refusal;
/** Recognized by its mark: the error may come from another copy of this package. */
export declare const isRefusal: (error: unknown) => error is Refusal;
