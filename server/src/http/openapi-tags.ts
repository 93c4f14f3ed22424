import { resourceOf } from './permissions.ts';
import type { Route } from './route.ts';

interface Tag {
  readonly name: string;
  readonly description: string;
}

/**
 * The heading of each route in the document. When a module uses a label of the core or of another module, its id is
 * appended. Labels that differ only in case count as equal.
 */
export function tagsOf(routes: readonly Route[]): ReadonlyMap<Route, Tag> {
  const owners = new Map<string, string>();
  const tags = new Map<Route, Tag>();
  const moduleOf = (route: Route) => resourceOf(route.access)?.module ?? '';
  // The core takes its labels first.
  for (const route of routes.toSorted((a, b) => Number(moduleOf(a) !== '') - Number(moduleOf(b) !== ''))) {
    const { name, description } = headingOf(route);
    const module = moduleOf(route);
    const seen = name.toLowerCase();
    if (!owners.has(seen)) owners.set(seen, module);
    tags.set(route, { name: owners.get(seen) === module ? name : `${name} (${module})`, description });
  }
  return tags;
}

function headingOf(route: Route): Tag {
  const group = resourceOf(route.access) ?? route.group;
  if (group) return { name: group.label, description: group.description };
  const word = firstWord(route);
  return { name: word, description: `Operations below /${word}` };
}

export const firstWord = ({ path }: Route): string => path.split(/[/:]/)[1] ?? '';
