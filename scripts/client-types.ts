// Converts JSON Schema of the OpenAPI document to TypeScript types.

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
export type Json = any;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const propertyName = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name));

export const comment = (text: string | undefined): string =>
  text
    ? `/** ${text
        .trim()
        .replaceAll('*/', '* /')
        .replace(/\s*\n\s*/g, ' ')} */\n`
    : '';

export const pascalCase = (text: string): string =>
  text.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
export const camelCase = (text: string): string =>
  text.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The type of a schema; a reference becomes the name of its interface. */
export function typeOf(schema: Json): string {
  if (typeof schema?.$ref === 'string') return schema.$ref.split('/').at(-1);
  if (schema?.const !== undefined) return JSON.stringify(schema.const);
  if (schema?.enum) return choiceOf(schema.enum);
  if (schema?.allOf) return schema.allOf.map(typeOf).join(' & ');
  const several = schema?.anyOf ?? schema?.oneOf;
  if (several) return unionOf(several.map(typeOf));
  const types: string[] = [schema?.type ?? 'unknown'].flat();
  return unionOf(types.map((type) => plainType(type, schema)));
}

function plainType(type: string, schema: Json): string {
  switch (type) {
    case 'object':
      return objectType(schema);
    case 'array': {
      if (schema.maxItems === 0) return 'never[]';
      const item = schema.items ? typeOf(schema.items) : 'unknown';
      return IDENTIFIER.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case 'integer':
      return 'number';
    default:
      return type;
  }
}

/** A boolean is also accepted as text or number; a typed client needs only one spelling. */
const choiceOf = (values: unknown[]): string =>
  values.includes(true) && values.includes(false)
    ? 'boolean'
    : values.map((value) => JSON.stringify(value)).join(' | ');

const unionOf = (types: string[]): string => [...new Set(types)].join(' | ');

function objectType(schema: Json): string {
  const keyed = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  if (Object.keys(schema.properties ?? {}).length > 0) return `{ ${propertiesOf(schema)}}`;
  if (schema.maxProperties === 0) return 'Record<string, never>';
  return `Record<string, ${typeof keyed === 'object' ? typeOf(keyed) : 'unknown'}>`;
}

/** The lines inside the braces of an interface. */
export function propertiesOf(schema: Json): string {
  const required = new Set<string>(schema.required ?? []);
  return Object.entries<Json>(schema.properties ?? {})
    .map(([name, property]) => {
      const mark = required.has(name) ? '' : '?';
      return `${comment(property.description)}${propertyName(name)}${mark}: ${typeOf(property)};\n`;
    })
    .join('');
}
