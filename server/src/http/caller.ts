import type { BouncerOptions } from '../lib/bouncer-options.ts';
import type { Level } from './route.ts';
import type { SourceAddress } from './source-address.ts';

/** Who is calling, once the credential has been checked. */
export type Caller = KeyCaller | SessionCaller;

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

/** As it is told to people who changed something: a login, `key <id>`, empty for nobody. */
export const callerText = (caller: Caller | undefined): string =>
  caller === undefined ? '' : caller.kind === 'jwt' ? caller.login : `key ${caller.id}`;

/** The key or user that a limit is counted for. */
export const callerName = (caller: Caller): string =>
  caller.kind === 'api_key' ? `key ${caller.id}` : `user ${caller.userId}`;
