/** How the answers of a group of routes are worded. Whoever owns the routes declares it (contract 1.2, 1.3). */
export interface Dialect {
  /** Begins the names of its errors in the OpenAPI document. */
  readonly name: string;
  /** What the document says of such an error. */
  readonly errorDescription: string;
  /** Whether a path is answered in it even when no route matches. */
  covers(path: string): boolean;
  /** Envelopes say `success` beside `result`. */
  readonly hasSuccess?: true;
  /** Errors repeat their first reason as `message`. */
  readonly hasMessage?: true;
  /** A failed validation is 422, not 400. */
  readonly refusesWith422?: true;
  /** Several slashes in a row count as one. */
  readonly foldsSlashes?: true;
  /** Routes share functions: the document tells them apart by their whole path. */
  readonly namesByPath?: true;
}

/** Spoken where no other is declared. */
export const CORE_DIALECT: Dialect = {
  name: '',
  errorDescription: 'The one shape of every answer from 400 up; the reasons are in `messages.error`.',
  covers: () => false,
};
