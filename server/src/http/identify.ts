import type { Caller, KeyCaller, SessionCaller } from './caller.ts';
import type { Credential } from './credentials.ts';

interface IdentifyParts {
  readonly identifyKey: (key: string) => Promise<KeyCaller | undefined>;
  readonly identifySession: (token: string) => Promise<SessionCaller | undefined>;
}

/** Both headers validate the same keys; only a Bearer may also be an access token (contract 2.1). */
export function createIdentify({ identifyKey, identifySession }: IdentifyParts) {
  return async (credential: Credential): Promise<Caller | undefined> => {
    if (credential.kind === 'none' || credential.kind === 'unusable') return undefined;
    const session =
      credential.kind === 'bearer' && looksLikeJwt(credential.token)
        ? await identifySession(credential.token)
        : undefined;
    return session ?? identifyKey(credential.token);
  };
}

/** A key chosen by a client may contain dots too, so this only decides what is tried first. */
const looksLikeJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
