import { expect, test } from 'vitest';
import { API_ROOT, publicAccess, type Route, route } from './route.ts';
import { createRouter } from './router.ts';

const item = (path: string, pattern: RegExp): Route =>
  route({
    method: 'GET',
    path,
    function: 'x',
    access: publicAccess,
    summary: '',
    id: { pattern, description: '' },
    handle: () => ({}),
  });

test('an id is matched as its pattern was written: with the flags of the expression', () => {
  const router = createRouter([item('/things/{id}', /^[\p{L}]+$/u), item('/others/{id}', /^[a-z]+$/i)]);
  expect(router.find('GET', `${API_ROOT}/things/m%C3%BCller`).id).toBe('müller');
  expect(router.find('GET', `${API_ROOT}/others/Anna`).id).toBe('Anna');
  expect(() => router.find('GET', `${API_ROOT}/things/7`)).toThrow('not found');
  expect(() => router.find('GET', `${API_ROOT}/things/p{L}`)).toThrow('not found');
});
