import { userInfo } from 'node:os';
import type { ApiKeys } from '../features/access/api-keys/api-keys.service.ts';
import type { Clock } from '../lib/clock.ts';
import { isSet } from '../store/sql/schema.ts';

const DESCRIPTION = /^command line( of .*)? \(temporary\)$/;
/** Longer than a command waits for a migrating module. */
const STALE_MS = 1_200_000;

/**
 * Anyone who can write the database can do everything anyway, so the command line gives itself a key for one command.
 *
 * It is not bound to `localhost`: behind a trusted proxy on loopback the service rightly treats nobody as local
 * (contract 2.2), and a service that listens on one address of the machine sees that address as the caller. Unbound is
 * safe here: 256 random bits that this process sends only to the service on this machine, for as long as it lasts.
 */
export async function createTemporaryKey({ keys, clock }: { keys: ApiKeys; clock: Clock }) {
  // Left behind by commands that were killed. Nobody has these keys any more.
  for (const row of await keys.list()) {
    const age = clock.now() - row.created_at;
    if (DESCRIPTION.test(row.description) && isSet(row.full_permissions) && age > STALE_MS) {
      await keys.delete(row.id);
    }
  }
  const { row, key } = await keys.create({
    // For the log, which names who enabled or disabled a module.
    description: `command line of ${userName()} (temporary)`,
    full_permissions: true,
    allowed_paths: new Map(),
    networkfilterid: 'none',
  });
  return { text: key as string, [Symbol.asyncDispose]: () => keys.delete(row.id) };
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
