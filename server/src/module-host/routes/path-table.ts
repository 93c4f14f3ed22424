import { VerbNotSupported } from '../../http/failure.ts';
import { fullPath, type Method, type Route } from '../../http/route.ts';
import { type Match, readablePath } from '../../http/router.ts';
import { must } from '../description/broken-module.ts';

interface Row {
  readonly place: number;
  readonly segments: readonly string[];
  readonly verbs: Map<Method, Route>;
}

/** Paths with the same first segments: a request's path is looked up, not compared with every row. */
interface Branch {
  readonly byText: Map<string, Branch>;
  any: Branch | undefined;
  readonly rows: Row[];
}

/** Paths in which `{name}` is one segment (older styles, contract 9.3). The first row that fits path and verb wins. */
export function createPathTable(routes: readonly Route[]) {
  const rows = new Map<string, Row>();
  const root = newBranch();
  for (const route of routes) {
    const path = fullPath(route);
    const row = rows.get(path) ?? plant(root, path, rows.size);
    must(!row.verbs.has(route.method), `${route.method} ${path} is declared twice`);
    row.verbs.set(route.method, route);
    rows.set(path, row);
  }

  return {
    find(method: string, rawPath: string): Match | undefined {
      const segments = readablePath(rawPath).replace(/\/$/, '').split('/');
      const allowed: Method[] = [];
      for (const row of fitting(root, segments)) {
        const route = row.verbs.get(method as Method);
        if (route) return { route, id: '', params: paramsOf(row, segments) };
        allowed.push(...row.verbs.keys());
      }
      if (allowed.length > 0) throw new VerbNotSupported(method, [...new Set(allowed)]);
      return undefined;
    },
  };
}

/** The first of these routes that one of the others would answer too, whatever the names of its variables. */
export function sharedRoute(routes: readonly Route[], others: readonly Route[]): Route | undefined {
  const shape = (route: Route) => `${route.method} ${fullPath(route).replaceAll(/\{\w+\}/g, '{}')}`;
  const taken = new Set(others.map(shape));
  return routes.find((route) => taken.has(shape(route)));
}

const newBranch = (): Branch => ({ byText: new Map(), any: undefined, rows: [] });

const isVariable = (segment: string): boolean => segment.startsWith('{');

function plant(root: Branch, path: string, place: number): Row {
  const segments = path.split('/');
  const names = segments.filter(isVariable);
  must(new Set(names).size === names.length, `${path}: two of its variables have the same name`);
  let branch = root;
  for (const segment of segments) {
    if (isVariable(segment)) {
      branch.any ??= newBranch();
      branch = branch.any;
    } else {
      const next = branch.byText.get(segment) ?? newBranch();
      branch.byText.set(segment, next);
      branch = next;
    }
  }
  const row: Row = { place, segments, verbs: new Map() };
  branch.rows.push(row);
  return row;
}

/** In order of declaration. */
function fitting(root: Branch, segments: readonly string[]): Row[] {
  let reached = [root];
  for (const segment of segments) {
    reached = reached.flatMap(({ byText, any }) => {
      const same = byText.get(segment);
      return [...(same ? [same] : []), ...(any && segment !== '' ? [any] : [])];
    });
    if (reached.length === 0) return [];
  }
  return reached.flatMap(({ rows }) => rows).sort((a, b) => a.place - b.place);
}

const paramsOf = (row: Row, segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    row.segments.flatMap((name, n) => (isVariable(name) ? [[name.slice(1, -1), segments[n] ?? '']] : [])),
  );
