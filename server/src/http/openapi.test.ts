import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { CORE_DIALECT, type Dialect } from './dialect.ts';
import { optional, partly, text, withDefault } from './fields.ts';
import { openapiDocument } from './openapi.ts';
import { anyCredential, digits, publicAccess, type Route, reads, route, sessionOnly } from './route.ts';

const Thing = Type.Object({ id: Type.String() }, { $id: 'Thing' });
const things = {
  path: '/api/v3/things',
  label: 'Things',
  description: 'All things',
  levels: ['read' as const],
};
const fields = { name: text({ min: 1, max: 9 }), note: withDefault(text({ max: 9 }), 'none') };
const shared = { function: 'x', summary: 'Does it', handle: () => ({}) };

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely
const documentOf = (...routes: Route[]): any => openapiDocument(routes, '1.2.3');
// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely
const operationOf = (one: Route): any => {
  const path = documentOf(one).paths[`/pbxcore/api/v3${one.path}`];
  return path[one.method.toLowerCase()];
};

describe('the OpenAPI document', () => {
  test('carries the version of the interface and that of the service', () => {
    expect(documentOf().info).toMatchObject({ version: '3.0.0', 'x-service-version': '1.2.3' });
  });

  test('says who may call: everybody, any known caller, a person, or a key with a level', () => {
    const at = (access: Route['access']) =>
      operationOf(route({ method: 'GET', path: '/a:x', access, ...shared }));
    expect(at(publicAccess).security).toEqual([]);
    expect(at(publicAccess).responses).not.toHaveProperty('401');
    expect(at(anyCredential).security).toEqual([{ bearerAuth: [] }, { apiKeyHeader: [] }]);
    expect(at(sessionOnly).security).toEqual([{ bearerAuth: [] }]);
    expect(at(reads(things)).description).toContain('`read` on `/api/v3/things`');
    expect(Object.keys(at(reads(things)).responses)).toEqual(['200', '401', '403', '429', '500', '503']);
  });

  test('takes no schema name from values that a module declares, and lists its routes under its own tag', () => {
    const named = (more: object) => ({ type: 'object', ...more }) as never;
    const loose = { ...fields.note, schema: named({ default: { $id: 'Thing' } }), fallback: () => ({}) };
    const access: Route['access'] = {
      kind: 'resource',
      resource: { ...things, module: 'Odd', description: 'Odd ones' },
      level: 'write',
    };
    const own = route({ method: 'GET', path: '/a', access: reads(things), ...shared, answer: Thing });
    const odd = route({
      method: 'POST',
      path: '/b',
      access,
      body: { loose, default: text({ min: 1, max: 9 }) },
      ...shared,
      answer: named({
        examples: [{ $id: 'Thing' }],
        enum: [{ $id: 'New' }],
        const: { $id: 'New' },
        properties: { default: Thing, properties: named({ properties: { examples: Thing } }) },
      }),
    });
    const { components, paths, tags } = documentOf(own, odd);
    expect(components.schemas).not.toHaveProperty('New');
    const { requestBody, responses } = paths['/pbxcore/api/v3/b'].post;
    expect(requestBody.content['application/json'].schema.properties).toMatchObject({
      loose: { default: { $id: 'Thing' } },
      default: { type: 'string' },
    });
    const ref = { $ref: '#/components/schemas/Thing' };
    expect(responses[200].content['application/json'].schema.properties.data).toEqual({
      type: 'object',
      examples: [{ $id: 'Thing' }],
      enum: [{ $id: 'New' }],
      const: { $id: 'New' },
      properties: { default: ref, properties: { type: 'object', properties: { examples: ref } } },
    });
    expect(tags).toEqual([
      { name: 'Things', description: 'All things' },
      { name: 'Things (Odd)', description: 'Odd ones' },
    ]);
  });

  test('leaves hidden routes out', () => {
    const hidden = route({ method: 'GET', path: '/a:x', access: publicAccess, hidden: true, ...shared });
    expect(documentOf(hidden).paths).toEqual({});
  });

  test('shows a default where the service would use it, and not where an absent field keeps its value', () => {
    const access = anyCredential;
    const created = operationOf(route({ method: 'POST', path: '/a', access, body: fields, ...shared }));
    const schema = created.requestBody.content['application/json'].schema;
    expect(schema.required).toEqual(['name']);
    expect(schema.properties.note.default).toBe('none');
    const patched = operationOf(
      route({ method: 'PATCH', path: '/a/{id}', id: digits, access, body: partly(fields), ...shared }),
    );
    expect(patched.requestBody.content['application/json'].schema.properties.note).not.toHaveProperty(
      'default',
    );
    expect(Object.keys(patched.responses)).toEqual(expect.arrayContaining(['400', '404', '413', '415']));
  });

  test('writes a named schema once and refers to it', () => {
    const list = route({
      method: 'GET',
      path: '/a',
      access: publicAccess,
      answer: Type.Array(Thing),
      ...shared,
    });
    const document = documentOf(list);
    expect(document.components.schemas.Thing).toMatchObject({ type: 'object', required: ['id'] });
    expect(document.components.schemas.Thing).not.toHaveProperty('$id');
    const { schema } = document.paths['/pbxcore/api/v3/a'].get.responses[200].content['application/json'];
    expect(schema.properties.data.items).toEqual({ $ref: '#/components/schemas/Thing' });
    const other = { ...list, path: '/b', answer: Type.Object({ other: Type.String() }, { $id: 'Thing' }) };
    expect(() => documentOf(list, other)).toThrow('two schemas named Thing');
  });

  test('describes errors of another dialect in their own shape, and no body for HEAD', () => {
    const dialect: Dialect = { ...CORE_DIALECT, name: 'Other', hasMessage: true };
    const own = { path: '/things', access: reads(things), dialect, ...shared };
    const document = documentOf(route({ method: 'GET', ...own }));
    const get = document.paths['/pbxcore/api/v3/things'].get;
    expect(get.responses[503]).toEqual({ $ref: '#/components/responses/OtherUnavailable' });
    expect(document.components.schemas.OtherError.required).toContain('message');
    const head = operationOf(route({ method: 'HEAD', ...own }));
    expect(head.responses[401]).not.toHaveProperty('content');
    expect(head.responses[401].headers).toHaveProperty('WWW-Authenticate');
  });

  test('shows If-None-Match and the ETag of a route that can answer 304', () => {
    const query = { word: optional(text({ max: 9 })) };
    const cached = operationOf(
      route({ method: 'GET', path: '/a', access: anyCredential, errors: [304], query, ...shared }),
    );
    expect(cached.parameters.map(({ name }: { name: string }) => name)).toEqual(['word', 'If-None-Match']);
    expect(cached.responses[200].headers).toHaveProperty('ETag');
    expect(cached.responses[304]).not.toHaveProperty('content');
  });
});
