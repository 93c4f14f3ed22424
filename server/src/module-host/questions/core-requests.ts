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
  /** The core's routes only: a module cannot reach another one, or itself, this way. */
  readonly router: () => Router;
  /** The same limit as for keys. */
  readonly callerLimit: Pick<RateLimit, 'spend'>;
  /** Called after every change that a module made. */
  readonly onWritten: (module: string, change: RecordChange) => void;
}

/** The circumstances of a question. */
export interface Asking {
  /** The caller of the request during which it was asked; `undefined` outside of any. */
  readonly during: { readonly caller: Caller | undefined } | undefined;
  /** The module's process has ended: nothing new is begun. */
  readonly isGone: () => boolean;
  /** Charges this many more questions to the module's budget. */
  readonly charge: (questions: number) => void;
  /** The same for the contents of JSON, before it is parsed. */
  readonly chargeJson: (cost: { readonly values: number }) => void;
}

/** One module's writes run one after the other, and this many of all modules at once: the stores serve others too. */
const WRITES_AT_ONCE = 2;
/** Per module. */
const READS_AT_ONCE = 2;
/** The cost of a write in questions, and of each KiB it carries. */
const WRITE_COST = 50;
const WRITE_COST_PER_KIB = 10;
/** Of a path, and of a query: what a key may send over HTTP (16 KiB of headers in all). */
const MAX_URL_LENGTH = 16 * 1024;
/** Nothing cancels the request: the module waits for every answer. */
const NEVER = new AbortController().signal;

/** Requests of modules to the core's own routes, through the same steps as a request of a key (contract 1.1). */
export function createCoreRequests({ router, callerLimit, onWritten }: CoreRequestParts) {
  const anyTurn = createSoManyAtOnce(WRITES_AT_ONCE);

  return (manifest: CheckedManifest) => {
    const readTurn = createSoManyAtOnce(READS_AT_ONCE);
    const writeTurn = createSoManyAtOnce(1);

    return async function request(args: readonly unknown[], asking: Asking): Promise<object> {
      const [verb, path, query, sent] = args;
      const { route, id } = router().find(askedText(verb, 'verb'), pathOf(path)); // 1
      const { access } = route;
      if (access.kind !== 'resource') throw new Forbidden('this cannot be named in module.json');
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
      // SQLite answers synchronously: without a pause, nobody else would get a turn of the event loop.
      const paced = () => run().finally(() => nextTurn());
      return isRead ? readTurn(paced) : writeTurn(() => anyTurn(paced));
    };
  };
}

/** The body arrives as one text, so its contents are charged here. Its reader limits how deep it may nest. */
function bodyOf(bytes: Buffer, { accepts = {} }: Route, { chargeJson }: Asking): Record<string, unknown> {
  payForJson(bytes, { name: 'body: ', mostDepth: Infinity, chargeJson });
  return readJsonBody(bytes, accepts);
}

/** Relative to the root of the interface, or in full. Never with a question mark: the query is separate. */
function pathOf(given: unknown): string {
  const path = askedText(given, 'path');
  if (path.length > MAX_URL_LENGTH) throw new InvalidFields('the path is too long');
  if (!path.startsWith('/') || path.includes('?')) throw new NotFound('no such route: not found');
  return path.startsWith('/pbxcore/') ? path : API_ROOT + path;
}

const answersData = ({ produces, answer, bare, events }: Route): boolean =>
  !bare && events === undefined && (produces === undefined || answer !== undefined);

/** Values as they would appear in a URL. */
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
