import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedDeeper, MAX_JSON_DEPTH, shapeOf } from './json-depth.ts';

const deeper = (json: string, most?: number) => isNestedDeeper(Buffer.from(json), most);

/** The straightforward way, for values that are not deep. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Including the values inside. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + valuesOf(one), 1);
}

const shape = (json: string, most = { depth: Infinity, values: Infinity }) =>
  shapeOf(Buffer.from(json), most);

test.each([
  ['{}', 1, 1],
  ['[]', 1, 1],
  ['7', 0, 1],
  ['"[[["', 0, 1],
  ['{"[":"]"}', 1, 2],
  [String.raw`{"a\"[[":["\\",["\\\"["]]}`, 3, 5],
  [String.raw`["\\\\",["["]]`, 2, 4],
  ['{"ä€😀[":[[]]}', 3, 3],
  ['[ {} , [] ] ', 2, 3],
  [' [ { } , [ ] ] ', 2, 5],
  ['[1,"a,b",{"c,":null,"d":[]}]', 3, 6],
])('%s nests %i deep and holds %i values', (json, depth, values) => {
  expect(deeper(json, depth)).toBe(false);
  if (depth > 0) expect(deeper(json, depth - 1)).toBe(true);
  expect(shape(json)).toEqual({ depth, values });
});

test('a text is read no further than to the value that exceeds a limit', () => {
  const long = `[${'[],'.repeat(1000)}[]]`;
  expect(shape(long, { depth: 5, values: 100 })).toEqual({ depth: 2, values: 101 });
  expect(shape(long, { depth: 1, values: 100 })).toMatchObject({ depth: 2 });
});

test('every depth from 1 to 200 is distinguished from its neighbours, in lists, objects and both', () => {
  const shapes = [
    (n: number) => '['.repeat(n) + ']'.repeat(n),
    (n: number) => `${'{"[":'.repeat(n - 1)}{}${'}'.repeat(n - 1)}`,
    (n: number) =>
      Array.from({ length: n }).reduceRight<string>(
        (inner, _, i) => (i % 2 ? `[${inner},"}"]` : `{"\\"":${inner}}`),
        '"]"',
      ),
  ];
  let compared = 0;
  for (let depth = 1; depth <= 200; depth++)
    for (const shape of shapes) {
      const json = shape(depth);
      expect(depthOf(JSON.parse(json))).toBe(depth);
      expect(deeper(json)).toBe(depth > MAX_JSON_DEPTH);
      expect([deeper(json, depth - 1), deeper(json, depth)]).toEqual([true, false]);
      compared++;
    }
  console.log(`${compared} texts of depth 1 to 200`);
});

test('any JSON text, with any white space and escapes, has the depth of its value', () => {
  // Texts that look like structure, and would mislead a careless parser.
  const long = ['x'.repeat(31), 'x'.repeat(40), '\\'.repeat(33), '\\'.repeat(40)];
  const tricky = fc.array(
    fc.constantFrom('[', ']', '{', '}', '"', '\\', '\\"', ',', ':', 'ä', '😀', '\n', '\u2028', ...long),
    { maxLength: 20 },
  );
  const text = fc.oneof(
    tricky.map((parts) => parts.join('')),
    fc.string(),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 30, depthSize: 'large' },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true })),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }));
  const spacing = fc.constantFrom(undefined, 0, 1, '\t');
  const escaped = (json: string) =>
    json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const runs = 3_000;
  let deepest = 0;
  fc.assert(
    fc.property(value, fc.nat(200), spacing, fc.boolean(), (inner, levels, space, asEscapes) => {
      let made: unknown = inner;
      for (let i = 0; i < levels; i++) made = i % 3 ? [made] : { '"[': made };
      const plain = JSON.stringify(made, undefined, space);
      const json = asEscapes ? escaped(plain) : plain;
      const depth = depthOf(JSON.parse(json));
      deepest = Math.max(deepest, depth);
      expect(deeper(json, depth)).toBe(false);
      if (depth > 0) expect(deeper(json, depth - 1)).toBe(true);
      expect(shape(json)).toEqual({ depth, values: valuesOf(JSON.parse(json)) });
    }),
    { numRuns: runs },
  );
  console.log(`${runs} random texts, the deepest ${deepest} deep`);
});

test('a text that passes the depth limit is within it or is refused by the JSON parser', () => {
  const pieces = fc.constantFrom('[', '{', ']', '}', '"', '\\', '"a":', ',', '1');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), fc.integer({ min: 0, max: 8 }), (parts, most) => {
      const json = parts.join('');
      if (deeper(json, most)) return;
      let value: unknown;
      try {
        value = JSON.parse(json);
      } catch {
        return;
      }
      expect(depthOf(value)).toBeLessThanOrEqual(most);
    }),
    { numRuns: 3_000 },
  );
});
