import { expect, test, vi } from 'vitest';
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

test('an id is matched with the flags of its pattern', () => {
  const router = createRouter([item('/things/{id}', /^[\p{L}]+$/u), item('/others/{id}', /^[a-z]+$/i)]);
  expect(router.find('GET', `${API_ROOT}/things/m%C3%BCller`).id).toBe('müller');
  expect(router.find('GET', `${API_ROOT}/others/Anna`).id).toBe('Anna');
  expect(() => router.find('GET', `${API_ROOT}/things/7`)).toThrow('not found');
  expect(() => router.find('GET', `${API_ROOT}/things/p{L}`)).toThrow('not found');
});

test('at most one pattern is tried, once and on at most 256 characters, as strangers can send any path', () => {
  const pattern = /^a[a-z]*$/u;
  const actions = Array.from({ length: 200 }, (_, i) => item(`/things/{id}:act${i}`, pattern));
  const router = createRouter([item('/things/{id}', pattern), ...actions]);
  const tried = (path: string): string[] => {
    const exec = vi.spyOn(RegExp.prototype, 'exec');
    try {
      router.find('GET', API_ROOT + path);
    } catch {}
    const { contexts, calls } = exec.mock;
    exec.mockRestore();
    return calls.filter((_, i) => String(contexts[i]).includes('a[a-z]*')).map(([text]) => text);
  };
  const longest = 'b'.repeat(256);
  expect(tried(`/things/${longest}`)).toEqual([longest]);
  expect(tried('/things/abc:act199')).toEqual(['abc']);
  for (const path of [
    '/things/abc:other',
    `/things/${longest}b`,
    '/others/abc',
    '/things/abc/act1',
    '/things/',
  ])
    expect(tried(path), path).toEqual([]);
});

test('an id has at most 256 characters, whatever its pattern says', () => {
  const router = createRouter([item('/things/{id}:act', /^.+$/)]);
  expect(router.find('GET', `${API_ROOT}/things/${'%61'.repeat(256)}:act`).id).toBe('a'.repeat(256));
  expect(() => router.find('GET', `${API_ROOT}/things/${'a'.repeat(257)}:act`)).toThrow('not found');
});

test('a pattern must match the whole id, and an id must have its own segment', () => {
  const router = createRouter([item('/things/{id}', /\d+/)]);
  expect(router.find('GET', `${API_ROOT}/things/12`).id).toBe('12');
  for (const id of ['x12', '12x', '{id}'])
    expect(() => router.find('GET', `${API_ROOT}/things/${id}`)).toThrow('not found');
  for (const path of ['/things-{id}', '/things/{id}/parts', '/things/{id}-x', '/{id}/things/{id}'])
    expect(() => createRouter([item(path, /^\d+$/)]), path).toThrow('only an action may follow the {id}');
});
