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
  /** Sent after the parts. When it fails, the connection is cut, so that a partial answer never looks complete. */
  readonly stream?: Readable | undefined;
  /** The most that the stream reads ahead of the client; by default as much as for a list in pieces. */
  readonly aheadBytes?: number | undefined;
  /** Called once with whether the last byte went to the socket without error. */
  readonly sent?: ((complete: boolean) => void) | undefined;
  /** Receives a function that cuts the connection. An AbortSignal per answer would slow down short ones noticeably. */
  readonly onCutOff?: ((cut: () => void) => void) | undefined;
  /** Called once, when the client has shown that it read the whole answer (contract 17.16). */
  readonly read?: (() => void) | undefined;
}

/** A value for the envelope, with additional headers or keys of `meta`. */
interface Enveloped {
  readonly [TAG]: 'enveloped';
  readonly data: unknown;
  readonly headers: OutgoingHttpHeaders;
  readonly meta: object;
  /** When it differs from that of the route. */
  readonly status?: 200 | 201 | undefined;
  /** `data` as ready JSON text; sent unchanged. */
  readonly json?: string | undefined;
  /** The records of a list as JSON text, joined by commas, sent as they arrive. */
  readonly pieces?: AsyncIterable<string> | undefined;
  /** For a module's list, beside `data`; a function for a list in pieces, called after the last. */
  readonly pagination?: Pagination | (() => Pagination) | undefined;
  /** Many callers get the same `data` object: it is rendered once for all of them and never changed. */
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

/** For `data` that is JSON text already. */
export const envelopedJson = (json: string, pagination?: Pagination): Enveloped => ({
  ...enveloped(undefined, {}),
  json,
  pagination,
});

/** For a list that is sent while it is read. */
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
