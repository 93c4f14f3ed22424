// Finds rings of imports: a → b → … → a.

export type Edge = { from: string; to: string; line: number; file: string };
export type Ring = { names: string[]; first: Edge };

/** One ring for each group of names that import each other: the shortest through its first name. */
export function findRings(edges: Edge[]): Ring[] {
  const outgoing = Map.groupBy(
    edges.filter(({ from, to }) => from !== to),
    ({ from }) => from,
  );
  const rings: Ring[] = [];
  const seen = new Set<string>();
  for (const start of [...outgoing.keys()].sort()) {
    if (seen.has(start)) continue;
    const way = wayBack(start, outgoing);
    if (!way) continue;
    rings.push({ names: [start, ...way.map(({ to }) => to)], first: way[0]! });
    for (const { to } of way) seen.add(to);
  }
  return rings;
}

/** The shortest path from a name back to itself, breadth first. */
function wayBack(start: string, outgoing: Map<string, Edge[]>): Edge[] | undefined {
  const cameBy = new Map<string, Edge>();
  const waiting = [start];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    for (const edge of outgoing.get(name) ?? []) {
      if (cameBy.has(edge.to)) continue;
      cameBy.set(edge.to, edge);
      if (edge.to === start) return stepsTo(start, cameBy);
      waiting.push(edge.to);
    }
  }
  return undefined;
}

function stepsTo(start: string, cameBy: Map<string, Edge>): Edge[] {
  const steps = [cameBy.get(start)!];
  while (steps[0]!.from !== start) steps.unshift(cameBy.get(steps[0]!.from)!);
  return steps;
}
