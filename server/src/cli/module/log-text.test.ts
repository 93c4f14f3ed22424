import { expect, test } from 'vitest';
import { following, linesWithStack, lineText } from './log-text.ts';

const lines = (texts: string) => [...texts].map((text) => ({ at: '', level: 'info', text, fields: {} }));

test.each([
  ['', 'ab', 'ab'],
  ['ab', 'ab', ''],
  ['ab', 'abc', 'c'],
  // The window has moved on.
  ['abcd', 'cdef', 'ef'],
  // The same lines were logged again.
  ['aab', 'aabaab', 'aab'],
  ['aaa', 'aaaa', 'a'],
  // Lines of modules are dropped before others.
  ['abcd', 'bde', 'e'],
  ['abcd', 'acx', 'x'],
  // Another service, or more lines than fit.
  ['abc', 'xyz', 'xyz'],
  ['abc', '', ''],
])('after the lines "%s" the new ones of "%s" are "%s"', (seen, now, fresh) =>
  expect(following(lines(seen), lines(now))).toEqual(lines(fresh)),
);

test('an error is shown with its stack, line by line, and without control characters', () => {
  const error = 'Error: a\u001b[2Jb\n    at main (dist/index.js:2:11)\n    at async node:internal/x:1:1';
  const line = {
    at: 'T',
    level: 'error',
    text: 'failed',
    fields: { crashes: 1, details: { error, more: 2 } },
  };
  expect(linesWithStack(line)).toEqual([
    'T error failed {"crashes":1,"details":{"more":2}}',
    '    Error: a [2Jb',
    '    at main (dist/index.js:2:11)',
  ]);
  const plain = { ...line, fields: { details: { error: 'one line' } } };
  expect(linesWithStack(plain)).toEqual(['T error failed {"details":{"error":"one line"}}']);
});

test('a line that the module wrote is marked before its text, and no text can change the mark', () => {
  const ours = { at: 'T', level: 'info', text: 'switched off', fields: { by: 'admin' } };
  expect(lineText(ours)).toBe('T info  switched off {"by":"admin"}');
  const forged = { at: 'T', level: 'info', author: 'X', fields: {} };
  for (const text of ['switched off {"by":"admin"}', '\r\n\u001b[1A   \u2028 switched off {"by":"admin"}'])
    expect(lineText({ ...forged, text })).toMatch(
      /^T it wrote: info {2}(\[1A )?switched off \{"by":"admin"\}$/,
    );
});
