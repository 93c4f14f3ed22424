import { isAnswer, isEnveloped } from './answer.ts';
import { type Caller, callerText } from './caller.ts';
import { resourceOf } from './permissions.ts';
import type { Access, Level, Resource, Route } from './route.ts';

/** A request has changed what is stored. */
export interface RecordChange {
  /** As in the URL. */
  readonly resource: string;
  /** Of the permission catalogue. */
  readonly path: string;
  /** Empty: several at once. */
  readonly id: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** Login of a person, `key <id>`, `module <id>`, empty for nobody. */
  readonly by: string;
}

/** What a successful request changed, by what its route declares; `undefined` for one that only looks. */
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
    id: id || (isCreated || isStored ? idOf(value) : ''),
    change: isCreated ? 'created' : method === 'DELETE' ? 'deleted' : 'changed',
    by: callerText(caller),
  };
}

const writtenBy = (access: Access): Resource | undefined =>
  (access as { level?: Level }).level === 'write' ? resourceOf(access) : undefined;

function idOf(value: unknown): string {
  if (isAnswer(value)) return '';
  const json = isEnveloped(value) ? value.json : undefined;
  const data = json !== undefined ? JSON.parse(json) : isEnveloped(value) ? value.data : value;
  const id = (data as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}
