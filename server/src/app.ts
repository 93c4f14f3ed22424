import type { Logger } from 'pino';
import type { AppContext } from './app-context.ts';
import type { Config } from './config.ts';
import { engineReport } from './doctor/engine-report.ts';
import { examineService } from './doctor/examine-service.ts';
import type { Engine } from './engine/engine.ts';
import { createAccessArea } from './features/access/access.ts';
import type { PasswordCost } from './features/access/auth/passwords.ts';
import { createCallFlowArea } from './features/call-flow/call-flow.ts';
import { createFirewallArea } from './features/firewall/firewall.ts';
import { createModulesArea } from './features/modules/modules.ts';
import { createSystemArea } from './features/system/system.ts';
import type { CdrLimits } from './features/telephony/cdr/limits.ts';
import { createTelephonyArea } from './features/telephony/telephony.ts';
import type { Limits } from './http/admission.ts';
import { createMetrics } from './http/metrics.ts';
import { createRateLimit } from './http/rate-limit.ts';
import type { Route } from './http/route.ts';
import { createSourceAddress } from './http/source-address.ts';
import { type Clock, type Pause, systemPause } from './lib/clock.ts';
import { createRecentLog, type RecentLog } from './lib/recent-log.ts';
import type { ModuleLimits } from './module-host/process/limits.ts';
import { openPorts } from './open-ports.ts';
import { openStores, storeProblems } from './open-stores.ts';
import { VERSION } from './version.ts';

export interface App {
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  /** Of the first administrator; only at the very first start, to be shown once. */
  readonly generatedPassword: string | undefined;
  /** For people: where phones register now, or why they cannot. */
  sipLines(): string[];
  /** Every declared route, including those of running modules. */
  readonly routes: readonly Route[];
  /** Called before `close` on an unrequested exit: the telephony engine stays (ADR 16), suspects are noted (ADR 51). */
  died(): void;
  /** Stops accepting requests, ends those under way, closes everything in reverse order. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** For measuring durations, whatever `clock` is set to (ADR 28). */
  readonly steady: Clock;
  /** For one command: what the service left behind when it ended is for its own next start. */
  readonly isPassing?: boolean;
  /** Replaces waiting by the machine's clock. */
  readonly pause?: Pause;
  readonly log: Logger;
  /** The latest log lines, if they are kept. */
  readonly recentLog?: RecentLog;
  /** Replaces the engine named in the settings. */
  readonly engine?: Engine;
  /** Limits of modules that differ from the defaults. */
  readonly moduleLimits?: Partial<ModuleLimits>;
  /** Limits of call records that differ from the defaults. */
  readonly cdrLimits?: Partial<CdrLimits>;
  /** The cost of hashing a password, if it differs from the default. */
  readonly passwordCost?: PasswordCost;
}

/**
 * Builds the whole service, area by area, and opens its ports. If a step fails, what was opened is closed again.
 * An area that needs something from a later one gets a function, called only once everything is built.
 */
