/**
 * What can go wrong, by name. A service throws one of these where it knows; `http/failure.ts` alone decides the status
 * and the words around it. Reasons are shown to the caller, so they never hold SQL, paths or host names.
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
  /** Names of the wrong fields, where whoever throws it knows them. */
  readonly fields: readonly string[];
  constructor(reasons: string | readonly string[], fields: readonly string[] = []) {
    super(reasons);
    this.fields = fields;
  }
}

/** The body cannot be read as what it says it is. */
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

/** Each field is fine, together they are not. */
export class RuleBroken extends Failure {}

export class TooManyRequests extends Failure {
  readonly retryAfterSeconds: number;
  constructor(reason: string, retryAfterSeconds: number) {
    super(reason);
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}

/** A part was asked for that the file does not have. */
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

/** It answers, and takes no change: a replica, a full memory or disk. */
export class StoreRefusesWrites extends StoreUnavailable {}

/** The telephony engine cannot be asked now, and what was known of it is too old to be true. */
export class EngineAway extends Failure {}

/** A module's own fault; the reason is in our words. */
export class ModuleFailed extends Failure {}

/** A module cannot answer now: it starts again, is busy, or took too long. */
export class ModuleAway extends Failure {}

/** More work is under way than memory allows; the caller should come again. */
export class Overloaded extends Failure {}

/** Nobody waits for the answer any more, so the work was dropped. */
export class ClientGone extends Failure {}
