import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VerbNotSupported } from '../../http/failure.ts';
import type { Method, Route } from '../../http/route.ts';
import { createPathTable } from './path-table.ts';

const routeOf = (method: Method, path: string) => ({ method, path, outside: true }) as unknown as Route;
const found = (routes: readonly Route[], path: string, method: Method = 'GET') =>
  createPathTable(routes).find(method, path);

test('a name in braces matches one non-empty segment, and other segments match literally', () => {
  const routes = [routeOf('GET', '/a/{client}/calls/{call}'), routeOf('GET', '/a/b.c')];
  expect(found(routes, '/a/1/calls/x%20y/')?.params).toEqual({ client: '1', call: 'x y' });
  expect(found(routes, '/a/b.c')?.params).toEqual({});
  for (const path of ['/a', '/a/', '/a//calls/2', '/a/1/calls/', '/a/bxc', '/A/b.c', '/a/1/calls/2/3'])
    expect(found(routes, path), path).toBeUndefined();
});

test('the first row that matches path and verb is used', () => {
  const [first, second, third] = ['/a/{x}', '/a/b', '/{z}/b'].map((path) => routeOf('GET', path)) as [
    Route,
    Route,
    Route,
  ];
  expect(found([first, second, third], '/a/b')?.route).toBe(first);
  expect(found([third, second, first], '/a/b')).toMatchObject({ route: third, params: { z: 'a' } });
  const posted = routeOf('POST', '/a/b');
  expect(found([first, posted, third], '/a/b', 'POST')?.route).toBe(posted);
  expect(() => found([first, posted, third], '/a/b', 'PUT')).toThrow(
    new VerbNotSupported('PUT', ['GET', 'POST']),
  );
});

test('rows that cannot be told apart are refused', () => {
  expect(() => createPathTable([routeOf('GET', '/a'), routeOf('GET', '/a')])).toThrow('declared twice');
  expect(() => createPathTable([routeOf('GET', '/{a}/{a}')])).toThrow('the same name');
});

test('every row is found as a pattern of the whole path would find it', () => {
  const segment = fc.constantFrom('a', 'b', '{x}', '{y}');
  const path = fc.uniqueArray(segment, { minLength: 1, maxLength: 4 });
  const asked = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 4 });
  const rows = fc.uniqueArray(
    path.map((parts) => `/${parts.join('/')}`),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(rows, asked, (paths, parts) => {
      const sought = `/${parts.join('/')}`;
      const first = paths.find((one) =>
        new RegExp(`^${one.replaceAll(/\{\w\}/g, '[^/]+')}$`).test(sought.replace(/\/$/, '')),
      );
      expect(
        found(
          paths.map((one) => routeOf('GET', one)),
          sought,
        )?.route.path,
      ).toBe(first);
    }),
  );
});
