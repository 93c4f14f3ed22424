// `node scripts/client.ts`: writes the typed client of page and examples from openapi/pbxcore.json. `--check` compares.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { RUNTIME } from './client-runtime.ts';
import { camelCase, comment, type Json, pascalCase, propertiesOf, typeOf } from './client-types.ts';
import { root, scriptEnv } from './run-command.ts';

const HEADER = `\
// Client of the pbxcore REST interface, without dependencies. Made from openapi/pbxcore.json by \`node scripts/client.ts\`:
// change the routes, not this file.`;

const API_ROOT = '/pbxcore/api/v3';

interface Operation {
  readonly method: string;
  /** Relative to the root. */
  readonly path: string;
  readonly document: Json;
  readonly group: string;
  readonly name: string;
  /** Prefix of the names of its own types. */
  readonly typeName: string;
}

function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<Json>(verbs).map(([verb, operation]) => {
      const [group = '', ...names] = operation.operationId.split('_');
      return {
        method: verb.toUpperCase(),
        path: path.replace(API_ROOT, ''),
        document: operation,
        group: camelCase(group),
        name: camelCase(names.join('_')),
        typeName: pascalCase(operation.operationId),
      };
    }),
  );
}

/** A component, or the body or query of an operation, as an interface or an alias. */
const declaration = (name: string, schema: Json): string =>
  schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
    ? `${comment(schema.description)}export interface ${name} {\n${propertiesOf(schema)}}\n`
    : `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`;

/** Query parameters as an object schema; a parameter's own description wins. */
function querySchema({ document }: Operation): Json | undefined {
  const parameters = (document.parameters ?? []).filter((parameter: Json) => parameter.in === 'query');
  if (parameters.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }: Json) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
    required: parameters.filter((parameter: Json) => parameter.required).map(({ name }: Json) => name),
  };
}

const bodySchema = ({ document }: Operation): Json | undefined =>
  document.requestBody?.content['application/json']?.schema;

/** What a method resolves to: `undefined` if the answer is not JSON and is returned unread. */
function answerType({ document }: Operation): string | undefined {
  const [, success] = Object.entries<Json>(document.responses).find(([status]) => status < '300') ?? [];
  const schema = success?.content?.['application/json']?.schema;
  if (!schema) return undefined;
  const isEnveloped = schema.properties?.result?.const === true;
  return isEnveloped ? `Envelope<${typeOf(schema.properties.data)}>` : typeOf(schema);
}

function methodOf(operation: Operation): string {
  const { method, path, document, name, typeName } = operation;
  const parameters: string[] = [];
  const sent: string[] = [];
  if (path.includes('{id}')) parameters.push('id: string | number');
  for (const [part, schema] of [
    ['body', bodySchema(operation)],
    ['query', querySchema(operation)],
  ] as const) {
    if (!schema) continue;
    const isRequired = (schema.required ?? []).length > 0;
    parameters.push(`${part}${isRequired ? '' : '?'}: ${typeName}${pascalCase(part)}`);
    sent.push(part);
  }
  const target = path.includes('{id}') ? `at('${path}', id)` : `'${path}'`;
  const passed = [`'${method}'`, target, ...(sent.length > 0 ? [`{ ${sent.join(', ')} }`] : [])].join(', ');
  const type = answerType(operation);
  const call = type ? `json<${type}>(${passed})` : `request(${passed})`;
  return `${comment(document.summary)}${name}: (${parameters.join(', ')}) => ${call},\n`;
}

function clientText(document: Json): string {
  const operations = operationsOf(document);
  const components = Object.entries<Json>(document.components.schemas)
    .filter(([name]) => !/Error$/.test(name)) // thrown as an ApiError
    .map(([name, schema]) => declaration(name, schema));
  const own = operations.flatMap((operation) => {
    const body = bodySchema(operation);
    const query = querySchema(operation);
    return [
      ...(body ? [declaration(`${operation.typeName}Body`, body)] : []),
      ...(query ? [declaration(`${operation.typeName}Query`, query)] : []),
    ];
  });
  const groups = [...Map.groupBy(operations, ({ group }) => group)].map(
    ([group, members]) => `${group}: {\n${members.map(methodOf).join('')}},\n`,
  );
  return `${HEADER}

const ROOT = '${API_ROOT}';
${RUNTIME}
export type Client = ReturnType<typeof createClient>;

/** One method per operation, grouped by resource. Answers that are not JSON are returned unread. */
export function createClient(options: ClientOptions) {
  const { request, json } = createSender(options);
  return {
${groups.join('')}  };
}

${[...components, ...own].join('\n')}`;
}

function formatted(text: string, name: string): string {
  const input = { cwd: root, env: scriptEnv, input: text, maxBuffer: 2 ** 24 };
  return execFileSync('biome', ['format', `--stdin-file-path=${name}`], input).toString();
}

const file = join(root, 'packages/client/src/client.ts');
const shown = relative(root, file);
const made = formatted(
  clientText(JSON.parse(await readFile(join(root, 'openapi/pbxcore.json'), 'utf8'))),
  shown,
);
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== made) {
    console.error(`${shown} does not match the OpenAPI document: run "node scripts/client.ts" and commit it`);
    process.exitCode = 1;
  }
} else {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, made);
}
