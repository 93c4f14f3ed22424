import { ErrorReply } from '@redis/client';
import { StoreRefusesWrites, StoreUnavailable } from '../../lib/errors.ts';

/**
 * A write that changes nothing, for the key is never there; Redis answers it as it would answer any other write. A user
 * who may not touch this key is told so instead, which says nothing about other keys.
 */
export const writeProbe: readonly string[] = ['SET', 'pbxcore:write-probe', '1', 'XX', 'PX', '1'];

/** What an error answer of Redis said, if it was one. */
export function redisReplyError(error: unknown): string | undefined {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return cause instanceof ErrorReply ? cause.message : undefined;
}

/** Before Redis 7 an error inside a script has its code in the middle of the text. */
const codeOf = (error: unknown): string | undefined =>
  /(?:^(?!ERR )|: -)([A-Z]+) /.exec(redisReplyError(error) ?? '')?.[1];

/**
 * Not the server to ask: a replica since a failover, a master cut off from its replicas, or one that has not read its
 * data yet. Behind the same address a new connection may reach the right one.
 */
export const isWrongServer = (error: unknown): boolean =>
  ['READONLY', 'NOREPLICAS', 'MASTERDOWN', 'LOADING'].includes(codeOf(error) ?? '');

/** This user may not do this; says nothing about the server. */
export const isForbidden = (error: unknown): boolean => codeOf(error) === 'NOPERM';

/** Some wrong servers, and right ones that have no memory left or no disk to save to. */
const refusesWrites = (error: unknown): boolean =>
  ['READONLY', 'NOREPLICAS', 'OOM', 'MISCONF'].includes(codeOf(error) ?? '');

export function unavailable(cause?: unknown): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause;
  if (refusesWrites(cause)) return new StoreRefusesWrites('the store of expiring keys refuses writes', cause);
  return new StoreUnavailable('the store of expiring keys does not answer', cause);
}
