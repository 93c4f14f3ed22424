/**
 * Named errors. A service throws one of these; only `http/failure.ts` decides the status and the surrounding words.
 * Reasons are shown to the caller, so they never contain SQL, paths or host names.
 */
export abstract class Failure extends Error {
  readonly reasons: readonly string[];
  constructor(reasons: string | readonly string[], options?: ErrorOptions) {
    const list = typeof reasons === 'string' ? [reasons] : reasons;
    super(list.join('; '), options);
    this.name = new.target.name;
    this.reasons = list;
  }
}

/** A field or query parameter is wrong or missing; each reason reads `<field>: <reason>`. */
export class InvalidFields extends Failure {
  /** Names of the wrong fields, where known. */
  readonly fields: readonly string[];
  constructor(reasons: string | readonly string[], fields: readonly string[] = []) {
    super(reasons);
    this.fields = fields;
  }
}

/** The body cannot be read as its declared type. */
export class MalformedBody extends Failure {}

export class BodyTooLarge extends Failure {}

export class BodyTypeRefused extends Failure {}

/** No usable credential: absent, unknown, expired or revoked. */
export class Unauthorized extends Failure {}

/** A valid credential that may not do this. */
export class Forbidden extends Failure {}

export class NotFound extends Failure {}

/** A unique value is taken, a record is in use, or an allow-listed address would be banned. */
export class Conflict extends Failure {}

/** Each field is valid, but together they are not. */
export class RuleBroken extends Failure {}

export class TooManyRequests extends Failure {
  readonly retryAfterSeconds: number;
  constructor(reason: string, retryAfterSeconds: number) {
    super(reason);
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}

/** The requested range lies outside the file. */
export class RangeNotSatisfiable extends Failure {
  readonly sizeBytes: number;
  constructor(sizeBytes: number) {
    super('the range lies outside the file');
    this.sizeBytes = sizeBytes;
  }
}

/** A store cannot be read or written now. The cause is for the log, never for the caller. */
export class StoreUnavailable extends Failure {
  constructor(reasons: string | readonly string[], cause?: unknown) {
    super(reasons, { cause });
  }
}

/** It answers but accepts no change: a replica, or memory or disk is full. */
export class StoreRefusesWrites extends StoreUnavailable {}

/** The telephony engine is unavailable, and its last report is too old to use. */
export class EngineAway extends Failure {}

/** A module's own fault; the reason is in our words. */
export class ModuleFailed extends Failure {}

/** A module cannot answer now: it is starting again, is busy, or took too long. */
export class ModuleAway extends Failure {}

/** More work is under way than memory allows; the caller should retry. */
export class Overloaded extends Failure {}

/** The client is gone, so the work was dropped. */
export class ClientGone extends Failure {}
