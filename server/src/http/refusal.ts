import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { JSON_TYPE } from './answer.ts';
import { CORE_DIALECT, type Dialect } from './dialect.ts';
import { errorEnvelope } from './envelope.ts';
import type { Outgoing } from './send.ts';

export type Refusal = Outgoing & { readonly parts: readonly [string] };

/** The requested route is unknown, so the answer contains the reason in every form that clients look for. */
const DIALECT: Dialect = { ...CORE_DIALECT, hasMessage: true };

/** The answer to something that never reached a route, in the same error envelope (contract 1.3). */
export function refusal(status: number, reason: string, timezone: string): Refusal {
  const around = { function: '', status, now: Date.now(), timezone, dialect: DIALECT };
  return {
    status,
    headers: {
      'x-request-id': randomUUID(),
      'content-type': JSON_TYPE,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
    },
    parts: [JSON.stringify(errorEnvelope([reason], around))],
  };
}

/** The raw HTTP text, for a connection without a response object. */
export function refusalText({ status, headers, parts: [body] }: Refusal): string {
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
