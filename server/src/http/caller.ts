import type { BouncerOptions } from '../lib/bouncer-options.ts';
import type { Level } from './route.ts';
import type { SourceAddress } from './source-address.ts';

/** Who is calling, once the credential has been checked. */
export type Caller = KeyCaller | SessionCaller | ModuleCaller;

export interface KeyCaller {
  readonly kind: 'api_key';
  readonly id: string;
  /** Hash of the secret that was sent, to check later whether it is still the key's. */
  readonly keyHash: string;
  readonly fullPermissions: boolean;
  readonly grants: ReadonlyMap<string, Level>;
  /** Checks the network filter bound to the key (contract 2.5); an unknown address passes no filter. */
  readonly allowsAddress: (source: SourceAddress | undefined) => boolean;
  /** Levels and network filter as one text, which differs when any of them changed. */
  readonly rights: string;
  /** The form in which it gets decisions (contract 17.20). */
  readonly bouncerOptions: BouncerOptions;
}

export interface SessionCaller {
  readonly kind: 'jwt';
  readonly userId: number;
  readonly login: string;
  /** Id of this access token, so that logout can revoke it. */
  readonly tokenId: string;
  /** Id of the login session, shared by its access tokens and its refresh token. */
  readonly session: string;
}

/** A module that calls the exchange itself, without a credential. */
export interface ModuleCaller {
  readonly kind: 'module';
  readonly id: string;
  readonly grants: ReadonlyMap<string, Level>;
  /** Text for the caller whose request it is handling; empty when it acts by itself. */
  readonly onBehalfOf: string;
}

/** Text that tells people who made a change: a login, `key <id>`, `module <id>`, empty for nobody. */
export function callerText(caller: Caller | undefined): string {
  if (caller === undefined) return '';
  if (caller.kind === 'jwt') return caller.login;
  if (caller.kind === 'api_key') return `key ${caller.id}`;
  return `module ${caller.id}${caller.onBehalfOf && ` for ${caller.onBehalfOf}`}`;
}

/** Name of the key, user or module for which a limit is counted. */
export function callerName(caller: Caller): string {
  if (caller.kind === 'jwt') return `user ${caller.userId}`;
  return caller.kind === 'api_key' ? `key ${caller.id}` : `module ${caller.id}`;
}
