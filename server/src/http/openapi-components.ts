import type { Dialect } from './dialect.ts';

/** Shared parts of the OpenAPI document: error answers, headers, and schemas named by their `$id`. */

const strings = { type: 'array', items: { type: 'string' } };

const errorProperties = {
  result: { const: false },
  data: { type: 'object', maxProperties: 0, description: 'Always empty' },
  messages: { $ref: '#/components/schemas/Messages' },
  httpCode: { type: 'integer', description: 'The HTTP status, repeated' },
  function: { type: 'string', description: 'Name of the operation; empty when no route matched' },
  meta: { $ref: '#/components/schemas/Meta' },
};

const NO_MESSAGES = { error: [] as string[], info: [], warning: [] };
const EXAMPLE_META = { timestamp: '2026-05-04T10:11:12+02:00' };

const schemas = {
  Messages: {
    type: 'object',
    description: 'Texts for people. Warnings and notes may come with a success too.',
    properties: { error: strings, info: strings, warning: strings },
    required: ['error', 'info', 'warning'],
    examples: [NO_MESSAGES],
  },
  Meta: {
    type: 'object',
    properties: {
      timestamp: { type: 'string', format: 'date-time' },
      asOf: {
        type: 'string',
        format: 'date-time',
        description: 'Time of the last update from the telephony engine',
      },
      timezone: { type: 'string', description: 'Time zone of the times in lists of calls, an IANA name' },
      window: {
        type: 'object',
        description: 'Period that a list of calls covers; `null`: no limit',
        properties: {
          from: { type: ['string', 'null'] },
          to: { type: ['string', 'null'] },
          default: { type: 'boolean', description: 'The default period applies: the last 30 days' },
        },
        required: ['from', 'to', 'default'],
      },
    },
    required: ['timestamp'],
    examples: [EXAMPLE_META],
  },
};

