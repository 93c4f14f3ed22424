import type { IncomingHttpHeaders } from 'node:http';

const MAX_TOKEN_LENGTH = 4096;

export type Credential =
  | { readonly kind: 'none' }
  /** Sent, but cannot be valid. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'api-key'; readonly token: string };

/** A non-blank Bearer wins, even an invalid one; without one, `X-Api-Key` counts (contract 2.1). */
export function credentialOf(headers: IncomingHttpHeaders): Credential {
  const bearer = /^bearer(?:[ \t]+(.*))?$/i.exec((headers.authorization ?? '').trim())?.[1]?.trim();
  if (bearer) return sized('bearer', bearer);
  const key = headers['x-api-key'];
  const token = (Array.isArray(key) ? key[0] : key)?.trim();
  return token ? sized('api-key', token) : { kind: 'none' };
}

function sized(kind: 'bearer' | 'api-key', token: string): Credential {
  return token.length > MAX_TOKEN_LENGTH ? { kind: 'unusable' } : { kind, token };
}
