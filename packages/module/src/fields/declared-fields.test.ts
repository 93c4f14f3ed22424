import { expect, test } from 'vitest';
import { declareFields } from './declared-fields.ts';

const declared = (field: unknown) => declareFields({ a: field }, 'settings');

test.each([
  ['a list of choices that is none', { type: 'string', enum: 5 }, 'enum must be a list'],
  ['no choices', { type: 'string', enum: [null] }, 'enum must list texts'],
  [
    'choices of a field that is only shown',
    { type: 'string', readOnly: true, enum: 5 },
    'enum must be a list',
  ],
  ['choices that are no list, of a number', { type: 'integer', enum: 5 }, 'enum must be a list'],
  ['a search in a number', { type: 'integer', search: true }, 'search is for texts'],
  ['a description that is none', { type: 'boolean', description: { x: 1 } }, 'description must be a text'],
  ['a misspelt word', { type: 'string', mim: 1 }, '"mim" is not one of type'],
  ['no type', { readOnly: true }, 'type must be string'],
  ['no field', 5, 'must be an object'],
])('%s keeps a module from being loaded', (_, field, reason) => {
  expect(() => declared(field)).toThrow(reason);
});

test('words without effect for a type are accepted, as older modules contain them', () => {
  for (const field of [
    { type: 'integer', enum: [1, 2] },
    { type: 'boolean', min: 1 },
    { type: 'array', multiline: true },
    { type: 'number', pattern: 5 },
    { type: 'string', enum: ['a'], pattern: '(a+)+' },
  ])
    expect(declared(field).descriptions).toEqual({ a: field });
});

test('every word is accepted where it applies', () => {
  const all = { description: 'x', required: true, secret: true };
  for (const field of [
    { ...all, type: 'string', min: 1, max: 5, pattern: 'a+', multiline: false, unique: true, search: true },
    { ...all, type: 'string', enum: ['a', 'b'], default: 'b' },
    { ...all, type: 'integer', min: 1, max: 5, default: 3 },
    { ...all, type: 'number', readOnly: true },
    { ...all, type: 'boolean', default: null },
    { ...all, type: 'array', default: [] },
    { ...all, type: 'object' },
  ])
    expect(declared(field).descriptions).toEqual({ a: field });
});

test('patterns are limited by the length of their field, and together, as one request tries all of them', () => {
  const some = (count: number, field: object) =>
    declareFields(
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, { type: 'string', ...field }])),
      'things, query',
    );
  const slow = 'its pattern cannot be checked quickly';
  expect(() => some(1, { pattern: 'a?a?a?a?[^/:]*[^/:]*' })).toThrow(`things, query, field f0: ${slow}`);
  expect(() => some(1, { pattern: '.*.*a{50}b', max: 256 })).toThrow(slow);
  some(1, { pattern: '.*.*a{50}b', max: 70 });
  some(20, { pattern: '.*.*b' });
  expect(() => some(200, { pattern: '.*.*b' })).toThrow(
    'things, query: its patterns together take too long to check',
  );
  some(200, { pattern: '.*.*b', max: 50 });
  some(200, { pattern: '[A-Z]{2}-\\d+' });
  // The pattern of a read-only field is not run.
  some(200, { pattern: '.*.*b', readOnly: true });
});

test('a unique value is limited in its compared form, whatever was declared: PostgreSQL indexes no more', () => {
  const { create } = declared({ type: 'string', max: 10_000, unique: true });
  const read = (value: string) => create.a?.read(value);
  expect(create.a?.schema).toMatchObject({ maxLength: 2400 });
  expect(read('x'.repeat(2400))).toHaveLength(2400);
  // Normalised before it is compared.
  expect(read('e\u0301'.repeat(1200))).toHaveLength(2400);
  expect(() => read('x'.repeat(2401))).toThrow('at most 2400 bytes, since it is unique (got 2401)');
  expect(() => read('ä'.repeat(1201))).toThrow('got 2402');
  expect(() => read('x'.repeat(10_001))).toThrow('at most 10000 characters (got 10001)');
  const { create: others } = declared({ type: 'string', max: 10_000 });
  expect(others.a?.read('x'.repeat(10_000))).toHaveLength(10_000);
});
