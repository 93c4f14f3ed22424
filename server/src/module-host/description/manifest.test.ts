import { expect, test } from 'vitest';
import { parseManifest } from './manifest.ts';

const VALID = { id: 'Demo', version: '1.0.0', generation: 3, slug: 'demo', main: 'index.js' };
const objection = (more: object) =>
  parseManifest(JSON.stringify({ ...VALID, ...more }), '2026.1.1').objection;

test('every documented key is accepted', () => {
  const all = { name: 'Demo', developer: '', description: '', min_pbx_version: '2026.1.1' };
  const rights = { reads: ['calls'], writes: ['employees'], acts: ['hangup'] };
  expect(objection({ ...all, ...rights, channels: ['localhost'], settings: {} })).toBeUndefined();
});

test.each(['raeds', 'setings', 'Main', 'license', '', '__proto_', 'toString', '\u202e'])(
  'the unknown key %j is refused by name',
  (key) => {
    expect(objection({ [key]: 1 })).toMatch(/^module\.json: ".*" is not one of id, name, version/);
  },
);

test.each([
  ['{ not json', 'module.json is not valid JSON'],
  ['{\n  "id": "Demo",\n  "version" "1"\n}', 'module.json is not valid JSON (line 3)'],
  ['{\n  "id": "Demo",\n', 'module.json is not valid JSON (line 3)'],
  ['', 'module.json is not valid JSON'],
])('%j is refused as invalid JSON, with the line where possible', (json, reason) => {
  expect(() => parseManifest(json, '2026.1.1')).toThrow(reason);
});
