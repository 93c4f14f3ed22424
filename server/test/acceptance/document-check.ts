import Schema from 'typebox/schema';
import { openapiDocument } from '../../src/http/openapi.ts';
import { API_ROOT, type Route } from '../../src/http/route.ts';
import type { Answer } from '../make-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
type Json = any;
type Validator = ReturnType<typeof Schema.Compile>;

/**
 * Checks every answer against the OpenAPI document for its path, verb and status. Stricter than a client would be: a
 * key missing from the document is an error, too.
 */
export function createDocumentCheck(routes: readonly Route[]) {
  const document: Json = openapiDocument(routes, '2026.1.76');
  const templates = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{id}', '[^/:]+')}$`),
  }));
  const validators = new Map<string, Validator>();

  return function checkAnswer(method: string, pathAndQuery: string, answer: Answer): void {
    const path = API_ROOT + (pathAndQuery.split('?')[0] as string);
    const template = templates.find(({ pattern }) => pattern.test(path))?.path;
    const operation = template && document.paths[template][method.toLowerCase()];
    // No route, or no such verb: the document describes neither.
    if (!operation || answer.status === 405) return;
    const where = `${method} ${template} ${answer.status}`;
    const response = operation.responses[answer.status];
    if (!response) throw new Error(`${where}: the document does not name this status; ${answer.text}`);
    const content = resolved(response).content;
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    if (type !== 'application/json' && (content?.[type] || content?.['*/*'])) return;
    const schema = content?.['application/json']?.schema;
    if (!schema) {
      if (answer.text !== '') throw new Error(`${where}: the document promises no body`);
      return;
    }
    let validator = validators.get(where);
    if (!validator) {
      validator = Schema.Compile(strict(schema));
      validators.set(where, validator);
    }
    if (validator.Check(answer.body)) return;
    const [, errors] = validator.Errors(answer.body);
    throw new Error(`${where}: ${JSON.stringify(errors)}\n${answer.text}`);
  };

  function resolved(schema: Json): Json {
    if (typeof schema?.$ref !== 'string') return schema;
    const names = schema.$ref.replace('#/', '').split('/');
    return resolved(names.reduce((node: Json, name: string) => node?.[name], document));
  }

  /** Resolves references and closes objects whose keys the document lists. */
  function strict(schema: Json): Json {
    if (Array.isArray(schema)) return schema.map(strict);
    if (typeof schema !== 'object' || schema === null) return schema;
    const plain = resolved(schema);
    const copy = Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, strict(value)]));
    const isClosed = plain.type === 'object' && plain.properties && plain.additionalProperties === undefined;
    return isClosed ? { ...copy, additionalProperties: false } : copy;
  }
}
