import { shapeOf } from '../lib/json-depth.ts';
import { isAnswer, isEnveloped } from './answer.ts';
import { type Caller, callerText } from './caller.ts';
import { resourceOf } from './permissions.ts';
import type { Access, Level, Resource, Route } from './route.ts';

/** A change of a stored record by a request. */
export interface RecordChange {
  /** Name of the resource as in the URL. */
  readonly resource: string;
  /** Its path in the permission catalogue. */
  readonly path: string;
  /** Empty when several records changed at once, or when the id is unknown. */
  readonly id: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** Login of a person, `key <id>`, `module <id>`, empty for nobody. */
  readonly by: string;
}

/** Limits for parsing a module's JSON to find an id; the time to parse depends on the number of values. */
const MOST_PARSED = { length: 64 * 1024, shape: { depth: Infinity, values: 1000 } };
/** The beginning of records that the exchange stores for a module, whatever their size. */
const STORED_ID = /^\{"id":"(\d{1,15})"/;
/** Events are kept in memory for minutes, on every node. */
const MAX_ID_LENGTH = 255;

/** The change made by a successful request, as its route declares; `undefined` when it only reads. */
export function recordChange(
  route: Route,
  { id, caller }: { id: string; caller: Caller | undefined },
  value: unknown,
): RecordChange | undefined {
  const { access, method } = route;
  const resource = route.changes ?? writtenBy(access);
  if (!resource) return undefined;
  if (method === 'GET' || method === 'HEAD' || route.storesNothing) return undefined;
  const isOfOne = route.status === 201 || !route.path.includes(':');
  const isStored = isEnveloped(value) && value.status === 200;
  const isCreated = method === 'POST' && isOfOne && !route.path.includes('{id}') && !isStored;
  return {
    resource: resource.path.replace('/api/v3/', ''),
    path: resource.path,
    id: kept(id || (isCreated || isStored ? idOf(value) : '')),
    change: isCreated ? 'created' : method === 'DELETE' ? 'deleted' : 'changed',
    by: callerText(caller),
  };
}

const writtenBy = (access: Access): Resource | undefined =>
  (access as { level?: Level }).level === 'write' ? resourceOf(access) : undefined;

function idOf(value: unknown): string {
  if (isAnswer(value)) return '';
  if (!isEnveloped(value)) return textOf(value);
  return value.json === undefined ? textOf(value.data) : idInJson(value.json);
}

function idInJson(json: string): string {
  const stored = STORED_ID.exec(json)?.[1];
  if (stored !== undefined) return stored;
  if (json.length > MOST_PARSED.length) return '';
  const { values } = shapeOf(Buffer.from(json), MOST_PARSED.shape);
  return values > MOST_PARSED.shape.values ? '' : textOf(JSON.parse(json));
}

function textOf(data: unknown): string {
  const id = (data as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** Copies the id, as a substring would keep the whole text in memory. */
const kept = (id: string): string => (id.length > MAX_ID_LENGTH ? '' : Buffer.from(id).toString());
