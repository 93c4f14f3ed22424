import type { Config } from '../config.ts';
import { bouncerUrlAt, isBouncerUrl } from '../features/access/api-keys/snippets/snippets.ts';
import { ownOrigin } from '../http/asked-origin.ts';
import type { RunningService } from '../service-file.ts';
import { UsageError } from './command.ts';

/** The service's address for a bouncer: given by the operator, else as this machine reaches it. */
export function bouncerUrl(
  said: string | undefined,
  config: Config,
  running: RunningService | undefined,
  usage: string,
): string {
  if (said === undefined)
    return bouncerUrlAt(ownOrigin(running?.host ?? config.host, running?.httpPort ?? config.httpPort));
  const url = URL.canParse(said) ? new URL(said) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new UsageError('--url must look like https://pbx.example:8443', usage);
  const path = url.pathname.replace(/\/*$/, '/');
  return isBouncerUrl(path) ? url.origin + path : bouncerUrlAt(url.origin + path.slice(0, -1));
}
