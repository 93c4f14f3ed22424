import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAnswer, isEnveloped } from '../../http/answer.ts';
import { readJsonBody } from '../../http/body.ts';
import { type Caller, callerName } from '../../http/caller.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { type RecordChange, recordChange } from '../../http/record-change.ts';
import { API_ROOT, type Route, takesBody } from '../../http/route.ts';
import type { Router } from '../../http/router.ts';
import { runRoute } from '../../http/run-route.ts';
import { Forbidden, InvalidFields, ModuleAway, NotFound } from '../../lib/errors.ts';
import { createSoManyAtOnce } from '../../lib/so-many-at-once.ts';
import type { CheckedManifest } from '../description/manifest.ts';
import { askedText } from './asked-text.ts';
import { checkRight, moduleCaller } from './core-rights.ts';
import { payForJson } from './paid-json.ts';

export interface CoreRequestParts {
  /** Of the core alone: no module reaches another that way, nor itself. */
  readonly router: () => Router;
  /** As for keys. */
  readonly callerLimit: Pick<RateLimit, 'spend'>;
  /** Told of everything that a module changed. */
  readonly onWritten: (module: string, change: RecordChange) => void;
}

/** How a question was asked. */
export interface Asking {
  /** The caller of the request it was asked in; `undefined` outside of any. */
  readonly during: { readonly caller: Caller | undefined } | undefined;
  /** The module's process has ended: what has not begun is not begun any more. */
  readonly isGone: () => boolean;
  /** Takes so many questions more out of the module's budget. */
  readonly charge: (questions: number) => void;
  /** The same for what JSON holds, before it is parsed. */
  readonly chargeJson: (cost: { readonly values: number }) => void;
}

/** Writes of one module go one after the other, and so many of all modules at once: the stores have others to serve. */
const WRITES_AT_ONCE = 2;
/** Of one module. */
const READS_AT_ONCE = 2;
/** A write takes as long as so many questions, and each KiB it carries as so many more. */
const WRITE_COST = 50;
const WRITE_COST_PER_KIB = 10;
/** Of a path, and of a query: what HTTP takes of a key (16 KiB of headers in all). */
const MAX_URL_LENGTH = 16 * 1024;
/** A module waits for every answer it asked for. */
const NEVER = new AbortController().signal;

/** Requests of modules to the core's own routes, through the steps that a request of a key goes through (contract 1.1). */
export function createCoreRequests({ router, callerLimit, onWritten }: CoreRequestParts) {
  const anyTurn = createSoManyAtOnce(WRITES_AT_ONCE);

  return (manifest: CheckedManifest) => {
    const readTurn = createSoManyAtOnce(READS_AT_ONCE);
    const writeTurn = createSoManyAtOnce(1);

    return async function request(args: readonly unknown[], asking: Asking): Promise<object> {
      const [verb, path, query, sent] = args;
      const { route, id } = router().find(askedText(verb, 'verb'), pathOf(path)); // 1
      const { access } = route;
      if (access.kind !== 'resource') throw new Forbidden('this is nothing that module.json can name');
      const caller = moduleCaller(manifest, asking.during); // 2
      checkRight(manifest, caller, access.resource, access.level); // 4
      if (!answersData(route)) throw new Forbidden('this answers with a file or a stream, not with data');
      callerLimit.spend(callerName(caller)); // 5
      const bytes = Buffer.from(typeof sent === 'string' ? sent : '');
      const isRead = access.level === 'read';
      if (!isRead) asking.charge(WRITE_COST + (bytes.length / 1024) * WRITE_COST_PER_KIB);
      const body = takesBody(route) ? bodyOf(bytes, route, asking) : {}; // 6
      const messages = { info: [] as string[], warning: [] as string[] };
      const raw = {
        caller,
        address: '127.0.0.1',
        headers: {},
        id,
        params: {},
        query: textsOf(query),
        body,
        secure: false,
        origin: undefined,
        peer: '127.0.0.1',
        asker: callerName(caller),
        signal: NEVER,
        warn: (text: string) => messages.warning.push(text),
        inform: (text: string) => messages.info.push(text),
      };
      async function run(): Promise<object> {
        if (asking.isGone()) throw new ModuleAway(`module ${manifest.id} has ended`);
        const value = await runRoute(route, raw); // 7 to 10
        const change = recordChange(route, { id, caller }, value);
        if (change) onWritten(manifest.id, change);
        return answerOf(route, value, messages);
      }
      // SQLite answers at once: one after the other would leave nobody else a turn of the event loop.
      const paced = () => run().finally(() => nextTurn());
      return isRead ? readTurn(paced) : writeTurn(() => anyTurn(paced));
    };
  };
}

/** The question carries it as one text: what is in that text is counted here. How deep it may nest, whoever reads it says. */
function bodyOf(bytes: Buffer, { accepts = {} }: Route, { chargeJson }: Asking): Record<string, unknown> {
  payForJson(bytes, { name: 'body: ', mostDepth: Infinity, chargeJson });
  return readJsonBody(bytes, accepts);
}

/** Below the root of the interface, or in full. A question mark is part of no path: the query is given apart. */
function pathOf(given: unknown): string {
  const path = askedText(given, 'path');
  if (path.length > MAX_URL_LENGTH) throw new InvalidFields('the path is too long');
  if (!path.startsWith('/') || path.includes('?')) throw new NotFound('no such route: not found');
  return path.startsWith('/pbxcore/') ? path : API_ROOT + path;
}

const answersData = ({ produces, answer, bare, events }: Route): boolean =>
  !bare && events === undefined && (produces === undefined || answer !== undefined);

/** As they would stand in a URL. */
function textsOf(query: unknown): Record<string, string> {
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    throw new InvalidFields('query: must be an object');
  const entries = Object.entries(query);
  if (JSON.stringify(query).length > MAX_URL_LENGTH) throw new InvalidFields('query: is too long');
  const wrong = entries.filter(([, value]) => !['string', 'number', 'boolean'].includes(typeof value));
  if (wrong.length > 0)
    throw new InvalidFields(
      wrong.map(([name]) => `${name.slice(0, 64)}: must be a text, a number or a boolean`),
    );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function answerOf(route: Route, value: unknown, messages: object): object {
  if (isAnswer(value)) throw new Error(`${route.method} ${route.path} does not declare what it produces`);
  const beside = isEnveloped(value) ? value : undefined;
  const data = beside ? beside.data : value;
  return {
    status: beside?.status ?? route.status ?? 200,
    data: data ?? {},
    messages,
    meta: beside?.meta ?? {},
  };
}
