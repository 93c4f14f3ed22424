import type { Box, Line } from './flow-graph.ts';

export interface Words {
  readonly t: (key: string, options?: Record<string, unknown>) => string;
  /** The text of a target without a name. */
  readonly target: (target: string, represent: string) => string;
}

/** Collects boxes and lines; the target of a line gets a box if it has none. */
export function createSketch({ t, target: wordOf }: Words) {
  const boxes = new Map<string, Box>();
  const lines: Line[] = [];
  const others = new Set<string>();
  const add = (box: Box) => void boxes.set(box.key, box);
  const line = (next: Line) => void lines.push(next);

  /** A target without a box is a person, or outside. */
  function lead(from: string, target: string, represent: string, label: string, isDashed = false): void {
    if (target === '') return;
    const to = `to ${target}`;
    if (!boxes.has(to)) {
      const isNamed = represent.endsWith(` <${target}>`);
      const title = isNamed ? represent.slice(0, -` <${target}>`.length) : wordOf(target, represent);
      // A target with a name here is an employee, by number or mobile.
      const somebody = isNamed ? { note: target, to: '/employees', search: target } : { note: '', to: '' };
      add({ key: to, column: 'people', title, ...somebody });
      others.add(target);
    }
    line({ from, to, label, isDashed });
  }

  return {
    t,
    add,
    line,
    lead,
    /** Targets that are neither menu nor queue; may grow during iteration. */
    others: others as Iterable<string>,
    done: () => ({ boxes: [...boxes.values()], lines: lines }),
  };
}

export type Sketch = ReturnType<typeof createSketch>;
