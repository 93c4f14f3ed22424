import { isObject } from '@pbxcore/module/fields';
import { custom, described, type Field, FieldProblem, text } from '../../../http/fields.ts';

/** The number by which a queue or menu is dialled. */
export const ownNumber: Field<string> = described(
  text({ max: 8, pattern: { test: /^\d{2,8}$/, says: 'must be 2..8 digits' } }),
  'Its number: 2..8 digits, not used by anything else',
);

/** The id of a sound file; empty and `none` mean no sound. */
export const soundId: Field<string> = {
  ...text({ max: 9 }),
  schema: {
    type: ['string', 'integer'],
    pattern: '^(|none|\\d{1,9})$',
    description: 'Id of a sound file, or empty',
  },
  read(value) {
    const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof id !== 'string' || !/^(|none|\d{1,9})$/.test(id.trim()))
      throw new FieldProblem('no such sound file');
    return id.trim() === 'none' || id.trim() === '' ? '' : String(Number(id));
  },
};

/** A list of objects, or its JSON text as forms send it. */
export function listOf<T>(
  item: Readonly<Record<string, unknown>>,
  most: number,
  read: (entry: Readonly<Record<string, unknown>>) => T,
): Field<T[]> {
  const schema = { type: ['array', 'string'], maxItems: most, items: { type: 'object', ...item } };
  const rule = 'must be a list of objects';
  return custom<T[]>(schema, (value) => {
    const list = typeof value === 'string' ? parsed(value) : value;
    if (!Array.isArray(list)) throw new FieldProblem(rule);
    if (list.length > most) throw new FieldProblem(`at most ${most} entries (got ${list.length})`);
    return list.map((entry: unknown, at) => {
      if (!isObject(entry)) throw new FieldProblem(`[${at}] must be an object`);
      try {
        return read(entry);
      } catch (problem) {
        if (!(problem instanceof FieldProblem)) throw problem;
        throw new FieldProblem(`[${at}].${problem.message}`);
      }
    });
  });
}

/** Reads one value inside a list; its name precedes the problem. */
export function within<T>(name: string, field: Field<T>, value: unknown): T {
  if (value === undefined || value === null) throw new FieldProblem(`${name}: required`);
  try {
    return field.read(value);
  } catch (problem) {
    if (!(problem instanceof FieldProblem)) throw problem;
    throw new FieldProblem(`${name}: ${problem.message}`);
  }
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? [] : JSON.parse(text);
  } catch {
    return undefined;
  }
}
