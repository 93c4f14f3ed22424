import { VerbNotSupported } from '../http/failure.ts';
import { fullPath, type Method, type Route } from '../http/route.ts';
import { type Match, readablePath } from '../http/router.ts';
import { must } from './broken-module.ts';

interface Row {
  readonly pattern: RegExp;
  readonly verbs: Map<Method, Route>;
}

/** Paths in which `{name}` is one segment: what the older styles need (contract 9.3). The first row that fits path and verb counts. */
export function createPathTable(routes: readonly Route[]) {
  const rows = new Map<string, Row>();
  for (const route of routes) {
    const path = fullPath(route);
    const row = rows.get(path) ?? { pattern: patternOf(path), verbs: new Map() };
    must(!row.verbs.has(route.method), `${route.method} ${path} is declared twice`);
    row.verbs.set(route.method, route);
    rows.set(path, row);
  }

  return {
    find(method: string, rawPath: string): Match | undefined {
      const path = readablePath(rawPath).replace(/\/$/, '');
      const allowed: Method[] = [];
      for (const { pattern, verbs } of rows.values()) {
        const matched = pattern.exec(path);
        if (!matched) continue;
        const route = verbs.get(method as Method);
        if (route) return { route, id: '', params: { ...matched.groups } };
        allowed.push(...verbs.keys());
      }
      if (allowed.length > 0) throw new VerbNotSupported(method, [...new Set(allowed)]);
      return undefined;
    },
  };
}

/** The first of these routes that one of the others would answer too, whatever its variables are called. */
export function sharedRoute(routes: readonly Route[], others: readonly Route[]): Route | undefined {
  const shape = (route: Route) => `${route.method} ${fullPath(route).replaceAll(/\{\w+\}/g, '{}')}`;
  const taken = new Set(others.map(shape));
  return routes.find((route) => taken.has(shape(route)));
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) =>
      part.startsWith('{')
        ? `(?<${part.slice(1, -1)}>[^/]+)`
        : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('/');
  return new RegExp(`^${source}$`);
}
