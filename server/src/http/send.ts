import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);
const COMPRESS_ABOVE_BYTES = 1024;
/** A client that takes no byte for so long is let go: it holds memory that others need. */
const STALLED_MS = 30_000;

export interface Outgoing {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly parts: readonly (Buffer | string)[];
  readonly sent?: ((complete: boolean) => void) | undefined;
}

/** Writes one response and tells whether its last byte went to the socket. */
export function send(request: IncomingMessage, response: ServerResponse, outgoing: Outgoing): void {
  const { sent } = outgoing;
  if (sent) {
    let told = false;
    const tell = (complete: boolean) => {
      if (told) return;
      told = true;
      sent(complete);
    };
    response.once('finish', () => tell(true));
    response.once('close', () => tell(false));
    if (response.destroyed) tell(false);
  }
  response.setTimeout(STALLED_MS, () => response.destroy());
  const bodyless = request.method === 'HEAD' || outgoing.status === 304 || outgoing.status === 204;
  const length = outgoing.parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  response.writeHead(
    outgoing.status,
    bodyless ? outgoing.headers : { ...outgoing.headers, 'content-length': length },
  );
  if (!bodyless) {
    response.cork();
    for (const part of outgoing.parts) response.write(part);
  }
  response.end();
}

/** Whether `Accept-Encoding` asks for gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const offers = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.trim().split(/\s*;\s*/));
  const offer = offers.find(([name]) => name === 'gzip') ?? offers.find(([name]) => name === '*');
  return offer !== undefined && !offer.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}

export const isWorthCompressing = (bytes: number): boolean => bytes > COMPRESS_ABOVE_BYTES;

/** A JSON text, compressed when the client asks and it pays (contract 1.8). */
export async function jsonParts(
  text: string,
  acceptEncoding: string | string[] | undefined,
): Promise<{ parts: (Buffer | string)[]; headers: OutgoingHttpHeaders }> {
  if (!isWorthCompressing(text.length)) return { parts: [text], headers: {} };
  const headers: OutgoingHttpHeaders = { vary: 'Accept-Encoding' };
  if (!acceptsGzip(acceptEncoding)) return { parts: [text], headers };
  const packed = await gzipAsync(text, { level: constants.Z_BEST_SPEED });
  return { parts: [packed], headers: { ...headers, 'content-encoding': 'gzip' } };
}
