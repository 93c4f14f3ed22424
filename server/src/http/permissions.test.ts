import { expect, test } from 'vitest';
import { permissionCatalogue } from './permissions.ts';
import { type Route, route } from './route.ts';

const of = (module: string): Route =>
  route({
    method: 'GET',
    path: `/module-${module.toLowerCase()}/x`,
    access: {
      kind: 'resource',
      resource: { path: `/api/v3/${module}`, label: 'x', description: 'x', levels: ['read'], module },
      level: 'read',
    },
    function: 'x',
    summary: 'x',
    handle: () => ({}),
  });

test('no module takes the place of a category of the core', () => {
  const { categories } = permissionCatalogue([of('AdminCabinet'), of('Odd')]).detailed();
  expect(Object.keys(categories)).toEqual(['AdminCabinet', 'PBX_CORE_REST', 'Odd']);
  expect(categories).toMatchObject({ AdminCabinet: { type: 'APP', controllers: {} } });
});
