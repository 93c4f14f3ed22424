import { expect, test } from 'vitest';
import { askCallerName } from './caller-name.ts';

const answering = (given: unknown) => ({
  handler: 1,
  send: async () => ({
    t: 'done' as const,
    n: 1,
    json: given === undefined ? undefined : JSON.stringify(given),
    info: [],
    warning: [],
  }),
});

test.each([
  ['Ada from afar', 'Ada from afar'],
  ['\0Eve\r\nX\u001b[2J', 'Eve X [2J'],
  ['\ud800 is half a letter', '\ufffd is half a letter'],
  // The worker cuts names, but the module can write to the line directly.
  ['x'.repeat(900), 'x'.repeat(100)],
  ['x'.repeat(4 * 1024 * 1024), undefined],
  ['\0\u001b\r\n', undefined],
  ['', undefined],
  [{ name: 'Ada' }, undefined],
  [undefined, undefined],
])('a name from a module becomes one line of at most 100 characters, or none (%#)', async (given, name) => {
  expect(await askCallerName([answering(given)], '4930123', 10_000)).toBe(name);
});
