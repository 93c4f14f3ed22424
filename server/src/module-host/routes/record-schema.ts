import type { FieldDescription } from '@pbxcore/module/description';
import type { DeclaredFields } from '@pbxcore/module/fields';

/** How a record looks in answers. Only of records that are stored here more is known than that it is an object. */
export function recordSchema({ create, descriptions }: DeclaredFields, stored: boolean): object {
  if (!stored) return { type: 'object' };
  const properties = Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      {
        // One that was not sent is there, and empty.
        type: [description.type, 'null'],
        description: create[name]?.schema.description ?? name,
        // Readers would be shown the empty one.
        examples: [exampleOf(description)],
      },
    ]),
  );
  return { type: 'object', properties: { id: { type: 'string' }, ...properties }, required: ['id'] };
}

function exampleOf(description: FieldDescription): unknown {
  if (description.default !== undefined) return description.default;
  switch (description.type) {
    case 'string':
      return description.enum?.[0] ?? 'string';
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return description.min ?? 1;
  }
}
