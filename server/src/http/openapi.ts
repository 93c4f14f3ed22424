import { fullPath, type Route } from './route.ts';
import { isBouncerPath } from './router.ts';

/** The interface's version; the service has its own (contract 10). */
const INTERFACE_VERSION = '3.0.0';

const strings = { type: 'array', items: { type: 'string' } };
const messages = {
  type: 'object',
  properties: { error: strings, info: strings, warning: strings },
  required: ['error', 'info', 'warning'],
};
const meta = {
  type: 'object',
  properties: { timestamp: { type: 'string', format: 'date-time' } },
  required: ['timestamp'],
};
const errorProperties = {
  result: { const: false },
  data: { type: 'object' },
  messages: { $ref: '#/components/schemas/Messages' },
  httpCode: { type: 'integer' },
  function: { type: 'string' },
  meta: { $ref: '#/components/schemas/Meta' },
};

const WORDS: Readonly<Record<number, string>> = {
  304: 'Unchanged',
  400: 'A field, parameter or the body is wrong',
  401: 'No valid credential',
  403: 'The credential may not do this, or not from this address',
  404: 'No such record',
  409: 'Taken, in use, or allow-listed',
  413: 'The body is too large',
  415: 'The body is of a type that is not read here',
  422: 'The fields contradict each other',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'A store cannot be read or written',
};

/** The OpenAPI 3.1 document, made from the declared routes and nothing else. */
export function openapiDocument(routes: readonly Route[], serviceVersion: string): Record<string, unknown> {
  const shown = routes.filter((route) => !route.hidden);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of shown) {
    const path = fullPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'pbxcore',
      version: INTERFACE_VERSION,
      'x-service-version': serviceVersion,
      summary: 'Telephone exchange core',
      description: 'Send an API key as `Authorization: Bearer <key>` or `X-Api-Key: <key>`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(shown.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key or an access token' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
      schemas: {
        Messages: messages,
        Meta: meta,
        Error: { type: 'object', properties: errorProperties, required: Object.keys(errorProperties) },
        BouncerError: {
          type: 'object',
          properties: { ...errorProperties, message: { type: 'string', minLength: 1 } },
          required: [...Object.keys(errorProperties), 'message'],
        },
      },
    },
  };
}

function operation(route: Route, path: string): Record<string, unknown> {
  const parameters = parametersOf(route);
  return {
    operationId: `${route.path.split(/[/:]/)[1]}_${route.function}${route.method === 'HEAD' ? '_head' : ''}`,
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody(route) && { requestBody: requestBody(route) }),
    responses: {
      [route.status ?? 200]: success(route),
      ...Object.fromEntries(failuresOf(route).map((status) => [status, failure(status, path, route.method)])),
    },
  };
}

const tagOf = ({ access, path }: Route): string =>
  access.kind === 'resource' ? access.resource.label : (path.split(/[/:]/)[1] ?? '');

const takesBody = (route: Route): boolean => route.body !== undefined || route.accepts?.anyObject === true;

function securityOf({ access }: Route): object[] {
  if (access.kind === 'public') return [];
  return access.kind === 'session' ? [{ bearerAuth: [] }] : [{ bearerAuth: [] }, { apiKeyHeader: [] }];
}

function parametersOf(route: Route): object[] {
  const inPath = route.id && {
    name: 'id',
    in: 'path',
    required: true,
    description: route.id.description,
    schema: { type: 'string', pattern: route.id.pattern.source },
  };
  const inQuery = Object.entries(route.query ?? {}).map(([name, field]) => {
    const { description, ...schema } = field.schema;
    return {
      name,
      in: 'query',
      required: field.required,
      ...(description !== undefined && { description }),
      schema,
    };
  });
  return inPath ? [inPath, ...inQuery] : inQuery;
}

function requestBody(route: Route): object {
  const entries = Object.entries(route.body ?? {});
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 && { required }),
  };
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema },
      ...(route.accepts?.form && { 'application/x-www-form-urlencoded': { schema } }),
    },
  };
}

function success(route: Route): object {
  const description = route.status === 201 ? 'Created' : 'Done';
  if (route.bare) {
    return route.answer
      ? { description, content: { 'application/json': { schema: route.answer } } }
      : { description };
  }
  const properties = {
    result: { const: true },
    data: route.answer ?? { type: 'object' },
    messages: { $ref: '#/components/schemas/Messages' },
    function: { const: route.function },
    meta: { $ref: '#/components/schemas/Meta' },
  };
  const required = Object.keys(properties);
  const httpCode = route.status && route.status !== 200 ? { httpCode: { const: route.status } } : {};
  const schema = { type: 'object', properties: { ...properties, ...httpCode }, required };
  return { description, content: { 'application/json': { schema } } };
}

function failuresOf(route: Route): number[] {
  const statuses = new Set([429, 500, 503, ...(route.errors ?? [])]);
  if (route.access.kind !== 'public') for (const status of [401, 403]) statuses.add(status);
  if (takesBody(route)) for (const status of [400, 413, 415]) statuses.add(status);
  if (route.query || route.id) statuses.add(400);
  if (route.id) statuses.add(404);
  return [...statuses].sort((a, b) => a - b);
}

function failure(status: number, path: string, method: string): object {
  const description = WORDS[status] as string;
  if (status === 304 || method === 'HEAD') return { description };
  const name = isBouncerPath(path) ? 'BouncerError' : 'Error';
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  };
}
