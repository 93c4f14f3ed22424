import type { BouncerOptions } from '../lib/bouncer-options.ts';
import type { Level } from './route.ts';
import type { SourceAddress } from './source-address.ts';

/** Who is calling, once the credential has been checked. */
export type Caller = KeyCaller | SessionCaller | ModuleCaller;

export interface KeyCaller {
  readonly kind: 'api_key';
  readonly id: string;
  /** Of the secret that was shown: it tells whether that is still the key's. */
  readonly keyHash: string;
  readonly fullPermissions: boolean;
  readonly grants: ReadonlyMap<string, Level>;
  /** Asks the network filter bound to the key (contract 2.5); an address that nobody knows passes none. */
  readonly allowsAddress: (source: SourceAddress | undefined) => boolean;
  /** Its levels and its network filter as one text: another one when something about them changed. */
  readonly rights: string;
  /** How decisions are told to it (contract 17.20). */
  readonly bouncerOptions: BouncerOptions;
}

export interface SessionCaller {
  readonly kind: 'jwt';
  readonly userId: number;
  readonly login: string;
  /** Names this access token, so that logout can kill it. */
  readonly tokenId: string;
  /** The login it belongs to: its access tokens and its refresh token. */
  readonly session: string;
}

/** A module that asks the exchange itself; no credential stands for it. */
export interface ModuleCaller {
  readonly kind: 'module';
  readonly id: string;
  readonly grants: ReadonlyMap<string, Level>;
  /** In words, whose request it answers by this; empty: it acts by itself. */
  readonly onBehalfOf: string;
}

/** As it is told to people who changed something: a login, `key <id>`, `module <id>`, empty for nobody. */
export function callerText(caller: Caller | undefined): string {
  if (caller === undefined) return '';
  if (caller.kind === 'jwt') return caller.login;
  if (caller.kind === 'api_key') return `key ${caller.id}`;
  return `module ${caller.id}${caller.onBehalfOf && ` for ${caller.onBehalfOf}`}`;
}

/** The key, user or module that a limit is counted for. */
export function callerName(caller: Caller): string {
  if (caller.kind === 'jwt') return `user ${caller.userId}`;
  return caller.kind === 'api_key' ? `key ${caller.id}` : `module ${caller.id}`;
}
