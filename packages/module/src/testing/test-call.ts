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
import { badRequest, isRefusal, notFound } from '../refusal.ts';
import { refusing } from './test-context.ts';
import { readDeclared } from './test-fields.ts';

export interface CallOptions {
  readonly body?: JsonObject;
  readonly query?: JsonObject;
  /** `bearer_token` unless said otherwise. */
  readonly channel?: Channel;
  readonly caller?: Call['caller'];
  readonly headers?: Readonly<Record<string, string>>;
  /** What the caller may read. */
  readonly core?: Partial<CoreReads>;
}

export interface TestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely by tests
  readonly data: any;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Of a list: how many there are. */
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
    if (typeof done.data !== 'object') throw new Error('the answer is neither an object nor a list');
    return { status: 200, errors: [], warnings, ...done };
  } catch (error) {
    // What a handler throws by mistake fails the test: the exchange would hide it behind a 500.
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
): Promise<Pick<TestAnswer, 'data'> & Partial<TestAnswer>> {
  const { resource, id, action } = aimOf(definition, path);
  const { fields = {} } = resource;
  const stored = resource.stored ? context.records(nameOf(resource)) : undefined;
  const sent = options.body ?? {};
  const query = options.query ?? {};
  const { limit, offset = 0 } = readDeclared(PAGE, query, 'query') as { limit?: number; offset?: number };
  const page = limit ?? ('offset' in query ? 50 : undefined);
  const call: Call = {
    id,
    body: sent,
    query,
    limit: page,
    offset,
    record: undefined,
    channel: options.channel ?? 'bearer_token',
    caller: options.caller,
    address: '192.0.2.1',
    headers: options.headers ?? {},
    core: refusing(options.core ?? {}),
    warn: (text) => void warnings.push(text),
    inform: () => {},
  };
  const run = <R>(operable: Operable<R>, more: Partial<Call> = {}) => {
    const { handle, query: declared = {} } = operationOf(operable);
    return handle(
      { ...call, query: { ...query, ...readDeclared(declared, query, 'query') }, ...more },
      context,
    );
  };
  const record = id === '' ? undefined : await find();

  if (action !== undefined) return { data: (await runAction(action)) ?? {} };
  const wrong = badRequest(`${verb} is not supported for ${path}`);
  if (id === '') {
    if (verb === 'GET') return listed();
    if (verb !== 'POST') throw wrong;
    const body = readDeclared(fields, sent, 'create');
    const made = resource.create ? run(resource.create, { body }) : stored?.create(body);
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
  const body = readDeclared(fields, sent, verb === 'PUT' ? 'replace' : 'patch');
  const update = (verb === 'PUT' ? resource.replace : resource.patch) ?? resource.update;
  const changed = update ? run(update, { record, body }) : stored?.update(id, body);
  if (!changed) throw wrong;
  return { data: await changed };

  async function find(): Promise<object> {
    const found = resource.read ? await run(resource.read) : await stored?.get(id);
    if (!found) throw notFound(`${id} not found`);
    return found;
  }

  async function listed() {
    if (!resource.list && !stored) throw wrong;
    const search = typeof query.search === 'string' ? query.search : '';
    const result = resource.list
      ? await run(resource.list)
      : await stored?.list({ offset, search, ...(page !== undefined && { limit: page }) });
    if (result && 'items' in result) return { data: [...result.items], total: result.total };
    const all = [...(result ?? [])];
    return { data: all.slice(offset, page === undefined ? undefined : offset + page), total: all.length };
  }

  function runAction(name: string) {
    const found = resource.actions?.find(
      (known) => known.name === name && known.verb === verb && (known.onItem ?? false) === (id !== ''),
    );
    if (!found) throw notFound(`action ${name} not found`);
    const body = found.body ? readDeclared(found.body, sent, 'create') : sent;
    return run(found, { body, record });
  }
}

const PAGE = {
  limit: { type: 'integer', min: 1, max: 1000 },
  offset: { type: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER },
} as const;

const operationOf = <R>(operable: Operable<R>): Operation<R> =>
  typeof operable === 'function' ? { handle: operable } : operable;

export const nameOf = ({ path }: ResourceDefinition): string => path.slice(path.lastIndexOf('/') + 1);

/** A full path, or only its end from the resource on: `/notes/5:shout`. */
function aimOf({ resources }: ModuleDefinition, path: string): Aim {
  for (const resource of resources)
    for (const start of [resource.path, `/${nameOf(resource)}`]) {
      if (!path.startsWith(start)) continue;
      const rest = /^(?:\/([^/:]+))?(?::([a-z][a-z0-9]*))?$/i.exec(path.slice(start.length));
      if (!rest) continue;
      const [, id = '', action] = rest;
      const pattern = resource.id ?? (resource.stored ? '\\d+' : undefined);
      if (id !== '' && (pattern === undefined || !new RegExp(`^(?:${pattern})$`, 'u').test(id))) continue;
      return { resource, id, action };
    }
  throw notFound(`${path} not found`);
}
