import { expect, test } from 'vitest';
import { preferredType } from './accept.ts';

const OFFERED = ['application/json', 'text/csv', 'application/x-ndjson'];

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV ; charset=utf-8', 'text/csv'],
  ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
  ['text/csv;q=0.5, application/json', 'application/json'],
  ['text/csv; q=0.5, application/json; q=0.4', 'text/csv'],
  ['application/json;q=0.1, application/x-ndjson;q=0.9, text/csv;q=0.8', 'application/x-ndjson'],
  ['text/csv, application/json', 'text/csv'],
  ['application/x-ndjson, text/csv', 'application/x-ndjson'],
  ['text/csv;q=0, */*', 'application/json'],
  ['application/json;q=0, */*;q=0.1', 'text/csv'],
  ['text/*, application/json;q=0.9', 'text/csv'],
  ['*/*, text/csv;q=0.3', 'application/json'],
  ['image/png', 'application/json'],
  ['*/*;q=0', 'application/json'],
  ['text/csv;q=., application/json;q=0.1', 'application/json'],
])('Accept %j means %s', (accept, type) => {
  expect(preferredType(accept, OFFERED)).toBe(type);
});
