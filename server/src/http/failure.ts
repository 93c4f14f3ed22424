import {
  BodyTooLarge,
  BodyTypeRefused,
  ClientGone,
  Conflict,
  EngineAway,
  Failure,
  Forbidden,
  InvalidFields,
  MalformedBody,
  ModuleAway,
  ModuleFailed,
  NotFound,
  Overloaded,
  RangeNotSatisfiable,
  RuleBroken,
  StoreUnavailable,
  TooManyRequests,
  Unauthorized,
} from '../lib/errors.ts';

/** A known path, requested with a verb that it does not declare. */
export class VerbNotSupported extends Failure {
  readonly allow: string;
  constructor(verb: string, allow: readonly string[]) {
    super(`${verb} is not supported here`);
    this.allow = allow.join(', ');
  }
}

/** The only place where an error becomes a status (contract 1.4). Any other error is a defect: 500 without details. */
const STATUS: readonly [new (...args: never[]) => Failure, number][] = [
  [InvalidFields, 400],
  [MalformedBody, 400],
  [Unauthorized, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [VerbNotSupported, 405],
  [Conflict, 409],
  [BodyTooLarge, 413],
  [BodyTypeRefused, 415],
  [RangeNotSatisfiable, 416],
  [RuleBroken, 422],
  [TooManyRequests, 429],
  [ClientGone, 499], // never received: for log and metrics
  [ModuleFailed, 500],
  [ModuleAway, 503],
  [StoreUnavailable, 503],
  [EngineAway, 503],
  [Overloaded, 503],
];

/** Temporary failures: a retry soon makes sense. */
const PASSING = [StoreUnavailable, EngineAway, ModuleAway, Overloaded];

interface FailureFacts {
  readonly status: number;
  readonly reasons: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export function describeFailure(error: unknown): FailureFacts {
  const status = STATUS.find(([type]) => error instanceof type)?.[1];
  if (status === undefined) return { status: 500, reasons: ['internal error'], headers: {} };
  const failure = error as Failure;
  return { status, reasons: failure.reasons, headers: headersOf(failure) };
}

function headersOf(failure: Failure): Record<string, string> {
  if (failure instanceof Unauthorized) return { 'www-authenticate': 'Bearer' };
  if (failure instanceof VerbNotSupported) return { allow: failure.allow };
  if (failure instanceof RangeNotSatisfiable) return { 'content-range': `bytes */${failure.sizeBytes}` };
  if (failure instanceof TooManyRequests) return { 'retry-after': String(failure.retryAfterSeconds) };
  if (PASSING.some((type) => failure instanceof type)) return { 'retry-after': '5' };
  return {};
}
