import type { Channel } from '@pbxcore/module/description';
import type { Caller } from '../../http/caller.ts';
import type { Access, Visitor } from '../../http/route.ts';
import type { CallMessage } from '../line/protocol.ts';

/** Never passed to a module (contract 9.1). */
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'cookie', 'proxy-authorization']);

/** The parts of a request that depend on the route. */
export type Carried = Partial<Omit<CallMessage, 'body' | 'headers' | 'channel' | 'caller' | 'address'>> & {
  readonly body?: unknown;
};

/** One request as a module sees it. */
export function callMessage(access: Access, visitor: Visitor, carried: Carried): CallMessage {
  const { caller, address } = visitor;
  return {
    id: '',
    query: {},
    limit: undefined,
    offset: 0,
    record: undefined,
    ...carried,
    body: carried.body === undefined ? '{}' : JSON.stringify(carried.body),
    headers: withoutCredentials(visitor.headers),
    channel: channelOf(access, visitor),
    caller: shownCaller(caller),
    address,
  };
}

/** A module never calls another. */
function shownCaller(caller: Caller | undefined): CallMessage['caller'] {
  if (caller?.kind === 'api_key') return { kind: 'api_key', id: caller.id };
  return caller?.kind === 'jwt' ? { kind: 'jwt', login: caller.login } : undefined;
}

function channelOf(access: Access, { caller }: Visitor): Channel {
  if (caller) return 'bearer_token';
  return access.kind === 'channels' && access.channels.includes('public') ? 'public' : 'localhost';
}

function withoutCredentials(headers: Visitor['headers']): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !CREDENTIALS.has(name))
      kept[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return kept;
}
