import type { DeclaredFields } from './module-fields.ts';

/** How a record looks in answers. Only of records that are stored here more is known than that it is an object. */
export function recordSchema({ create, descriptions }: DeclaredFields, stored: boolean): object {
  if (!stored) return { type: 'object' };
  const properties = Object.fromEntries(
    Object.keys(descriptions).map((name) => [
      name,
      { description: create[name]?.schema.description ?? name },
    ]),
  );
  return { type: 'object', properties: { id: { type: 'string' }, ...properties }, required: ['id'] };
}
