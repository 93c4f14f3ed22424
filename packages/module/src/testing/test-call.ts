import type {
  Call,
  Channel,
  Context,
  CoreReads,
  JsonObject,
  ModuleDefinition,
  Operable,
  Operation,
  ResourceDefinition,
} from '../description.ts';
import { declareFields, unsentAsNull } from '../fields/declared-fields.ts';
import { type Fields, optional, readSent, text } from '../fields/field.ts';
import { pageBounds, pageFields } from '../fields/page.ts';
import { RECORD_ID } from '../fields/record-pages.ts';
import { MAX_MATCHED_LENGTH } from '../fields/safe-pattern.ts';
import { badRequest, invalid, isRefusal, notFound } from '../refusal.ts';
import { jsonBody, lowerCased, rawBody } from './test-body.ts';
import { refusing } from './test-context.ts';
import { readOrRefuse } from './test-fields.ts';

/** Of a handler's answer, as JSON. Lists that the exchange reads itself are sent in parts. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;

export interface CallOptions {
  /** Text and bytes are for operations with `body: 'raw'`. */
  readonly body?: JsonObject | string | Uint8Array;
  readonly query?: JsonObject;
  /** By default `bearer_token`. */
  readonly channel?: Channel;
  readonly caller?: Call['caller'];
  readonly headers?: Readonly<Record<string, string>>;
  /** What the exchange answers with the rights of the caller. */
  readonly core?: Partial<CoreReads>;
}

export interface TestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely by tests
  readonly data: any;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Of a list: number of all records. */
  readonly total?: number;
}

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Aim {
  readonly resource: ResourceDefinition;
  readonly id: string;
  readonly action: string | undefined;
}

/** Calls the handler of a path as the exchange would, without HTTP. */
export async function callModule(
  definition: ModuleDefinition,
  context: Context,
  verb: Verb,
  path: string,
  options: CallOptions,
): Promise<TestAnswer> {
  const warnings: string[] = [];
  try {
    const done = await perform(definition, context, verb, path, options, warnings);
    const { isInParts = false, ...answer } = done;
    if (typeof answer.data !== 'object') throw new Error('the answer is neither an object nor a list');
    if (!isInParts && JSON.stringify(answer.data).length > MAX_RESULT_BYTES)
      throw new Error(`the answer is larger than ${MAX_RESULT_BYTES} bytes`);
    return { status: 200, errors: [], warnings, ...answer };
  } catch (error) {
    // An unexpected error fails the test: the exchange would hide it behind a 500.
    if (!isRefusal(error)) throw error;
    return { status: error.status, data: {}, errors: error.reasons, warnings };
  }
}

