import { InvalidFields, NotFound } from '../lib/errors.ts';
import { CORE_DIALECT, type Dialect } from './dialect.ts';
import { VerbNotSupported } from './failure.ts';
import { fullPath, type Method, type Route } from './route.ts';

export interface Match {
  readonly route: Route;
  readonly id: string;
  readonly params?: Readonly<Record<string, string>>;
}

interface Entry {
  /** Pattern of the id, when the path has one. */
  readonly id: RegExp | undefined;
  readonly verbs: Map<Method, Route>;
}

/** The id is a segment of its own; only an action may follow in that segment (contract 1.1). */
const ITEM_PATH = /^([^{}]*)\/\{id\}(:\w+)?$/;
/** Bounds the time to match an id pattern of a module, as strangers choose the text. */
const MAX_ID_LENGTH = 256;

/** Finds the route of a request. Throws `NotFound` or `VerbNotSupported`, before any credential is checked. */
export function createRouter(routes: readonly Route[]) {
  const exact = new Map<string, Entry>();
  const items = new Map<string, Entry>();
  const misplaced = new Map<string, Entry>();
  const dialects = new Set<Dialect>();

  for (const route of routes) {
    const path = fullPath(route);
    // The type requires it; checked again, as no route may be open unless it declares that.
    if (!route.access) throw new Error(`${route.method} ${path}: a route must say who may call it`);
    if (route.dialect) dialects.add(route.dialect);
    if (!path.includes('{id}')) {
      add(exact, path, route);
      continue;
    }
    if (!route.id) throw new Error(`${route.method} ${path}: an {id} needs its pattern`);
    const item = ITEM_PATH.exec(path);
    if (!item) throw new Error(`${route.method} ${path}: only an action may follow the {id}`);
    add(items, path, route);
    const [, before, action] = item;
    if (action) add(misplaced, before + action, misplacedAction(route));
  }

  return {
    find(method: string, rawPath: string): Match {
      const readable = readablePath(rawPath);
      const path = dialectOf(readable).foldsSlashes ? readable.replace(/\/{2,}/g, '/') : readable;
      const found = lookUp(path) ?? collection(withoutTrailingSlash(path));
      if (!found) throw new NotFound('no such route: not found');
      const route = found.entry.verbs.get(method as Method);
      if (!route) throw new VerbNotSupported(method, [...found.entry.verbs.keys()]);
      return { route, id: found.id };
    },
    /** The dialect for a path that no route matches. */
    dialectOf: (rawPath: string): Dialect => dialectOf(decoded(rawPath) ?? rawPath),
  };

  function dialectOf(path: string): Dialect {
    for (const dialect of dialects) if (dialect.covers(path)) return dialect;
    return CORE_DIALECT;
  }

  function collection(path: string): { entry: Entry; id: string } | undefined {
    const entry = exact.get(path);
    return entry && { entry, id: '' };
  }

  function lookUp(path: string): { entry: Entry; id: string } | undefined {
    const found = collection(path);
    if (found) return found;
    const item = itemAt(path);
    if (item) return item;
    const wrong = misplaced.get(path);
    return wrong && { entry: wrong, id: '' };
  }

  /** Tries only one pattern, however many paths exist. An id never contains a slash or a colon (contract 1.1). */
  function itemAt(path: string): { entry: Entry; id: string } | undefined {
    const start = path.lastIndexOf('/') + 1;
    const colon = path.indexOf(':', start);
    const id = path.slice(start, colon < 0 ? undefined : colon);
    if (id === '' || id.length > MAX_ID_LENGTH) return undefined;
    const entry = items.get(`${path.slice(0, start)}{id}${path.slice(start + id.length)}`);
    return entry?.id?.exec(id)?.[0] === id ? { entry, id } : undefined;
  }
}

export type Router = ReturnType<typeof createRouter>;

function add(entries: Map<string, Entry>, path: string, route: Route): void {
  const entry = entries.get(path) ?? { id: route.id?.pattern, verbs: new Map() };
  entries.set(path, entry);
  if (entry.verbs.has(route.method)) throw new Error(`${route.method} ${path} is declared twice`);
  entry.verbs.set(route.method, route);
}

/** An item action called on the collection is 400, after authentication (contract 1.1). */
function misplacedAction(route: Route): Route {
  const { find: _, id: __, body: ___, query: ____, ...rest } = route;
  return {
    ...rest,
    hidden: true,
    handle() {
      throw new InvalidFields('id: this action needs the id of one record');
    },
  };
}

function decoded(rawPath: string): string | undefined {
  try {
    return decodeURIComponent(rawPath);
  } catch {
    return undefined;
  }
}

export function readablePath(rawPath: string): string {
  // An encoded separator is never decoded (contract 1.1).
  if (/%2f|%3a/i.test(rawPath)) throw new NotFound('no such route: not found');
  const path = decoded(rawPath);
  if (path === undefined) throw new NotFound('no such route: not found');
  return path;
}

/** One trailing slash after a collection is accepted. */
function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') && !path.endsWith('//') && !path.includes(':') ? path.slice(0, -1) : path;
}
