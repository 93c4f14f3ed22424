import { expect, test } from 'vitest';
import type { FieldDescription } from '../../../packages/module/src/description.ts';
import { isRefusal } from '../../../packages/module/src/refusal.ts';
import { readDeclared } from '../../../packages/module/src/testing/test-fields.ts';
import { readFields } from '../../src/http/fields.ts';
import { InvalidFields } from '../../src/lib/errors.ts';
import { declareFields } from '../../src/module-host/module-fields.ts';

// What an author's tests say of a body, the exchange must say too: the twin and the original get the same cases.
const fields: Record<string, FieldDescription> = {
  plain: { type: 'string' },
  needed: { type: 'string', required: true, min: 2, max: 5 },
  filled: { type: 'string', required: true, min: 1 },
  chosen: { type: 'string', enum: ['a', 'b'], default: 'a' },
  shaped: { type: 'string', pattern: '\\d+x?', max: 10 },
  lines: { type: 'string', multiline: true },
  count: { type: 'integer', min: 1, max: 5, default: 3 },
  share: { type: 'number', min: 0, max: 1 },
  flag: { type: 'boolean', default: false },
  list: { type: 'array' },
  thing: { type: 'object' },
  fixed: { type: 'string', readOnly: true },
};
const values: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ab ',
  'abcdef',
  '\u{1F600}'.repeat(5),
  'a\nb',
  'a\0b',
  '12x',
  'x12',
  'b',
  'c',
  0,
  1,
  5,
  6,
  -1,
  0.5,
  '3',
  '0.25',
  '1e3',
  Number.NaN,
  true,
  false,
  'true',
  'TRUE',
  '1',
  [],
  [1],
  {},
  { a: 1 },
];

const declared = declareFields(fields, 'twin');

function outcome(read: () => object): unknown {
  try {
    return { values: read() };
  } catch (error) {
    if (error instanceof InvalidFields || isRefusal(error)) return { reasons: error.reasons };
    throw error;
  }
}

test.each(['create', 'patch'] as const)(
  'on %s, the testing aid reads a body as the exchange does',
  (mode) => {
    for (const name of Object.keys(fields))
      for (const value of values) {
        const sent = { needed: 'abc', filled: 'x', [name]: value };
        const original = outcome(() => readFields(declared[mode], sent).values);
        const twin = outcome(() => readDeclared(fields, sent, mode));
        expect(twin, `${name} = ${JSON.stringify(value)}`).toEqual(original);
      }
  },
);