function errorSchema({ errorDescription: description, hasSuccess, hasMessage }: Dialect): object {
  const properties = {
    ...errorProperties,
    ...(hasSuccess && { success: { const: false } }),
    ...(hasMessage && { message: { type: 'string', minLength: 1 } }),
  };
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const headers = {
  RequestId: {
    description: 'Id of this request in the log of the service',
    schema: { type: 'string', format: 'uuid' },
  },
  WwwAuthenticate: { description: 'Authentication scheme', schema: { const: 'Bearer' } },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  ETag: {
    description: 'Changes with the set of entries, not with their remaining time',
    schema: { type: 'string', examples: ['W/"1f0c9a54b2d87e63"'] },
  },
};

export const headerRef = (name: keyof typeof headers): object => ({ $ref: `#/components/headers/${name}` });
export const REQUEST_ID = { 'X-Request-Id': headerRef('RequestId') };

interface FailureWords {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

const words = (name: string, description: string, example: string): FailureWords => ({
  name,
  description,
  example,
});

const FAILURES: Readonly<Record<number, FailureWords>> = {
  400: words(
    'BadRequest',
    'A field, a parameter or the body is invalid; every invalid field is named',
    'description: must not be empty',
  ),
  401: words(
    'Unauthorized',
    'No credential, or one that is unknown, expired or revoked',
    'a valid API key or token is required',
  ),
  403: words(
    'Forbidden',
    'The credential may not do this, or not from this address',
    'this API key is not allowed from your address',
  ),
  404: words('NotFound', 'There is no such record', 'network filter 7 not found'),
  409: words('Conflict', 'Taken, in use, or allow-listed', 'description: already taken'),
  413: words(
    'BodyTooLarge',
    'The body is larger than this endpoint accepts',
    'the body is larger than 1048576 bytes',
  ),
  415: words(
    'BodyTypeRefused',
    'The body has a type, charset or encoding that this endpoint does not accept',
    'Content-Type must be application/json, in UTF-8',
  ),
  416: words(
    'RangeNotSatisfiable',
    'The range lies outside the file; `Content-Range` gives its size',
    'the range lies outside the file',
  ),
  422: words('RuleBroken', 'A rule forbids this; the message says which', 'the fields contradict each other'),
  429: words('TooManyRequests', 'Too many requests', 'too many requests'),
  500: words(
    'InternalError',
    'Internal error; the log holds the details under the request id',
    'internal error',
  ),
  503: words(
    'Unavailable',
    'A store, the telephony engine or a module is not available, or the service is overloaded; try again later',
    'the bans cannot be read now',
  ),
};

const failureHeaders = (status: number): object => ({
  ...REQUEST_ID,
  ...(status === 401 && { 'WWW-Authenticate': headerRef('WwwAuthenticate') }),
  ...((status === 429 || status === 503) && { 'Retry-After': headerRef('RetryAfter') }),
});

function failureResponse(status: number, dialect: Dialect | undefined): object {
  const { description, example: reason } = failureWords(status);
  const headers = failureHeaders(status);
  if (!dialect) return { description, headers };
  const example = {
    result: false,
    ...(dialect.hasSuccess && { success: false }),
    data: {},
    messages: { ...NO_MESSAGES, error: [reason] },
    httpCode: status,
    function: 'getList',
    meta: EXAMPLE_META,
    ...(dialect.hasMessage && { message: reason }),
  };
  const schema = { $ref: `#/components/schemas/${dialect.name}Error` };
  const content = { 'application/json': { schema, example } };
  return { description, headers, content };
}

function failureWords(status: number): FailureWords {
  const found = FAILURES[status];
  if (!found) throw new Error(`the document has no words for status ${status}`);
  return found;
}

/** A reference to an answer from 400 up. Without a dialect, for HEAD: an answer without a body. */
export function failureRef(status: number, dialect: Dialect | undefined): object {
  if (!dialect) return failureResponse(status, undefined);
  return { $ref: `#/components/responses/${dialect.name}${failureWords(status).name}` };
}

/** All components. Leaves out error answers that nothing refers to. */
export function components(
  paths: object,
  named: ReadonlyMap<string, object>,
  dialects: readonly Dialect[],
): Record<string, object> {
  const responses = Object.fromEntries(
    Object.entries(FAILURES).flatMap(([status, { name }]) =>
      dialects.map((dialect) => [`${dialect.name}${name}`, failureResponse(Number(status), dialect)]),
    ),
  );
  const text = JSON.stringify(paths);
  return {
    securitySchemes: {
      bearerAuth: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, or the access token of a login',
      },
      apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key' },
    },
    headers,
    responses: Object.fromEntries(
      Object.entries(responses).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
    ),
    schemas: {
      ...schemas,
      ...Object.fromEntries(dialects.map((dialect) => [`${dialect.name}Error`, errorSchema(dialect)])),
      ...Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/** Members that contain values, possibly of a module, and no schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'examples', 'example', 'enum', 'const']);

/** Replaces every schema that has an `$id` with a reference, and collects it under that name. */
export function liftNamed(value: unknown, named: Map<string, object>): unknown {
  if (Array.isArray(value)) return value.map((entry) => liftNamed(entry, named));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, ...rest } = value as Record<string, unknown>;
  const lifted = Object.fromEntries(
    Object.entries(rest).map(([key, entry]) => {
      if (VALUES.has(key)) return [key, entry];
      return [key, key === 'properties' ? liftProperties(entry, named) : liftNamed(entry, named)];
    }),
  );
  if (typeof $id !== 'string') return lifted;
  const known = named.get($id) ?? schemas[$id as keyof typeof schemas];
  if (known && JSON.stringify(known) !== JSON.stringify(lifted)) throw new Error(`two schemas named ${$id}`);
  named.set($id, lifted);
  return { $ref: `#/components/schemas/${$id}` };
}

/** The names of properties are not schema keywords. */
function liftProperties(value: unknown, named: Map<string, object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, liftNamed(entry, named)]));
}