export async function createApp({
  config,
  clock,
  steady,
  isPassing = false,
  pause = systemPause,
  log,
  recentLog = createRecentLog(),
  engine,
  moduleLimits = {},
  cdrLimits,
  passwordCost,
}: AppOptions): Promise<App> {
  const opened = new AsyncDisposableStack();
  const errorLogger = (what: string) => (error: unknown) => log.error({ err: error }, what);
  // An engine that is already running asks where calls go before that area is built.
  const callFlowBuilt = Promise.withResolvers<Awaited<ReturnType<typeof createCallFlowArea>>>();
  callFlowBuilt.promise.catch(() => {});
  const context: AppContext = { config, clock, steady, log, opened, errorLogger };

  try {
    const stores = await openStores(context);
    const limits: Limits = {
      anonymousLimit: createRateLimit({ perMinute: config.rateLimitAnonymous, clock: steady }),
      callerLimit: createRateLimit({ perMinute: config.rateLimitCaller, clock: steady }),
    };
    const sourceAddress = createSourceAddress({ trustedProxies: config.trustedProxies });
    const firewall = await createFirewallArea(context, stores, {
      providerHosts: () => telephony.providerHosts(),
      isAnotherWorking: (address, account) => telephony.isAnotherWorking(address, account),
      countEmployees: () => telephony.countEmployees(),
      usersOfFilter: async (id) => [
        ...(await access.keys.usersOfFilter(id)),
        ...(await telephony.usersOfFilter(id)),
      ],
      refuseOwnFilter: (caller, id, trx) => access.keys.refuseOwnFilter(caller, id, trx),
      notePoll: (caller, address, userAgent) => access.keys.notePoll(caller, address, userAgent),
      keepMetrics: (caller, report) => access.keys.keepMetrics(caller, report),
    });
    const access = await createAccessArea(context, stores, firewall, {
      pause,
      isDeclared: (path) => system.isDeclared(path),
      routes: () => routes(),
      router: () => router,
      limits,
      passwordCost,
    });
    // An engine that is already running may ask before the modules are built.
    let callerName = async (_number: string): Promise<string | undefined> => undefined;
    const telephony = await createTelephonyArea(context, stores, firewall, {
      engine,
      recordingSecret: access.secrets.jwt,
      cdrLimits,
      callFlow: async () => (await callFlowBuilt.promise).desired(),
      callerName: (number) => callerName(number),
    });
    const callFlow = await createCallFlowArea(context, stores, telephony, {
      tokenSecret: access.secrets.jwt,
    });
    callFlowBuilt.resolve(callFlow);
    const modules = await createModulesArea(context, stores, firewall, telephony, {
      version: VERSION,
      coreRoutes: () => coreRoutes,
      isPassing,
      limits: moduleLimits,
      callerLimit: limits.callerLimit,
      onWritten: (change) => system.recordWritten(change),
      nameOf: access.nameOf,
      logLines: recentLog.lines,
    });
    callerName = modules.callerName;
    const metrics = createMetrics({
      gauges: [
        { name: 'pbxcore_decisions', help: 'Bans exported now', value: firewall.countDecisions },
        {
          name: 'pbxcore_call_records_refused',
          help: 'Call records that the database refused because of their content, since the start',
          value: telephony.countRefusedLegs,
        },
      ],
      series: modules.metrics,
    });
    const routes = () => [...coreRoutes, ...modules.publishedRoutes()];
    const engineStatus = () => engineReport(config, { last: telephony.engineStatus?.(), isServed: true });
    const system = createSystemArea(context, stores, {
      version: VERSION,
      recentLog,
      engine: engineStatus,
      findings: () =>
        examineService({
          config,
          clock,
          engine: engineStatus,
          database: { ...stores.sql, keys: access.keys, filters: firewall.filters },
          storeProblems: () => storeProblems(stores),
          lateBouncers: access.lateBouncers,
          passedOn: sourceAddress.passedOn,
          modules: modules.examined,
          unreadableBans: async () => {
            await firewall.bans.settle();
            return firewall.bans.unreadableKeys();
          },
        }),
      countBans: firewall.countDecisions,
      engineState: telephony.engineState,
      metrics,
      routes,
      routesVersion: modules.version,
      unchanged: access.unchanged,
    });
    const coreRoutes: Route[] = [
      ...system.routes,
      ...access.routes,
      ...firewall.routes,
      ...telephony.routes,
      ...callFlow.routes,
      ...modules.routes,
    ];

    await modules.start();
    const router = modules.router();
    const { httpPort, httpsPort } = await openPorts(context, {
      router,
      identify: access.identify,
      metrics,
      limits,
      onWritten: system.recordWritten,
      sourceAddress,
    });
    // Deferred last, so they run first: they end held-back and endless answers, for which the ports would wait.
    opened.defer(modules.end);
    opened.defer(access.releaseHeld);
    opened.defer(system.endStreams);
    telephony.startTelling();
    callFlow.startTelling();
    modules.startTelling();
    const { generatedPassword } = access.secrets;
    let closing: Promise<void> | undefined;
    return {
      httpPort,
      httpsPort,
      generatedPassword,
      sipLines: telephony.sipLines,
      get routes() {
        return routes();
      },
      died() {
        modules.died();
        telephony.leaveEngine();
      },
      // A second call waits for the same closing; the stack itself would resolve at once.
      close() {
        closing ??= opened.disposeAsync();
        return closing;
      },
    };
  } catch (error) {
    callFlowBuilt.reject(error);
    await opened.disposeAsync();
    throw error;
  }
}
