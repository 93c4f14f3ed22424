import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import { InvalidFields, RuleBroken, Unauthorized } from '../lib/errors.ts';
import { checkAccess, isOpen, refusalOfUnknown } from './access.ts';
import { isAnswer, isEnveloped, JSON_TYPE } from './answer.ts';
import { readBody } from './body.ts';
import { type Caller, callerName } from './caller.ts';
import { type Credential, credentialOf } from './credentials.ts';
import { errorEnvelope, successEnvelope, successText } from './envelope.ts';
import { describeFailure } from './failure.ts';
import { type Fields, readFields } from './fields.ts';
import { goneSignal } from './gone.ts';
import type { RateLimit } from './rate-limit.ts';
import { type Call, type Route, takesBody } from './route.ts';
import { isBouncerPath, isModulePath, type Router } from './router.ts';
import { jsonParts, type Outgoing, send } from './send.ts';
import { createSharedRendering } from './shared-rendering.ts';
import type { SourceAddress } from './source-address.ts';

export interface KernelParts {
  readonly router: Router;
  /** `undefined` when it cannot be told. */
  readonly sourceAddress: (request: IncomingMessage) => SourceAddress | undefined;
  /** Resolves to `undefined` for a credential that is not valid; rejects when that cannot be told. */
  readonly identify: (credential: Credential) => Promise<Caller | undefined>;
  readonly anonymousLimit: RateLimit;
  readonly callerLimit: RateLimit;
  readonly clock: Clock;
  readonly timezone: string;
  /** Told of every answer, for log and metrics. */
  readonly observe: (exchange: Exchange) => void;
  /** Told when a streamed answer failed after it had begun. */
  readonly onBroken: (requestId: string, error: Error) => void;
}

/** One request and what became of it. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** The declared path, or what was asked for when no route matched. Never the query. */
  readonly path: string;
  readonly matched: boolean;
  readonly status: number;
  readonly address: string | undefined;
  readonly caller: Caller | undefined;
  readonly durationMs: number;
  readonly error?: unknown;
}

/** Answers requests: the order of checks of contract 1.1, top to bottom. */
export function createKernel(parts: KernelParts) {
  const { router, anonymousLimit, callerLimit, clock, timezone } = parts;
  const renderShared = createSharedRendering();

  return async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const requestId = randomUUID();
    const { pathname, query } = splitUrl(request.url ?? '/');
    const source = parts.sourceAddress(request);
    const messages = { info: [] as string[], warning: [] as string[] };
    let route: Route | undefined;
    let caller: Caller | undefined;
    let error: unknown;
    let outgoing: Outgoing;

    try {
      const match = router.find(request.method ?? '', pathname); // 1
      route = match.route;
      if (!source) throw refusalOfUnknown(await parts.identify(credentialOf(request.headers)));
      caller = await admit(route, request, source); // 2 to 5
      const sent = takesBody(route) ? await readBody(request, route.accepts ?? {}) : {}; // 6
      const visitor = { caller, address: source.text, headers: request.headers };
      const found = await route.find?.(match.id, visitor); // 7
      const values = readRequest(route, sent, query, found, messages.warning); // 8
      const call: Call<never, never, never> = {
        ...visitor,
        id: match.id,
        params: match.params ?? {},
        query: values.query as never,
        body: values.body as never,
        found: found as never,
        secure: source.isSecure(),
        asker: caller ? callerName(caller) : `address ${source.text}`,
        get signal() {
          return goneSignal(request.socket);
        },
        warn: (text) => messages.warning.push(text),
        inform: (text) => messages.info.push(text),
      };
      outgoing = await render(await route.handle(call), route); // 9 and 10 are the feature's
    } catch (caught) {
      error = caught;
      outgoing = await renderFailure(caught);
    }
    send(request, response, withCommonHeaders(outgoing), (failure) => parts.onBroken(requestId, failure));
    parts.observe({
      requestId,
      method: request.method ?? '',
      path: route?.path ?? pathname,
      matched: route !== undefined,
      status: outgoing.status,
      address: source?.text,
      caller,
      durationMs: performance.now() - began,
      ...(error !== undefined && { error }),
    });

    async function render(
      value: unknown,
      { function: name, status = 200, module }: Route,
    ): Promise<Outgoing> {
      if (isAnswer(value)) return value;
      const extra = isEnveloped(value) ? value : undefined;
      const data = extra ? extra.data : value;
      const meta = extra?.meta ?? {};
      const surroundings = {
        ...around(name),
        status,
        meta,
        module: module === true,
        pagination: extra?.pagination,
      };
      if (extra?.json !== undefined) {
        return jsonText(status, successText(extra.json, messages, surroundings), extra.headers);
      }
      const envelope = successEnvelope(data, messages, surroundings);
      return json(status, envelope, extra?.headers, extra?.shared ? (extra.data as object) : undefined);
    }

    async function renderFailure(caught: unknown): Promise<Outgoing> {
      const { status, reasons, headers } = describeFailure(caught);
      const envelope = errorEnvelope(
        reasons,
        { ...around(route?.function ?? ''), status, module: route?.module ?? isModulePath(pathname) },
        isBouncerPath(pathname),
      );
      return json(status, envelope, headers);
    }

    async function json(
      status: number,
      body: object,
      headers: Outgoing['headers'] = {},
      shared?: object,
    ): Promise<Outgoing> {
      if (!shared) return jsonText(status, JSON.stringify(body), headers);
      return jsonOutgoing(
        status,
        await renderShared(body, shared, request.headers['accept-encoding']),
        headers,
      );
    }

    async function jsonText(status: number, text: string, headers: Outgoing['headers']): Promise<Outgoing> {
      return jsonOutgoing(status, await jsonParts(text, request.headers['accept-encoding']), headers);
    }

    function around(name: string) {
      return { function: name, now: clock.now(), timezone };
    }

    function withCommonHeaders(plain: Outgoing): Outgoing {
      // What was not read of the body must not be taken for the next request.
      const close = plain.status === 413 ? { connection: 'close' } : {};
      const common = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff', ...close };
      return { ...plain, headers: { ...common, ...plain.headers } };
    }
  };

  async function admit(
    route: Route,
    request: IncomingMessage,
    source: SourceAddress,
  ): Promise<Caller | undefined> {
    const credential = credentialOf(request.headers);
    if (isOpen(route.access, credential, source)) {
      if (!route.unlimited) anonymousLimit.spend(source.text);
      return undefined;
    }
    const caller = await parts.identify(credential);
    if (!caller) {
      anonymousLimit.spend(source.text);
      throw new Unauthorized('a valid API key or token is required');
    }
    checkAccess(route.access, caller, source);
    callerLimit.spend(callerName(caller));
    return caller;
  }
}

