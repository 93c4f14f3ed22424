import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

const TAG = Symbol('answer');

/** An answer that is not an enveloped value: bare JSON, prepared parts, an empty body, a page. */
export interface Answer {
  readonly [TAG]: true;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** Sent in order, unchanged. */
  readonly parts: readonly (Buffer | string)[];
  /** Sent after the parts, piece by piece. When it fails the connection is cut, so that a short answer is never taken for a whole one. */
  readonly stream?: Readable | undefined;
  /** What the stream reads ahead of the client, at most; where nobody says so, as much as a list in pieces. */
  readonly aheadBytes?: number | undefined;
  /** Told once, whether the last byte went to the socket without error. */
  readonly sent?: ((complete: boolean) => void) | undefined;
  /** Given what cuts the connection, for later. A function: a signal for each answer is felt in short ones. */
  readonly onCutOff?: ((cut: () => void) => void) | undefined;
  /** Told once, when the client has shown that it read the whole answer (contract 17.16). */
  readonly read?: (() => void) | undefined;
}

/** A value in the envelope, with headers or more keys of `meta` besides. */
interface Enveloped {
  readonly [TAG]: 'enveloped';
  readonly data: unknown;
  readonly headers: OutgoingHttpHeaders;
  readonly meta: object;
  /** Where it is not the route's. */
  readonly status?: 200 | 201 | undefined;
  /** `data` as JSON text, made elsewhere; sent as it is. */
  readonly json?: string | undefined;
  /** The records of a list as JSON text, joined by commas, sent as they come. */
  readonly pieces?: AsyncIterable<string> | undefined;
  /** Of a module's list, beside `data`; of one in pieces known after the last. */
  readonly pagination?: Pagination | (() => Pagination) | undefined;
  /** The same object is given to many who ask: it is rendered once for all of them, and never changed. */
  readonly shared: boolean;
}

export interface Pagination {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
}

export const answer = (fields: Omit<Answer, typeof TAG>): Answer => ({ [TAG]: true, ...fields });

export const enveloped = (
  data: unknown,
  beside: { headers?: OutgoingHttpHeaders; meta?: object; status?: 200 | 201; shared?: true },
): Enveloped => ({
  [TAG]: 'enveloped',
  data,
  headers: beside.headers ?? {},
  meta: beside.meta ?? {},
  status: beside.status,
  shared: beside.shared ?? false,
});

/** `data` that is JSON text already. */
export const envelopedJson = (json: string, pagination?: Pagination): Enveloped => ({
  ...enveloped(undefined, {}),
  json,
  pagination,
});

/** A list that is sent while it is read. */
export const envelopedPieces = (pieces: AsyncIterable<string>, pagination: () => Pagination): Enveloped => ({
  ...enveloped(undefined, {}),
  pieces,
  pagination,
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
