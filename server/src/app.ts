import type { Logger } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import type { Ground } from './app-context.ts';
import type { Config } from './config.ts';
import type { Engine } from './engine/engine.ts';
import { createNamedCallers } from './engine/named-callers.ts';
import { composeAccess } from './features/access/access.ts';
import { apiKeyRoutes } from './features/access/api-keys/api-keys.routes.ts';
import { authRoutes } from './features/access/auth/auth.routes.ts';
import { fail2banRoutes } from './features/firewall/fail2ban/fail2ban.routes.ts';
import { firewallRoutes } from './features/firewall/firewall/firewall.routes.ts';
import { composeFirewall } from './features/firewall/firewall.ts';
import { decisionObject } from './features/firewall/firewall-bouncer/decision.ts';
import { bouncerRoutes } from './features/firewall/firewall-bouncer/firewall-bouncer.routes.ts';
import { networkFilterRoutes } from './features/firewall/network-filters/network-filters.routes.ts';
import { moduleRoutes } from './features/modules/modules/modules.routes.ts';
import { composeModules } from './features/modules/modules.ts';
import { docsRoutes } from './features/system/docs/docs.routes.ts';
import { openapiRoutes } from './features/system/openapi/openapi.routes.ts';
import { systemRoutes } from './features/system/system/system.routes.ts';
import type { CdrLimits } from './features/telephony/cdr/limits.ts';
import { composeEngine } from './features/telephony/engine.ts';
import { extensionRoutes } from './features/telephony/extensions/extensions.routes.ts';
import { providerRoutes } from './features/telephony/providers/providers.routes.ts';
import { sipRoutes } from './features/telephony/sip/sip.routes.ts';
import { sipLines } from './features/telephony/sip-lines.ts';
import { composeTelephony } from './features/telephony/telephony.ts';
import { createMetrics } from './http/metrics.ts';
import { openapiDocument } from './http/openapi.ts';
import { permissionCatalogue } from './http/permissions.ts';
import type { Route } from './http/route.ts';
import { type Clock, type Pause, systemPause } from './lib/clock.ts';
import type { ModuleLimits } from './module-host/limits.ts';
import { openPorts } from './open-ports.ts';
import { openStores, storeProblems } from './open-stores.ts';

export interface App {
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  /** Of the first administrator; only at the very first start, to be shown once. */
  readonly generatedPassword: string | undefined;
  /** For people: where phones register now, or why they cannot. */
  sipLines(): string[];
  /** Every declared route, those of modules that run now included. */
  readonly routes: readonly Route[];
  /** Before `close`: the telephony engine is not ended with us (ADR 16). */
  leaveEngine(): void;
  /** Stops taking requests, ends those under way, closes everything in reverse order. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** For how long something lasts, whatever `clock` is set to (ADR 28). */
  readonly steady: Clock;
  /** Instead of waiting by the machine's clock. */
  readonly pause?: Pause;
  readonly log: Logger;
  /** Instead of the one that the settings name. */
  readonly engine?: Engine;
  /** How much modules may take, where it differs. */
  readonly moduleLimits?: Partial<ModuleLimits>;
  /** How much call records may take, where it differs. */
  readonly cdrLimits?: Partial<CdrLimits>;
}

export const VERSION: string = packageJson.version;

/**
 * Builds the whole service, floor by floor, and opens its ports. If a step fails, what was opened is closed again.
 * A floor that needs something from a later one gets a function, called only once the house stands.
 */
