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
  /** Without `{id}` the text itself; with it a pattern whose only group is the id. */
  readonly pattern?: RegExp;
  readonly verbs: Map<Method, Route>;
}

/** Finds the route of a request. Throws `NotFound` or `VerbNotSupported`, before anybody is asked for a credential. */
export function createRouter(routes: readonly Route[]) {
  const exact = new Map<string, Entry>();
  const patterns = new Map<string, Entry>();
  const misplaced = new Map<string, Entry>();
  const dialects = new Set<Dialect>();

  for (const route of routes) {
    const path = fullPath(route);
    // The type asks for it; what is open must be said to be open, whoever built the route.
    if (!route.access) throw new Error(`${route.method} ${path}: a route must say who may call it`);
    if (route.dialect) dialects.add(route.dialect);
    if (!path.includes('{id}')) {
      add(exact, path, route);
      continue;
    }
    if (!route.id) throw new Error(`${route.method} ${path}: an {id} needs its pattern`);
    add(patterns, path, route, pathPattern(path, route.id.pattern));
    const action = /^(.*)\/\{id\}(:\w+)$/.exec(path);
    if (action) add(misplaced, `${action[1]}${action[2]}`, misplacedAction(route));
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
    /** In which a path is answered that no route matches. */
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
    for (const candidate of patterns.values()) {
      const id = candidate.pattern?.exec(path)?.[1];
      // `{id}` never holds a slash or a colon, whatever the resource allows (contract 1.1).
      if (id !== undefined && !/[/:]/.test(id)) return { entry: candidate, id };
    }
    const wrong = misplaced.get(path);
    return wrong && { entry: wrong, id: '' };
  }
}

export type Router = ReturnType<typeof createRouter>;

function add(entries: Map<string, Entry>, path: string, route: Route, pattern?: RegExp): void {
  const entry = entries.get(path) ?? { verbs: new Map(), ...(pattern && { pattern }) };
  entries.set(path, entry);
  if (entry.verbs.has(route.method)) throw new Error(`${route.method} ${path} is declared twice`);
  entry.verbs.set(route.method, route);
}

function pathPattern(path: string, id: RegExp): RegExp {
  const [before = '', after = ''] = path
    .split('{id}')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const inner = id.source.replace(/^\^|\$$/g, '');
  return new RegExp(`^${before}(${inner})${after}$`, id.flags);
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
  // An encoded separator is never turned into one (contract 1.1).
  if (/%2f|%3a/i.test(rawPath)) throw new NotFound('no such route: not found');
  const path = decoded(rawPath);
  if (path === undefined) throw new NotFound('no such route: not found');
  return path;
}

/** One trailing slash after a collection is accepted. */
function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') && !path.endsWith('//') && !path.includes(':') ? path.slice(0, -1) : path;
}
