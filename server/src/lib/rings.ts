/** Targets to which a call to a number goes on without a keypress of the caller. */
export type NextTargets = (number: string) => readonly string[];

interface Forwards {
  readonly fwd_forwarding: string;
  readonly fwd_forwardingonbusy: string;
  readonly fwd_forwardingonunavailable: string;
}

export const forwardsOf = (employee: Forwards): string[] => [
  employee.fwd_forwarding,
  employee.fwd_forwardingonbusy,
  employee.fwd_forwardingonunavailable,
];

/** The ring on which a call to this number returns to it without a keypress (contract 21.3); else empty. */
export function ringFrom(number: string, next: NextTargets): readonly string[] {
  // The shortest ring, searched breadth first: thousands of employees may each forward to the next.
  const from = new Map<string, string>();
  let reached: readonly string[] = [number];
  while (reached.length > 0) {
    const further: string[] = [];
    for (const at of reached)
      for (const target of next(at)) {
        if (target === number) return [...wayTo(at, from), number];
        if (from.has(target)) continue;
        from.set(target, at);
        further.push(target);
      }
    reached = further;
  }
  return [];
}

/** The path from the first number to this one. */
function wayTo(number: string, from: ReadonlyMap<string, string>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = number; at !== undefined; at = from.get(at)) way.unshift(at);
  return way;
}

export const ringText = (ring: readonly string[]): string =>
  `${ring.join(' → ')} leads back to where it began without a key press by the caller`;

/**
 * Every number on a ring of several that can be reached from one of these. Visits each number once, however many there
 * are: Tarjan's strongly connected components.
 */
export function numbersOnRings(starts: Iterable<string>, next: NextTargets): ReadonlySet<string> {
  const places = new Map<string, number>();
  /** The earliest place that a number leads back to, as far as known. */
  const back = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found = new Set<string>();

  function enter(number: string): { readonly number: string; readonly left: string[] } {
    places.set(number, places.size);
    back.set(number, places.size - 1);
    open.push(number);
    isOpen.add(number);
    return { number, left: [...next(number)] };
  }

  const leadsBack = (number: string, place = 0) =>
    back.set(number, Math.min(back.get(number) as number, place));

  function leave(number: string): void {
    if (back.get(number) !== places.get(number)) return;
    const together = open.splice(open.lastIndexOf(number));
    for (const one of together) isOpen.delete(one);
    if (together.length > 1) for (const one of together) found.add(one);
  }

  for (const start of starts) {
    if (places.has(start)) continue;
    const way = [enter(start)];
    for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
      const target = at.left.pop();
      if (target === undefined) {
        way.pop();
        leave(at.number);
        const before = way.at(-1);
        if (before) leadsBack(before.number, back.get(at.number));
      } else if (!places.has(target)) way.push(enter(target));
      else if (isOpen.has(target)) leadsBack(at.number, places.get(target));
    }
  }
  return found;
}
