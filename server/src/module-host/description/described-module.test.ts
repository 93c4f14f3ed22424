import { expect, test } from 'vitest';
import { checkDescription } from './described-module.ts';
import { type CheckedManifest, parseManifest } from './manifest.ts';

const manifest = parseManifest(
  JSON.stringify({ id: 'Demo', version: '1.0.0', generation: 3, slug: 'demo', main: 'index.js' }),
  '2026.1.1',
) as CheckedManifest;

/** The maximum number of resources, each with fields of this kind. */
function describing(fields: number, field: object): string {
  const declared = Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, field]));
  const resources = Array.from({ length: 100 }, (_, i) => ({
    path: `/pbxcore/api/v3/module-demo/things-${i}`,
    permission: 'things',
    channels: ['bearer_token'],
    fields: i % 2 === 0 ? declared : {},
    operations: i % 2 === 0 ? [] : [{ kind: 'list', handler: i, query: declared }],
  }));
  return JSON.stringify({ resources });
}

test('defaults that together take too long to check against their patterns are refused with the place', () => {
  const pattern = '.*.*b';
  const long = { type: 'string', pattern, default: `${'a'.repeat(254)}b` };
  expect(() => checkDescription(describing(1, long), manifest)).toThrow(
    /^things-\d+(, query)?, field f0: the defaults up to here take too long to check against their patterns$/,
  );
  checkDescription(describing(10, { ...long, default: 'aaaab' }), manifest);
  checkDescription(describing(10, { ...long, default: undefined }), manifest);
});
