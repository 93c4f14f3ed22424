import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import { refusalOfUnknown } from './access.ts';
import { admit, type Limits } from './admission.ts';
import { readBody } from './body.ts';
import { type Caller, callerName } from './caller.ts';
import { type Credential, credentialOf } from './credentials.ts';
import { deprecationHeaders } from './deprecation.ts';
import { CORE_DIALECT } from './dialect.ts';
import type { Notes } from './envelope.ts';
import { goneSignal } from './gone.ts';
import { type RecordChange, recordChange } from './record-change.ts';
import { createRenderer } from './render.ts';
import { type Route, takesBody } from './route.ts';
import type { Router } from './router.ts';
import { runRoute } from './run-route.ts';
import { type Outgoing, send } from './send.ts';
import type { SourceAddress } from './source-address.ts';

export interface KernelParts extends Limits {
  readonly router: Router;
  /** `undefined` when it is unknown. */
  readonly sourceAddress: (request: IncomingMessage) => SourceAddress | undefined;
  /** Resolves to `undefined` for an invalid credential; rejects when it cannot be checked. */
  readonly identify: (credential: Credential) => Promise<Caller | undefined>;
  readonly clock: Clock;
  readonly timezone: string;
  /** Called for every answer, for log and metrics. */
  readonly observe: (exchange: Exchange) => void;
  /** Called for every request that changed a stored record. */
  readonly onWritten: (change: RecordChange) => void;
  /** Called when a streamed answer failed after it had begun. */
  readonly onBroken: (requestId: string, error: Error) => void;
}

/** One request and its outcome. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** The declared path, or the requested one when no route matched. Never the query. */
  readonly path: string;
  readonly matched: boolean;
  readonly status: number;
  readonly address: string | undefined;
  readonly caller: Caller | undefined;
  readonly durationMs: number;
  readonly error?: unknown;
}

/** Answers requests; runs the checks of contract 1.1 in their order. */
export function createKernel(parts: KernelParts) {
  const { router } = parts;
  const render = createRenderer(parts);

  return async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const requestId = randomUUID();
    const { method = '', headers } = request;
    const { pathname, query } = splitUrl(request.url ?? '/');
    const source = parts.sourceAddress(request);
    const notes: Notes = { info: [], warning: [] };
    let route: Route | undefined;
    let caller: Caller | undefined;
    let error: unknown;
    let outgoing: Outgoing;

    try {
      const match = router.find(method, pathname); // 1: the route
      route = match.route;
      if (!source) throw refusalOfUnknown(await parts.identify(credentialOf(headers)));
      caller = await admit(parts, { route, credential: credentialOf(headers), source }); // 2 to 5: credential, network filter, level, rate
      const body = takesBody(route) ? await readBody(request, route.accepts ?? {}) : {}; // 6: the body
      const value = await runRoute(route, {
        caller,
        address: source.text,
        headers,
        id: match.id,
        params: match.params ?? {},
        query: Object.fromEntries(query),
        body,
        secure: source.isSecure(),
        get origin() {
          return source.origin();
        },
        peer: source.peer,
        asker: caller ? callerName(caller) : `address ${source.text}`,
        get signal() {
          return goneSignal(request.socket);
        },
        warn: (text) => notes.warning.push(text),
        inform: (text) => notes.info.push(text),
      }); // 7 to 10: the record, the fields, and the checks of the feature
      const change = recordChange(route, { id: match.id, caller }, value);
      if (change) parts.onWritten(change);
      outgoing = held(await render.success(value, route, notes, headers['accept-encoding']), route);
    } catch (caught) {
      error = caught;
      const dialect = route ? (route.dialect ?? CORE_DIALECT) : router.dialectOf(pathname);
      const told = { function: route?.function ?? '', dialect };
      outgoing = await render.failure(caught, told, headers['accept-encoding']);
    }
    send(request, response, withCommonHeaders(outgoing, requestId, route), (failure) =>
      parts.onBroken(requestId, failure),
    );
    parts.observe({
      requestId,
      method,
      path: route?.countedAs ?? route?.path ?? pathname,
      matched: route !== undefined,
      status: outgoing.status,
      address: source?.text,
      caller,
      durationMs: performance.now() - began,
      ...(error !== undefined && { error }),
    });
  };
}

/** Memory for a piece of a list, which may be one large record: as read, as values and as text. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** Accounts for the memory of an answer until the client has received it. */
function held(outgoing: Outgoing, { hold }: Route): Outgoing {
  if (!hold) return outgoing;
  const { parts, stream, aheadBytes = PIECE_BYTES } = outgoing;
  let gone: () => void;
  try {
    gone = hold(parts.reduce((sum, part) => sum + Buffer.byteLength(part), stream ? aheadBytes : 0));
  } catch (error) {
    stream?.destroy();
    throw error;
  }
  return {
    ...outgoing,
    sent(complete) {
      gone();
      outgoing.sent?.(complete);
    },
  };
}

function withCommonHeaders(plain: Outgoing, requestId: string, route: Route | undefined): Outgoing {
  // The unread rest of the body must not be taken for the next request.
  const close = plain.status === 413 ? { connection: 'close' } : {};
  const announced = route?.deprecated && deprecationHeaders(route.deprecated);
  const common = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff', ...close };
  return { ...plain, headers: { ...common, ...announced, ...plain.headers } };
}

/** A request line may name the whole URL (RFC 9112, 3.2.2); only its path counts here. */
function splitUrl(target: string): { pathname: string; query: URLSearchParams } {
  const url = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = url.indexOf('?');
  if (mark < 0) return { pathname: url, query: new URLSearchParams() };
  return { pathname: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}
