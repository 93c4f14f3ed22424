import { deprecationText } from './deprecation.ts';
import { CORE_DIALECT } from './dialect.ts';
import type { Field } from './fields.ts';
import { components, failureRef, headerRef, liftNamed, REQUEST_ID } from './openapi-components.ts';
import { firstWord, tagsOf } from './openapi-tags.ts';
import { fullPath, type Route, takesBody } from './route.ts';

/** The interface's version; the service has its own (contract 10). */
const INTERFACE_VERSION = '3.0.0';

const DESCRIPTION = `\
Send an API key as \`Authorization: Bearer <key>\` or \`X-Api-Key: <key>\`. To log in as a person, call \`auth:login\` and send
the access token as Bearer. A key holds one level per resource: read, or write, which includes read.

Answers come in an envelope: \`result\`, \`data\`, \`messages\`, \`function\`, \`meta\`. The endpoints that bouncers poll answer without it.
All error answers (status 400 and above) have the same shape. An unknown path gives 404; a verb that the path does not support gives 405
with \`Allow\`. Both are checked before the credential.

Request bodies are JSON objects of at most 1 MiB; files may be larger. Unknown fields are ignored and named in a warning; \`null\` means "not sent".
Booleans and integers may be sent as text. Answers above 1 KiB are compressed when the client accepts gzip.`;

/** The OpenAPI 3.1 document, made only from the declared routes. */
export function openapiDocument(routes: readonly Route[], serviceVersion: string): Record<string, unknown> {
  const shown = routes.filter((route) => !route.hidden);
  const tags = tagsOf(shown);
  const unchanged = new Set(shown.filter((route) => route.errors?.includes(304)).map(fullPath));
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = new Set<string>();
  for (const route of shown) {
    const path = fullPath(route);
    // The second verb of an action gets its name as a suffix.
    const name = operationId(route);
    const id = ids.has(name) ? `${name}_${route.method.toLowerCase()}` : name;
    ids.add(id);
    const described = {
      operationId: id,
      tags: [tags.get(route)?.name],
      ...operation(route, unchanged.has(path)),
    };
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described };
  }
  const dialects = new Set([CORE_DIALECT, ...shown.flatMap((route) => route.dialect ?? [])]);
  const named = new Map<string, object>();
  const liftedPaths = liftNamed(paths, named) as object;
  return {
    openapi: '3.1.1',
    info: {
      title: 'pbxcore',
      version: INTERFACE_VERSION,
      'x-service-version': serviceVersion,
      summary: 'Telephone exchange core',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that served this document' }],
    tags: [
      ...new Map(shown.flatMap((route) => tags.get(route) ?? []).map((tag) => [tag.name, tag])).values(),
    ],
    paths: liftedPaths,
    components: components(liftedPaths, named, [...dialects]),
  };
}

function operation(route: Route, etag: boolean): Record<string, unknown> {
  const parameters = parametersOf(route);
  const going = route.deprecated;
  const description = [route.description, going && deprecationText(going), neededAccess(route)]
    .filter(Boolean)
    .join('\n\n');
  const dialect = route.method === 'HEAD' ? undefined : (route.dialect ?? CORE_DIALECT);
  return {
    summary: route.summary,
    ...(description && { description }),
    ...(going && !going.fields && { deprecated: true }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(declaresBody(route) && { requestBody: requestBody(route) }),
    responses: {
      [route.status ?? 200]: success(route, etag),
      ...(route.orStatus && { [route.orStatus]: success({ ...route, status: route.orStatus }, etag) }),
      ...Object.fromEntries(
        failuresOf(route).map((status) => [
          status,
          status === 304
            ? unchangedResponse()
            : status === 206
              ? { ...success(route, false), description: 'The part that `Range` asks for' }
              : failureRef(status, dialect),
        ]),
      ),
    },
  };
}

function operationId(route: Route): string {
  const head = route.method === 'HEAD' ? '_head' : '';
  if (!route.dialect?.namesByPath) return `${firstWord(route)}_${route.function}${head}`;
  const words = fullPath(route)
    .replace('/pbxcore/api/', '')
    .split(/[^\w-]+/);
  return [route.method.toLowerCase(), ...words.filter(Boolean)].join('_');
}

const declaresBody = (route: Route): boolean => route.body !== undefined || route.accepts?.anyObject === true;

function securityOf({ access }: Route): object[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'channels') {
    if (access.channels.includes('public')) return [];
    const bearer = access.channels.includes('bearer_token') ? [{ bearerAuth: [] }, { apiKeyHeader: [] }] : [];
    return access.channels.includes('localhost') ? [{}, ...bearer] : bearer;
  }
  return access.kind === 'session' ? [{ bearerAuth: [] }] : [{ bearerAuth: [] }, { apiKeyHeader: [] }];
}

function neededAccess({ access }: Route): string {
  switch (access.kind) {
    case 'public':
      return 'Needs no credential.';
    case 'any-credential':
      return 'Needs any valid credential.';
    case 'session':
      return 'Needs the access token of a login; an API key is not accepted.';
    case 'administrator':
      return 'Needs a login, or an API key with full permissions.';
    case 'resource':
      return `An API key needs \`${access.level}\` on \`${access.resource.path}\`.`;
    case 'channels':
      return channelWords(access);
  }
}