export async function createApp({
  config,
  clock,
  steady,
  pause = systemPause,
  log,
  engine: given,
  moduleLimits = {},
  cdrLimits,
}: AppOptions): Promise<App> {
  const { timezone } = config;
  const opened = new AsyncDisposableStack();
  const ground: Ground = {
    config,
    clock,
    steady,
    log,
    opened,
    complain: (what) => (error) => log.error({ err: error }, what),
  };

  try {
    const stores = await openStores(ground);
    const firewall = await composeFirewall(ground, stores, {
      providerHosts: () => telephony.providerHosts(),
      isAnotherWorking: (address, account) => telephony.isAnotherWorking(address, account),
      usersOfFilter: async (id) => [...(await access.keysBoundTo(id)), ...(await telephony.filterUsers(id))],
      refuseOwnFilter: (caller, id, trx) => access.keys.refuseOwnFilter(caller, id, trx),
    });
    const access = await composeAccess(ground, stores, firewall, {
      pause,
      isDeclared: (path) => permissions().isDeclared(path),
    });
    const recordingSecret = access.secrets.jwt;
    const {
      engine: plainEngine,
      state: engineState,
      status: engineStatus,
    } = given ? { engine: given, state: undefined, status: undefined } : await composeEngine(ground);
    // An engine that is up already may speak before the modules are there.
    let nameOf = async (_number: string): Promise<string | undefined> => undefined;
    const engine = createNamedCallers(plainEngine, (number) => nameOf(number));
    const telephony = await composeTelephony(ground, stores, firewall, {
      engine,
      recordingSecret,
      cdrLimits,
    });
    const addOns = await composeModules(ground, stores, firewall, telephony, {
      version: VERSION,
      coreRoutes: () => coreRoutes,
      limits: moduleLimits,
    });
    nameOf = addOns.host.callerName;
    const metrics = createMetrics({
      gauges: [{ name: 'pbxcore_decisions', help: 'Bans exported now', value: firewall.feed.size }],
    });

    // The whole interface
    const { describeFilter, bans, sweep, fail2ban } = firewall;
    const { employees, sipProviders, pbxStatus, cdr } = telephony;
    const coreRoutes: Route[] = [
      ...systemRoutes({ version: VERSION, storeProblems: () => storeProblems(stores), engineState, metrics }),
      ...authRoutes({ auth: access.auth }),
      ...apiKeyRoutes({ keys: access.keys, timezone, describeFilter }),
      ...networkFilterRoutes({ filters: firewall.filters }),
      ...firewallRoutes({ firewall: firewall.firewall, decisionObject }),
      ...fail2banRoutes({
        store: fail2ban,
        settings: stores.settings,
        settleBans: bans.settle,
        sweep: sweep.sweep,
        countEmployees: employees.count,
      }),
      ...employees.routes,
      ...sipProviders.routes,
      ...providerRoutes(sipProviders.common),
      ...cdr.routes,
      ...sipRoutes({
        board: pbxStatus.board,
        employees: employees.directory,
        providers: sipProviders.statuses,
        timezone,
      }),
      ...pbxStatus.routes,
      ...extensionRoutes({ employees: employees.directory }),
      ...bouncerRoutes({
        ...firewall,
        clock: steady,
        notePoll: access.notePoll,
        keepMetrics: access.keepMetrics,
      }),
      ...moduleRoutes({ modules: () => addOns.modules }),
      ...openapiRoutes({ document: () => document(), permissions: () => permissions() }),
      ...docsRoutes(),
    ];
    const routes = () => [...coreRoutes, ...addOns.host.routes()];
    // Made again when a module comes or goes.
    const permissions = perVersion(addOns.host.version, () => permissionCatalogue(routes()));
    const document = perVersion(addOns.host.version, () => openapiDocument(routes(), VERSION));

    await addOns.start();
    const { httpPort, httpsPort } = await openPorts(ground, {
      router: addOns.router(),
      identify: access.identify,
      metrics,
    });
    // Closing begins here: the ports wait for answers under way, and need not for those.
    opened.defer(access.releaseHeld);
    const { generatedPassword } = access.secrets;
    let closing: Promise<void> | undefined;
    return {
      httpPort,
      httpsPort,
      generatedPassword,
      sipLines: () => (engineStatus ? sipLines({ telephony: config.telephony, engine: engineStatus() }) : []),
      get routes() {
        return routes();
      },
      leaveEngine: () => engine.leaveRunning?.(),
      // Whoever comes second waits as well; the stack itself would let them go at once.
      close() {
        closing ??= opened.disposeAsync();
        return closing;
      },
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** What is made from the routes, kept as long as they stay the same. */
function perVersion<T>(version: () => number, make: () => T): () => T {
  let made: { version: number; value: T } | undefined;
  return () => {
    if (made?.version !== version()) made = { version: version(), value: make() };
    return made.value;
  };
}