function jsonOutgoing(
  status: number,
  packed: { headers: Outgoing['headers']; parts: Outgoing['parts'] },
  headers: Outgoing['headers'],
): Outgoing {
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' };
  return { status, headers: { ...own, ...packed.headers, ...headers }, parts: packed.parts };
}

function readRequest(
  route: Route,
  sent: Record<string, unknown>,
  query: URLSearchParams,
  found: unknown,
  warnings: string[],
) {
  const problems: string[] = [];
  const attempt = (fields: Fields, from: Record<string, unknown>) => {
    try {
      return readFields(fields, from);
    } catch (error) {
      if (!(error instanceof InvalidFields)) throw error;
      problems.push(...error.reasons);
      return { values: {}, unknown: [] };
    }
  };
  const fromQuery = attempt(route.query ?? {}, Object.fromEntries(query));
  const queryProblems = problems.length;
  const fromBody = route.accepts?.anyObject ? { values: sent, unknown: [] } : attempt(route.body ?? {}, sent);
  problems.push(...(route.check?.(sent, found as never) ?? []));
  if (problems.length > 0) {
    // A wrong page is 400 on every list (contract 1.7), any other failed validation of a module 422 (9.1).
    const isPageOnly =
      problems.length === queryProblems && problems.every((text) => /^(limit|offset):/.test(text));
    throw route.module && !isPageOnly ? new RuleBroken(problems) : new InvalidFields(problems);
  }
  // Any other unknown field is ignored and named (contract 1.5).
  for (const name of fromBody.unknown) {
    if (!route.ignoredFields?.includes(name)) warnings.push(`${printable(name)}: unknown field, ignored`);
  }
  return { query: route.wholeQuery ? Object.fromEntries(query) : fromQuery.values, body: fromBody.values };
}

const printable = (name: string): string => JSON.stringify(name.slice(0, 64)).slice(1, -1);

/** A request line may name the whole URL (RFC 9112, 3.2.2); only its path counts here. */
function splitUrl(target: string): { pathname: string; query: URLSearchParams } {
  const url = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = url.indexOf('?');
  if (mark < 0) return { pathname: url, query: new URLSearchParams() };
  return { pathname: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}