function channelWords({ channels, resource, level }: Extract<Route['access'], { kind: 'channels' }>): string {
  if (channels.includes('public')) return '**Public**: needs no credential.';
  const words: string[] = [];
  if (channels.includes('localhost')) words.push('A caller on the machine itself needs no credential.');
  if (channels.includes('bearer_token'))
    words.push(
      resource
        ? `An API key needs \`${level}\` on \`${resource.path}\`.`
        : 'Needs a login, or an API key with full permissions.',
    );
  return words.join(' ');
}

/** Hides the default of a field that gets none when absent: PATCH leaves such a field unchanged. */
const schemaOf = ({ schema, fallback }: Field<unknown>): Record<string, unknown> => {
  const { default: shown, ...rest } = schema;
  return fallback && shown !== undefined ? { ...rest, default: shown } : rest;
};

function parametersOf(route: Route): object[] {
  const parameters: object[] = [];
  if (route.id) {
    const schema = { type: 'string', pattern: route.id.pattern.source };
    const description = `Id of the record: ${route.id.description}`;
    parameters.push({ name: 'id', in: 'path', required: true, description, schema });
  }
  for (const [, name = ''] of fullPath(route).matchAll(/\{(\w+)\}/g)) {
    if (name !== 'id' || !route.id)
      parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } });
  }
  for (const [name, field] of Object.entries(route.query ?? {})) {
    const { description, ...schema } = schemaOf(field);
    const said = description === undefined ? {} : { description };
    parameters.push({ name, in: 'query', required: field.required, ...said, schema });
  }
  if (route.errors?.includes(304)) {
    const description = 'The `ETag` of an earlier answer; 304 if nothing has changed since';
    parameters.push({ name: 'If-None-Match', in: 'header', description, schema: { type: 'string' } });
  }
  if (route.accepts?.gzip) {
    const description = 'Set when the body is compressed';
    parameters.push({ name: 'Content-Encoding', in: 'header', description, schema: { enum: ['gzip'] } });
  }
  return parameters;
}

function requestBody(route: Route): object {
  const { file, bytes } = route.accepts ?? {};
  if (bytes) {
    const description = `Any content type, passed on unchanged, at most ${bytes.maxBytes} bytes`;
    const content = {
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
      '*/*': { schema: { type: 'string' } },
    };
    return { description, required: false, content };
  }
  if (file) {
    const description = `At most ${file.maxBytes} bytes`;
    return {
      description,
      required: true,
      content: { [file.type]: { schema: { type: 'string', format: 'binary' } } },
    };
  }
  const { content } = route.accepts ?? {};
  if (content) {
    const types = Object.entries(content.types).map(([type, schema]) => [type, { schema }]);
    const description = `At most ${content.maxBytes} bytes`;
    return { description, required: true, content: Object.fromEntries(types) };
  }
  const entries = Object.entries(route.body ?? {});
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  const schema = route.accepts?.anyObject
    ? { type: 'object', additionalProperties: true }
    : {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field)])),
        ...(required.length > 0 && { required }),
      };
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema },
      ...(route.accepts?.csv && { 'text/csv': { schema: { type: 'string' } } }),
      ...(route.accepts?.calendar && { 'text/calendar': { schema: { type: 'string' } } }),
      ...(route.accepts?.form && { 'application/x-www-form-urlencoded': { schema } }),
    },
  };
}

function success(route: Route, etag: boolean): object {
  const description = route.status === 201 ? 'Created' : 'Done';
  const headers = { ...REQUEST_ID, ...(etag && { ETag: headerRef('ETag') }) };
  const { events } = route;
  const text = { schema: { type: 'string', ...(events && { contentSchema: events }) } };
  const texts = Object.fromEntries((route.produces ?? []).map((type) => [type, text]));
  if (route.method === 'HEAD') return { description, headers };
  if (route.produces && !route.answer) return { description, headers, content: texts };
  if (route.bare) {
    const content = route.answer && { 'application/json': { schema: route.answer } };
    return { description, headers, ...(content && { content }) };
  }
  const properties = {
    result: { const: true },
    ...(route.dialect?.hasSuccess && { success: { const: true } }),
    data: route.answer ?? { type: 'object' },
    messages: { $ref: '#/components/schemas/Messages' },
    function: { const: route.function },
    meta: { $ref: '#/components/schemas/Meta' },
    ...(route.paged && { pagination: PAGINATION }),
    ...(route.status && route.status !== 200 && { httpCode: { const: route.status } }),
  };
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  return { description, headers, content: { 'application/json': { schema }, ...texts } };
}

const counted = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }]));
const PAGINATION = {
  type: 'object',
  properties: { ...counted(['total', 'limit', 'offset']), hasMore: { type: 'boolean' } },
  required: ['total', 'limit', 'offset', 'hasMore'],
};

const unchangedResponse = () => ({
  description: 'Unchanged since the answer whose `ETag` was sent',
  headers: { ...REQUEST_ID, ETag: headerRef('ETag') },
});

function failuresOf(route: Route): number[] {
  const statuses = new Set([429, 500, 503, ...(route.errors ?? [])]);
  const { access } = route;
  const isPublic =
    access.kind === 'public' || (access.kind === 'channels' && access.channels.includes('public'));
  if (!isPublic) for (const status of [401, 403]) statuses.add(status);
  // An unreadable body is refused even when none of its fields would be used.
  if (takesBody(route)) for (const status of [400, 413, 415]) statuses.add(status);
  if (route.query) statuses.add(400);
  if (route.id) statuses.add(404);
  return [...statuses].sort((a, b) => a - b);
}
