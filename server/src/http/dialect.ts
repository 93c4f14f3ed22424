/** The form of the answers of a group of routes, declared by their owner (contract 1.2, 1.3). */
export interface Dialect {
  /** Prefix of its error names in the OpenAPI document. */
  readonly name: string;
  /** Description of such an error in the document. */
  readonly errorDescription: string;
  /** Whether the dialect applies to a path even when no route matches. */
  covers(path: string): boolean;
  /** Envelopes say `success` beside `result`. */
  readonly hasSuccess?: true;
  /** Errors repeat their first reason as `message`. */
  readonly hasMessage?: true;
  /** A failed validation is 422, not 400. */
  readonly refusesWith422?: true;
  /** Several slashes in a row count as one. */
  readonly foldsSlashes?: true;
  /** Routes share function names, so the document names operations by their whole path. */
  readonly namesByPath?: true;
}

/** Used where no other dialect is declared. */
export const CORE_DIALECT: Dialect = {
  name: '',
  errorDescription:
    'The shape of every error answer (status 400 and above); the reasons are in `messages.error`.',
  covers: () => false,
};