async function perform(
  definition: ModuleDefinition,
  context: Context,
  verb: Verb,
  path: string,
  options: CallOptions,
  warnings: string[],
): Promise<Pick<TestAnswer, 'data'> & Partial<TestAnswer> & { readonly isInParts?: boolean }> {
  const { resource, id, action } = aimOf(definition, path);
  const fields = declareFields(resource.fields, nameOf(resource));
  const stored = resource.stored ? context.records(nameOf(resource)) : undefined;
  const query = options.query ?? {};
  const isList = verb === 'GET' && id === '' && action === undefined;
  const { limit, offset } = isList ? readPage(query, listQuery()) : { limit: undefined, offset: 0 };
  // Only operations that declare it have `raw` and `text`.
  const call = {
    id,
    body: {},
    query: {},
    limit,
    offset,
    record: undefined,
    channel: options.channel ?? 'bearer_token',
    caller: options.caller,
    address: '192.0.2.1',
    headers: lowerCased(options.headers ?? {}),
    core: refusing(options.core ?? {}),
    warn: (text) => void warnings.push(text),
    inform: () => {},
  } as Omit<Call, 'raw' | 'text'> as Call;
  const run = <R>(operable: Operable<R>, more: Partial<Call> = {}) => {
    const { handle, query: declared } = operationOf(operable);
    const { query: declaredQuery } = declareFields(declared, `${nameOf(resource)}, query`);
    return handle({ ...call, query: readOrRefuse(declaredQuery, query), ...more }, context);
  };
  const record = id === '' ? undefined : await find();

  if (action !== undefined) return { data: (await runAction(action)) ?? {} };
  const wrong = badRequest(`${verb} is not supported for ${path}`);
  if (id === '') {
    if (verb === 'GET') return listed();
    if (verb !== 'POST') throw wrong;
    const raw = resource.create && rawBody(resource.create, options.body, `${nameOf(resource)}, create`);
    const body = raw ? {} : readOrRefuse(fields.create, jsonBody(options.body));
    const made = resource.create ? run(resource.create, { body, ...raw }) : stored?.create(body);
    if (!made) throw wrong;
    return { status: 201, data: await made };
  }
  if (verb === 'GET') return { data: record };
  if (verb === 'DELETE') {
    if (!resource.remove && !stored) throw wrong;
    if (resource.remove) return { data: (await run(resource.remove, { record })) ?? {} };
    await stored?.remove(id);
    return { data: {} };
  }
  if (verb === 'POST') throw wrong;
  const sent = jsonBody(options.body);
  const body =
    verb === 'PUT'
      ? unsentAsNull(readOrRefuse(fields.replace, sent), fields.replace)
      : readOrRefuse(fields.patch, sent);
  const update = (verb === 'PUT' ? resource.replace : resource.patch) ?? resource.update;
  const changed = update ? run(update, { record, body }) : stored?.update(id, body);
  if (!changed) throw wrong;
  return { data: await changed };

  function listQuery(): Fields {
    const declared = resource.list ? operationOf(resource.list).query : undefined;
    return declareFields(declared, `${nameOf(resource)}, query`).query;
  }

  async function find(): Promise<object> {
    const isRead = verb === 'GET' && action === undefined;
    const found = !resource.read
      ? await stored?.get(id)
      : // Another operation only reads the record first; the query it was sent is its own.
        await (isRead ? run(resource.read) : operationOf(resource.read).handle(call, context));
    if (!found) throw notFound(`${resource.label ?? resource.permission} ${id} not found`);
    return found;
  }

  async function listed() {
    if (!resource.list && !stored) throw wrong;
    const result = resource.list
      ? await run(resource.list)
      : stored && (await all(stored.each(readOrRefuse(SEARCH, query))));
    if (result && 'items' in result) return { data: [...result.items], total: result.total };
    const list = [...(result ?? [])];
    const page = list.slice(offset, limit === undefined ? undefined : offset + limit);
    return { data: page, total: list.length, isInParts: !resource.list };
  }

  function runAction(name: string) {
    const found = resource.actions?.find(
      (known) => known.name === name && known.verb === verb && (known.onItem ?? false) === (id !== ''),
    );
    if (!found) throw notFound(`action ${name} not found`);
    const raw = rawBody(found, options.body, `${nameOf(resource)}, action ${name}`);
    if (raw) return run(found, { ...raw, record });
    const sent = jsonBody(options.body);
    const body = found.body ? readOrRefuse(declareFields(found.body, name).create, sent) : sent;
    return run(found, { body, record });
  }
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of source) list.push(one);
  return list;
}

const SEARCH = { search: optional(text({ max: 255 })) };

/** If only these are wrong, it is a 400, as for lists of the exchange itself. */
function readPage(query: JsonObject, declared: Fields) {
  const { values, problems, wrong } = readSent({ ...declared, ...pageFields }, query);
  const [first, ...others] = problems;
  if (first)
    throw wrong.every((name) => Object.hasOwn(pageFields, name))
      ? badRequest(first)
      : invalid(first, ...others);
  return pageBounds(values);
}

const operationOf = <R>(operable: Operable<R>): Operation<R> =>
  typeof operable === 'function' ? { handle: operable } : operable;

export const nameOf = ({ path }: ResourceDefinition): string => path.slice(path.lastIndexOf('/') + 1);

/** A full path, or its end from the resource on: `/notes/5:shout`. */
function aimOf({ resources }: ModuleDefinition, path: string): Aim {
  for (const resource of resources)
    for (const start of [resource.path, `/${nameOf(resource)}`]) {
      if (!path.startsWith(start)) continue;
      const rest = /^(?:\/([^/:]+))?(?::([a-z][a-z0-9]*))?$/i.exec(path.slice(start.length));
      if (!rest) continue;
      const [, id = '', action] = rest;
      if (id.length > MAX_MATCHED_LENGTH) continue;
      const pattern = resource.id ?? (resource.stored ? RECORD_ID : undefined);
      if (id !== '' && (pattern === undefined || !new RegExp(`^(?:${pattern})$`, 'u').test(id))) continue;
      return { resource, id, action };
    }
  throw notFound(`${path} not found`);
}
