import { ErrorReply } from '@redis/client';
import { StoreRefusesWrites, StoreUnavailable } from '../../lib/errors.ts';

/**
 * A write that changes nothing, as the key never exists; Redis answers it like any other write. A user without
 * permission for this key gets NOPERM instead, which says nothing about other keys.
 */
export const writeProbe: readonly string[] = ['SET', 'pbxcore:write-probe', '1', 'XX', 'PX', '1'];

/** The text of an error answer of Redis; `undefined` for other errors. */
export function redisReplyError(error: unknown): string | undefined {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return cause instanceof ErrorReply ? cause.message : undefined;
}

/** Before Redis 7 an error inside a script has its code in the middle of the text. */
const codeOf = (error: unknown): string | undefined =>
  /(?:^(?!ERR )|: -)([A-Z]+) /.exec(redisReplyError(error) ?? '')?.[1];

/**
 * Whether this is the wrong server: a replica since a failover, a master cut off from its replicas, or one that has not
 * loaded its data yet. A new connection to the same address may reach the right one.
 */
export const isWrongServer = (error: unknown): boolean =>
  ['READONLY', 'NOREPLICAS', 'MASTERDOWN', 'LOADING'].includes(codeOf(error) ?? '');

/** Whether the user lacks the permission, which says nothing about the server. */
export const isForbidden = (error: unknown): boolean => codeOf(error) === 'NOPERM';

/** Some wrong servers, and right ones that are out of memory or cannot save to disk. */
const refusesWrites = (error: unknown): boolean =>
  ['READONLY', 'NOREPLICAS', 'OOM', 'MISCONF'].includes(codeOf(error) ?? '');

export function unavailable(cause?: unknown): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause;
  if (refusesWrites(cause)) return new StoreRefusesWrites('the store of expiring keys refuses writes', cause);
  return new StoreUnavailable('the store of expiring keys does not answer', cause);
}
