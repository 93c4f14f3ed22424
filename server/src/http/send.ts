import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { whenRead } from './read-proof.ts';
import { dropRest, isUnread } from './unread-body.ts';

const gzipAsync = promisify(gzip);
const COMPRESS_ABOVE_BYTES = 1024;
/** A client that accepts no byte for this long is disconnected, as it occupies memory. */
const STALLED_MS = 30_000;

export interface Outgoing {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly parts: readonly (Buffer | string)[];
  readonly stream?: Readable | undefined;
  readonly aheadBytes?: number | undefined;
  readonly sent?: ((complete: boolean) => void) | undefined;
  readonly read?: (() => void) | undefined;
  readonly onCutOff?: ((cut: () => void) => void) | undefined;
}

/**
 * Writes one response and reports to `sent` whether its last byte went to the socket; calls `onBroken` when a stream
 * fails on the way. When the answer precedes the end of the request body, the rest of the body is dropped.
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: Outgoing,
  onBroken: (error: Error) => void,
): void {
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
  if (response.destroyed) {
    // The client left before the answer: a pipeline into a destroyed response would never release its source.
    outgoing.stream?.destroy();
    return;
  }
  if (outgoing.read) whenRead(request, response, outgoing.read);
  outgoing.onCutOff?.(() => response.destroy());
  response.setTimeout(STALLED_MS, () => response.destroy());
  const bodyless = request.method === 'HEAD' || outgoing.status === 304 || outgoing.status === 204;
  const length = outgoing.parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const known = bodyless || outgoing.stream ? {} : { 'content-length': length };
  response.writeHead(outgoing.status, { ...outgoing.headers, ...known });
  if (bodyless) {
    outgoing.stream?.destroy();
    end(request, response);
    return;
  }
  const rest = outgoing.stream ? outgoing.parts : outgoing.parts.slice(0, -1);
  response.cork();
  for (const part of rest) response.write(part);
  if (!outgoing.stream) {
    // Sent with the end, so that a short text goes out in one piece with the head.
    end(request, response, outgoing.parts.at(-1));
    return;
  }
  response.uncork();
  if (isUnread(request)) void dropRest(request).then((all) => all || closeAfter(response));
  // An error on the way destroys the response: the client sees a broken connection, never a short body.
  pipeline(outgoing.stream, response, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onBroken(error);
  });
}

/** Sends the whole answer first; `end`, which may close the connection, waits for the rest of the body. */
function end(request: IncomingMessage, response: ServerResponse, last?: Buffer | string): void {
  if (!isUnread(request)) {
    response.end(last);
    return;
  }
  response.flushHeaders();
  if (last !== undefined) response.write(last);
  response.uncork();
  void dropRest(request).then((all) => {
    if (!all) closeAfter(response);
    response.end();
  });
}

/** The rest of the body is still to come on this connection, so no other request can follow. */
function closeAfter(response: ServerResponse): void {
  const close = () => response.req.socket?.destroySoon();
  if (response.writableFinished) close();
  else response.once('finish', close);
}

export const acceptsGzip = (header: string | string[] | undefined): boolean => acceptsCoding(header, 'gzip');

/** Whether `Accept-Encoding` accepts this coding. */
export function acceptsCoding(header: string | string[] | undefined, coding: 'gzip' | 'br'): boolean {
  const offers = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.trim().split(/\s*;\s*/));
  const offer = offers.find(([name]) => name === coding) ?? offers.find(([name]) => name === '*');
  return offer !== undefined && !offer.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}

export const isWorthCompressing = (bytes: number): boolean => bytes > COMPRESS_ABOVE_BYTES;

/** A JSON text, compressed when the client accepts it and it is worthwhile (contract 1.8). */
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
