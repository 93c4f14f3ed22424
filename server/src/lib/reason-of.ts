import { StoreUnavailable } from './errors.ts';

/** Why something failed, in one line. Several failed connection attempts come as one error without a message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map((one) => reasonOf(one)).join(', ');
  }
  if (error instanceof StoreUnavailable && error.cause !== undefined) return reasonOf(error.cause);
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
