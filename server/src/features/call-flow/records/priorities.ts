import { isObject } from '@pbxcore/module/fields';
import { FieldProblem, integer } from '../../../http/fields.ts';
import { InvalidFields } from '../../../lib/errors.ts';

/** Priorities by id, in any of the shapes that clients send (C7). */
export function readPriorities(
  body: Readonly<Record<string, unknown>>,
  last: number,
  isKept: (id: string) => boolean = () => false,
): ReadonlyMap<string, number> {
  const sent = Object.hasOwn(body, 'priorities') ? body.priorities : body;
  const entries = entriesOf(sent);
  if (entries.length === 0) throw new InvalidFields('priorities: must not be empty');
  const priority = integer({ min: 0, max: last });
  const wanted = new Map<string, number>();
  for (const [id, value] of entries) {
    if (isKept(id)) continue;
    if (wanted.has(id)) throw new InvalidFields(`priorities: ${id} appears twice`);
    try {
      wanted.set(id, priority.read(value));
    } catch (problem) {
      if (!(problem instanceof FieldProblem)) throw problem;
      throw new InvalidFields(`priorities: ${id} ${problem.message}`);
    }
  }
  return wanted;
}

function entriesOf(sent: unknown): [id: string, priority: unknown][] {
  if (Array.isArray(sent))
    return sent.map((item) => {
      if (!isObject(item)) throw new InvalidFields('priorities: must be objects with id and priority');
      const id = typeof item.id === 'number' ? String(item.id) : item.id;
      return [typeof id === 'string' ? id.slice(0, 64) : '', item.priority];
    });
  if (!isObject(sent)) throw new InvalidFields('priorities: must be an object or a list');
  return Object.entries(sent).map(([id, value]) => [id.slice(0, 64), value]);
}
