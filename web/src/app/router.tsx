import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { needTexts } from '../texts/i18n.ts';
import { Failure } from '../ui/failure.tsx';
import { NotHere } from './not-here.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotHere });

/** The query of the URL: each screen reads its own part, and ignores what it does not know. */
type Search = Record<string, string | number | boolean | undefined>;

function screen<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component,
    validateSearch: (search: Record<string, unknown>): Search => search as Search,
  });
}

/** Loaded when first shown. If that fails, it shows an error, and the reader chooses when to reload the page. */
function lazy<T extends Record<string, unknown>>(load: () => Promise<T>, name: keyof T & string) {
  const loadOrSay = () =>
    load().catch((error: unknown) => {
      void queryClient.invalidateQueries({ queryKey: ['page'] });
      return { [name]: () => <Failure error={error} retry={() => location.reload()} /> };
    });
  return lazyRouteComponent(loadOrSay, name as string) as RouteComponent;
}

/** The screens of the call flow also load their texts. */
const flow = <T extends Record<string, unknown>>(load: () => Promise<T>, name: keyof T & string) =>
  lazy(async () => (await Promise.all([load(), needTexts('callFlow')]))[0], name);

/** Every URL of the page. The service has the same list (`page.routes.ts`), so that reload and links work. */
const routeTree = root.addChildren([
  screen(
    '/',
    lazy(() => import('../features/system/overview/overview.tsx'), 'Overview'),
  ),
  screen(
    '/welcome',
    lazy(() => import('../features/system/welcome/welcome.tsx'), 'Welcome'),
  ),
  screen(
    '/password',
    lazy(() => import('../features/access/auth/change-password.tsx'), 'ChangePassword'),
  ),
  screen(
    '/employees',
    lazy(() => import('../features/telephony/employees/employees.tsx'), 'Employees'),
  ),
  screen(
    '/employees/import',
    lazy(() => import('../features/telephony/employees/employee-import.tsx'), 'EmployeeImport'),
  ),
  screen(
    '/employees/$id',
    lazy(() => import('../features/telephony/employees/employee.tsx'), 'EmployeeScreen'),
  ),
  screen(
    '/providers',
    lazy(() => import('../features/telephony/sip-providers/providers.tsx'), 'Providers'),
  ),
  screen(
    '/providers/$id',
    lazy(() => import('../features/telephony/sip-providers/provider.tsx'), 'ProviderScreen'),
  ),
  screen(
    '/calls',
    lazy(() => import('../features/telephony/cdr/calls.tsx'), 'Calls'),
  ),
  screen(
    '/call-flow',
    flow(() => import('../features/call-flow/picture/call-flow.tsx'), 'CallFlow'),
  ),
  screen(
    '/incoming-routes',
    flow(() => import('../features/call-flow/incoming-routes/incoming-routes.tsx'), 'IncomingRoutes'),
  ),
  screen(
    '/incoming-routes/$id',
    flow(() => import('../features/call-flow/incoming-routes/incoming-route.tsx'), 'IncomingRouteScreen'),
  ),
  screen(
    '/outbound-routes',
    flow(() => import('../features/call-flow/outbound-routes/outbound-routes.tsx'), 'OutboundRoutes'),
  ),
  screen(
    '/outbound-routes/$id',
    flow(() => import('../features/call-flow/outbound-routes/outbound-route.tsx'), 'OutboundRouteScreen'),
  ),
  screen(
    '/menus',
    flow(() => import('../features/call-flow/ivr-menu/menus.tsx'), 'Menus'),
  ),
  screen(
    '/menus/$id',
    flow(() => import('../features/call-flow/ivr-menu/menu.tsx'), 'MenuScreen'),
  ),
  screen(
    '/queues',
    flow(() => import('../features/call-flow/call-queues/queues.tsx'), 'Queues'),
  ),
  screen(
    '/queues/$id',
    flow(() => import('../features/call-flow/call-queues/queue-screen.tsx'), 'QueueScreen'),
  ),
  screen(
    '/opening-hours',
    flow(() => import('../features/call-flow/off-work-times/opening-hours.tsx'), 'OpeningHours'),
  ),
  screen(
    '/opening-hours/$id',
    flow(() => import('../features/call-flow/off-work-times/rule.tsx'), 'RuleScreen'),
  ),
  screen(
    '/sounds',
    flow(() => import('../features/call-flow/sound-files/sounds.tsx'), 'Sounds'),
  ),
  screen(
    '/sounds/$id',
    flow(() => import('../features/call-flow/sound-files/sound-screen.tsx'), 'SoundScreen'),
  ),
  screen(
    '/bans',
    lazy(() => import('../features/firewall/bans/bans.tsx'), 'Bans'),
  ),
  screen(
    '/networks',
    lazy(() => import('../features/firewall/network-filters/networks.tsx'), 'Networks'),
  ),
  screen(
    '/networks/$id',
    lazy(() => import('../features/firewall/network-filters/network.tsx'), 'NetworkScreen'),
  ),
  screen(
    '/rules',
    lazy(() => import('../features/firewall/fail2ban/rules.tsx'), 'Rules'),
  ),
  screen(
    '/bouncers',
    lazy(() => import('../features/firewall/firewall-bouncer/bouncers.tsx'), 'Bouncers'),
  ),
  screen(
    '/api-keys',
    lazy(() => import('../features/access/api-keys/api-keys.tsx'), 'ApiKeys'),
  ),
  screen(
    '/api-keys/$id',
    lazy(() => import('../features/access/api-keys/api-key.tsx'), 'ApiKeyScreen'),
  ),
  screen(
    '/modules',
    lazy(() => import('../features/modules/modules/modules.tsx'), 'Modules'),
  ),
  screen(
    '/modules/$id',
    lazy(() => import('../features/modules/modules/module.tsx'), 'ModuleScreen'),
  ),
  screen(
    '/status',
    lazy(() => import('../features/system/system/status.tsx'), 'StatusScreen'),
  ),
]);

export const router = createRouter({
  routeTree,
  // Ids and numbers stay strings: `0001` is not 1.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text ? `?${text}` : '';
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
