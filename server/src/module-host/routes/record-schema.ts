import type { FieldDescription } from '@pbxcore/module/description';
import type { DeclaredFields } from '@pbxcore/module/fields';

/** The schema of a record in answers. If the exchange does not store it, all that is known is that it is an object. */
export function recordSchema({ create, descriptions }: DeclaredFields, stored: boolean): object {
  if (!stored) return { type: 'object' };
  const properties = Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      {
        // A field that was not sent is present and empty.
        type: [description.type, 'null'],
        description: create[name]?.schema.description ?? name,
        // Otherwise readers would see the empty one as an example.
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
