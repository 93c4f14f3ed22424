import { publicAccess, type Route, route } from '../../../http/route.ts';
import { createPageFiles } from './page-files.ts';

/** Every address of the page (contract 31.1); `web/src/app/router.tsx` has the same list, and a test compares them. */
export const PAGE_ADDRESSES = [
  '/',
  '/welcome',
  '/password',
  '/employees',
  '/employees/import',
  '/employees/{id}',
  '/providers',
  '/providers/{id}',
  '/calls',
  '/call-flow',
  '/incoming-routes',
  '/incoming-routes/{id}',
  '/outbound-routes',
  '/outbound-routes/{id}',
  '/menus',
  '/menus/{id}',
  '/queues',
  '/queues/{id}',
  '/opening-hours',
  '/opening-hours/{id}',
  '/sounds',
  '/sounds/{id}',
  '/bans',
  '/networks',
  '/networks/{id}',
  '/rules',
  '/bouncers',
  '/api-keys',
  '/api-keys/{id}',
  '/modules',
  '/modules/{id}',
  '/status',
];

/** Any `{id}` is accepted: only the page interprets it. */
const anyName = { pattern: /^[^/:]{1,255}$/, description: 'name' };

/** The admin page. It needs no credential; the requests for its data do. */
export function pageRoutes(folder?: string): Route[] {
  const files = createPageFiles(folder);
  const own = (path: string, countedAs: string, handle: Route['handle']): Route =>
    route({
      method: 'GET',
      path,
      outside: true,
      countedAs,
      hidden: true,
      function: 'page',
      access: publicAccess,
      unlimited: true,
      summary: 'Admin page',
      ...(path.includes('{id}') && { id: anyName }),
      handle,
    });
  return [
    ...PAGE_ADDRESSES.map((path) => own(path, '/', () => files.document())),
    own('/assets/{id}', '/assets', ({ id, headers }) => files.asset(id, headers['accept-encoding'])),
  ];
}
