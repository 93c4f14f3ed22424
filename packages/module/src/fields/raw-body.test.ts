import { expect, test } from 'vitest';
import { declareRaw, MAX_RAW_BYTES } from './raw-body.ts';

test('an operation takes JSON, or bytes up to a limit that it may lower', () => {
  expect(declareRaw({}, 'x')).toBeUndefined();
  expect(declareRaw({ body: {}, csv: true, verb: 'POST' }, 'x')).toBeUndefined();
  expect(declareRaw({ body: 'raw', verb: 'POST' }, 'x')).toBe(MAX_RAW_BYTES);
  for (const maxBytes of [1, 10, MAX_RAW_BYTES])
    expect(declareRaw({ body: 'raw', maxBytes }, 'x')).toBe(maxBytes);
});

test.each([
  [{ body: 'RAW' }, `body "RAW" is neither fields nor 'raw'`],
  [{ maxBytes: 5 }, `maxBytes is for operations with body: 'raw'`],
  [{ body: {}, maxBytes: 5 }, `maxBytes is for operations with body: 'raw'`],
  [{ body: 'raw', maxBytes: 0 }, 'maxBytes must be 1..1048576'],
  [{ body: 'raw', maxBytes: 1.5 }, 'maxBytes must be 1..1048576'],
  [{ body: 'raw', maxBytes: MAX_RAW_BYTES + 1 }, 'maxBytes must be 1..1048576'],
  [{ body: 'raw', maxBytes: '5' }, 'maxBytes must be 1..1048576'],
  [{ body: 'raw', csv: true }, 'csv is read out of a body'],
  [{ body: 'raw', verb: 'GET' }, 'a GET has no body'],
])('an impossible declaration is refused with its reason: %j', (given, reason) => {
  expect(() => declareRaw(given, 'hooks, action a')).toThrow(`hooks, action a: ${reason}`);
});
