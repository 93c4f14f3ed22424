import type { OutgoingHttpHeaders } from 'node:http';

const TAG = Symbol('answer');

/** An answer that is not an enveloped value: bare JSON, prepared parts, an empty body, a page. */
export interface Answer {
  readonly [TAG]: true;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** Sent in order, unchanged. */
  readonly parts: readonly (Buffer | string)[];
  /** Told once, whether the last byte went to the socket without error. */
  readonly sent?: ((complete: boolean) => void) | undefined;
}

/** A value in the envelope, with headers besides. */
export interface Enveloped {
  readonly [TAG]: 'enveloped';
  readonly data: unknown;
  readonly headers: OutgoingHttpHeaders;
}

export const answer = (fields: Omit<Answer, typeof TAG>): Answer => ({ [TAG]: true, ...fields });

export const enveloped = (data: unknown, headers: OutgoingHttpHeaders): Enveloped => ({
  [TAG]: 'enveloped',
  data,
  headers,
});

export const empty = (status: number, headers: OutgoingHttpHeaders = {}): Answer =>
  answer({ status, headers, parts: [] });

export const JSON_TYPE = 'application/json; charset=utf-8';

export const bareJson = (value: unknown, headers: OutgoingHttpHeaders = {}): Answer =>
  answer({ status: 200, headers: { 'content-type': JSON_TYPE, ...headers }, parts: [JSON.stringify(value)] });

export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && TAG in value && value[TAG] === true;

export const isEnveloped = (value: unknown): value is Enveloped =>
  typeof value === 'object' && value !== null && TAG in value && value[TAG] === 'enveloped';
