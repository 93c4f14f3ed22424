import type { Call, JsonObject } from '../description.ts';
import { declareRaw } from '../fields/raw-body.ts';
import { withStatus } from '../refusal.ts';
import type { CallOptions } from './test-call.ts';

type Sent = CallOptions['body'];

/** What a handler gets of a raw body. `undefined`: it takes JSON. Throws what the exchange would answer. */
export function rawBody(
  operation: object,
  sent: Sent,
  where: string,
): Pick<Call, 'raw' | 'text' | 'body'> | undefined {
  const most = declareRaw(operation, where);
  if (most === undefined) return undefined;
  const raw = bytesOf(sent);
  if (raw.length > most) throw withStatus(413, `the body is larger than ${most} bytes`);
  return { raw, text: raw.toString(), body: {} };
}

/** A copy, so that a handler's changes stay its own. */
function bytesOf(sent: Sent): Buffer {
  if (sent === undefined) return Buffer.alloc(0);
  if (sent instanceof Uint8Array) return Buffer.from(sent);
  return Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
}

export function jsonBody(sent: Sent): JsonObject {
  if (typeof sent !== 'string' && !(sent instanceof Uint8Array)) return sent ?? {};
  throw withStatus(415, 'Content-Type must be application/json, in UTF-8');
}

/** As Node passes them. */
export const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
