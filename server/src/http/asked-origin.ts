import type { IncomingMessage } from 'node:http';

/** A name or address with optional port; nothing that could end a line or a quotation in a text that contains it. */
const AUTHORITY = /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The origin at which the caller reached the service, `https://pbx.example:8443`; `undefined` when it is missing or
 * ambiguous. Besides `Host`, only the headers of a trusted proxy count.
 */
export function askedOrigin(
  request: IncomingMessage,
  { secure, viaTrusted }: { readonly secure: boolean; readonly viaTrusted: boolean },
): string | undefined {
  const [host, second] = request.headersDistinct.host ?? [];
  const asked = (viaTrusted && forwardedHost(request)) || (second === undefined ? host : undefined);
  if (asked === undefined || asked.length > 255 || !AUTHORITY.test(asked)) return undefined;
  const url = `${secure ? 'https' : 'http'}://${asked}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** The host in the request to the proxy nearest to the client. */
function forwardedHost({ headers }: IncomingMessage): string | undefined {
  const named = String(headers['x-forwarded-host'] ?? '')
    .split(',')[0]
    ?.trim();
  if (named) return named;
  const [first = ''] = String(headers.forwarded ?? '').split(',');
  return /(?:^|;)\s*host="?([^";]*)"?\s*(?:;|$)/i.exec(first)?.[1];
}

/** The address at which a service that listens on `host` is reached from its own machine. */
export const reachable = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;

/** The same as an origin. */
export function ownOrigin(listensOn: string, port: number | undefined): string {
  const host = reachable(listensOn);
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
