import { describe, expect, test } from 'vitest';
import { fullPath } from '../../src/http/route.ts';
import { useApp } from './use-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
type Json = any;

// `use-app.ts` checks the rest: it compares each answer of these tests with the document.
describe('contract 10: the OpenAPI document', () => {
  const running = useApp();
  const load = async (): Promise<Json> => (await running.asAdmin('GET', '/openapi:getSpecification')).body;
  const operations = (document: Json) =>
    Object.entries<Json>(document.paths).flatMap(([path, verbs]) =>
      Object.entries<Json>(verbs).map(([verb, operation]) => ({ path, verb, operation })),
    );

  test('it is a bare OpenAPI 3.1 document with the interface and the service version', async () => {
    const document = await load();
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({
      version: '3.0.0',
      'x-service-version': expect.stringMatching(/^\d{4}\.\d+\.\d+$/),
    });
    expect(document).not.toHaveProperty('result');
  });

  test('it needs a valid token', async () => {
    expect(await running.call('GET', '/openapi:getSpecification')).toMatchObject({ status: 401 });
  });

  test('it holds exactly the declared routes', async () => {
    const shown = running.app.app.routes.filter(({ hidden }) => !hidden);
    const declared = shown.map((route) => `${route.method.toLowerCase()} ${fullPath(route)}`);
    expect(
      operations(await load())
        .map(({ verb, path }) => `${verb} ${path}`)
        .sort(),
    ).toEqual(declared.sort());
  });

  test('every group of operations has a name and a description of its own', async () => {
    const { tags } = await load();
    for (const { name, description } of tags) {
      expect(name).toMatch(/^[A-Z]/);
      expect(description).not.toMatch(/^Operations below/);
    }
    expect(new Set(tags.map(({ name }: Json) => name)).size).toBe(tags.length);
  });

  test('summaries are imperatives or noun phrases', async () => {
    // A clause ("Whether it answers", "Whose key this is") leaves the reader waiting for its verb.
    const clause = /^(Whether|How|What|Whose|Where|Who|Which|Why|When)\b/;
    const summaries = operations(await load()).map(({ operation }) => operation.summary);
    expect(summaries.filter((summary) => clause.test(summary))).toEqual([]);
  });

  test('hidden routes lie outside the API', () => {
    const hidden = running.app.app.routes.filter((route) => route.hidden);
    for (const route of hidden) expect(route.outside, route.path).toBe(true);
  });

  test('public operations say security [], all others name bearerAuth, and apiKeyHeader where a key will do', async () => {
    const document = await load();
    expect(Object.keys(document.components.securitySchemes)).toEqual(['bearerAuth', 'apiKeyHeader']);
    const kinds = new Map(
      running.app.app.routes.map((route) => [
        `${route.method.toLowerCase()} ${fullPath(route)}`,
        route.access.kind,
      ]),
    );
    for (const { path, verb, operation } of operations(document)) {
      const kind = kinds.get(`${verb} ${path}`);
      const names = operation.security.flatMap((scheme: object) => Object.keys(scheme));
      const expected =
        kind === 'public' ? [] : kind === 'session' ? ['bearerAuth'] : ['bearerAuth', 'apiKeyHeader'];
      expect({ path, verb, names }).toEqual({ path, verb, names: expected });
    }
  });

  test('every operation has an id of its own, a summary and its statuses', async () => {
    const all = operations(await load());
    expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(all.length);
    for (const { path, verb, operation } of all) {
      const where = `${verb} ${path}`;
      expect(operation.summary, where).toMatch(/\S/);
      const statuses = Object.keys(operation.responses);
      expect(statuses, where).toEqual(expect.arrayContaining(['429', '500', '503']));
      if (operation.security.length > 0)
        expect(statuses, where).toEqual(expect.arrayContaining(['401', '403']));
      if (path.includes('{id}')) expect(statuses, where).toContain('404');
      if (['post', 'put', 'patch'].includes(verb))
        expect(statuses, where).toEqual(expect.arrayContaining(['400', '413', '415']));
    }
  });

  test('every {id} is declared as a path parameter with its pattern', async () => {
    for (const { path, operation } of operations(await load())) {
      const inPath = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === 'path');
      expect(
        inPath.map(({ name }: Json) => name),
        path,
      ).toEqual(path.includes('{id}') ? ['id'] : []);
      for (const parameter of inPath) expect(parameter.schema.pattern).toMatch(/^\^.*\$$/);
    }
  });

  test('every declared query parameter and body field is listed', async () => {
    const document = await load();
    for (const route of running.app.app.routes.filter(({ hidden }) => !hidden)) {
      const operation = document.paths[fullPath(route)][route.method.toLowerCase()];
      const query = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === 'query');
      expect(query.map(({ name }: Json) => name)).toEqual(Object.keys(route.query ?? {}));
      const { file, content } = route.accepts ?? {};
      if (file || content) {
        const types = file ? [file.type] : Object.keys(content?.types ?? {});
        expect(Object.keys(operation.requestBody.content)).toEqual(types);
        continue;
      }
      const properties = operation.requestBody?.content['application/json'].schema.properties ?? {};
      expect(Object.keys(properties)).toEqual(Object.keys(route.body ?? {}));
    }
  });

  test('every reference in it has a target', async () => {
    const document = await load();
    const text = JSON.stringify(document);
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer.split('/').reduce((node: Json, name) => node?.[name], document);
      expect(target, pointer).toBeDefined();
    }
  });

  test.each([
    ['/cdr:getStatsByProvider', ['dateFrom', 'dateTo']],
    ['/cdr:playback', ['token']],
    ['/cdr:download', ['token']],
    ['/firewall:explain', ['ip']],
  ])('%s marks its required parameters as required', async (path, names) => {
    const { parameters } = (await load()).paths[`/pbxcore/api/v3${path}`].get;
    expect(parameters.filter(({ required }: Json) => required).map(({ name }: Json) => name)).toEqual(names);
  });

  test('the items of every array are described', async () => {
    const { schemas } = (await load()).components;
    const vague: string[] = [];
    const look = (node: Json, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if (node.type === 'array' && Object.keys(node.items ?? {}).length === 0) vague.push(where);
      for (const [name, part] of Object.entries(node)) look(part, `${where}/${name}`);
    };
    look(schemas, '');
    expect(vague).toEqual([]);
  });
});
