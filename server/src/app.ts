import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { apiKeyRoutes } from './features/api-keys/api-keys.routes.ts';
import { createApiKeys } from './features/api-keys/api-keys.service.ts';
import { createApiKeyStore } from './features/api-keys/api-keys.store.ts';
import { createKeyAuth, createKeyHash } from './features/api-keys/key-auth.ts';
import { createKeyUse } from './features/api-keys/key-use.ts';
import { authRoutes } from './features/auth/auth.routes.ts';
import { createAuth } from './features/auth/auth.service.ts';
import { firstStart } from './features/auth/first-start.ts';
import { createTokenStore } from './features/auth/tokens.store.ts';
import { createUserStore } from './features/auth/users.store.ts';
import { fail2banRoutes } from './features/fail2ban/fail2ban.routes.ts';
import { createFail2BanStore } from './features/fail2ban/fail2ban.store.ts';
import { createAllowList } from './features/firewall/allow-list.ts';
import { createAllowListSweep } from './features/firewall/allow-list-sweep.ts';
import { createBanPolicy } from './features/firewall/ban-policy.ts';
import { createBanStore } from './features/firewall/bans.store.ts';
import { createFailureCounter } from './features/firewall/failures.ts';
import { firewallRoutes } from './features/firewall/firewall.routes.ts';
import { createFirewall } from './features/firewall/firewall.service.ts';
import { createCursorStore } from './features/firewall-bouncer/cursors.store.ts';
import { decisionObject } from './features/firewall-bouncer/decision.ts';
import { createDecisionFeed } from './features/firewall-bouncer/decision-feed.ts';
import { bouncerRoutes } from './features/firewall-bouncer/firewall-bouncer.routes.ts';
import { createFirewallBouncer } from './features/firewall-bouncer/firewall-bouncer.service.ts';
import { compileFilter, isLocalhost } from './features/network-filters/network-filter.ts';
import { networkFilterRoutes, represent } from './features/network-filters/network-filters.routes.ts';
import { createNetworkFilterStore } from './features/network-filters/network-filters.store.ts';
import { openapiRoutes } from './features/openapi/openapi.routes.ts';
import { systemRoutes } from './features/system/system.routes.ts';
import { holds } from './http/access.ts';
import type { Caller } from './http/caller.ts';
import { loadCertificate } from './http/certificate.ts';
import { createIdentify } from './http/identify.ts';
import { createKernel } from './http/kernel.ts';
import { createMetrics } from './http/metrics.ts';
import { openapiDocument } from './http/openapi.ts';
import { type PermissionCatalogue, permissionCatalogue } from './http/permissions.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createRequestLog } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { createRouter } from './http/router.ts';
import { listen } from './http/server.ts';
import { createSourceAddress } from './http/source-address.ts';
import type { Clock } from './lib/clock.ts';
import { openSql } from './store/sql/open.ts';
import { createSettings } from './store/sql/settings.ts';
import { createEmbeddedTtlStore } from './store/ttl/embedded-ttl-store.ts';
import { createRedisTtlStore } from './store/ttl/redis-ttl-store.ts';

export interface App {
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  /** Of the first administrator; only at the very first start, to be shown once. */
  readonly generatedPassword: string | undefined;
  /** Every declared route. */
  readonly routes: readonly Route[];
  /** Stops taking requests, ends those under way, closes everything in reverse order. */
  close(): Promise<void>;
}

export const VERSION: string = packageJson.version;

/** Builds the whole service, top to bottom, and opens its ports. If a step fails, what was opened is closed again. */
export async function createApp({
  config,
  clock,
  log,
}: {
  config: Config;
  clock: Clock;
  log: Logger;
}): Promise<App> {
  const { redisPrefix, trustedProxies, timezone, dataDir } = config;
  const opened = new AsyncDisposableStack();
  const complain = (what: string) => (error: unknown) => log.error({ err: error }, what);

  try {
    // Stores
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const sql = await openSql({ url: config.databaseUrl, file: join(dataDir, 'pbxcore.sqlite') });
    opened.defer(() => sql.close());
    const ttl = config.redisUrl
      ? await createRedisTtlStore({ url: config.redisUrl, clock, onError: complain('Redis is not usable') })
      : await createEmbeddedTtlStore({
          file: join(dataDir, 'ttl.sqlite'),
          clock,
          onError: complain('bans and cursors cannot be saved'),
        });
    opened.defer(() => ttl.close());
    const { db } = sql;
    const settings = createSettings({ db });
    const users = createUserStore({ db });
    const secrets = await firstStart({ users, settings, adminPassword: config.adminPassword, clock });

    // Firewall: what is banned, what is allowed
    const filters = await createNetworkFilterStore({
      db,
      clock,
      onError: complain('network filters cannot be read'),
    });
    opened.defer(() => filters.close());
    const fail2ban = await createFail2BanStore({
      db,
      clock,
      onError: complain('fail2ban rules cannot be read'),
    });
    opened.defer(() => fail2ban.close());
    const bans = createBanStore({ ttl, keyPrefix: config.banKeyPrefix });
    const feed = createDecisionFeed({ bans, filters, clock });
    const allowList = createAllowList({ filters, fail2ban });
    const allowed = () => allowList.entries().map(({ network }) => network);
    const policy = createBanPolicy({ allowed, trustedProxies });
    const sweep = createAllowListSweep({
      allowList,
      bans,
      onError: complain('the allow-list could not be applied'),
    });
    opened.defer(() => sweep.close());
    const failures = createFailureCounter({
      ttl,
      redisPrefix,
      rules: fail2ban,
      allowList,
      policy,
      bans,
      onBan: (ban) => log.warn(ban, 'address banned'),
      onExempt: (attempt, reason) => log.warn({ ...attempt, reason }, 'address not banned'),
    });

    // Who may call
    const apiKeyStore = createApiKeyStore({ db });
    const keyUse = createKeyUse({
      store: apiKeyStore,
      clock,
      onError: complain('use of API keys cannot be saved'),
    });
    opened.defer(() => keyUse.close());
    const keyHash = createKeyHash(secrets.apiKeys);
    const identifyKey = createKeyAuth({
      store: apiKeyStore,
      keyHash,
      use: keyUse,
      compileFilter,
      isLocalhost,
    });
    const tokens = createTokenStore({ db, clock });
    const auth = await createAuth({ users, tokens, secret: secrets.jwt, ttl, redisPrefix, failures, clock });

    // Features
    const cursors = createCursorStore({ ttl, redisPrefix });
    const bouncer = createFirewallBouncer({
      feed,
      cursors,
      onError: complain('a cursor could not be saved'),
    });
    opened.defer(() => bouncer.settled());
    const firewall = createFirewall({
      bans,
      filters,
      allowList,
      sweep,
      policy,
      decisions: feed,
      settings,
      clock,
      usersOfFilter: async (id) => (await apiKeyStore.boundTo(String(id))).map((name) => `API key "${name}"`),
    });
    let catalogue: PermissionCatalogue | undefined;
    const keys = createApiKeys({
      store: apiKeyStore,
      use: keyUse,
      keyHash,
      clock,
      filterExists: async (id) => (await filters.find(id)) !== undefined,
      isDeclared: (path) => catalogue?.isDeclared(path) ?? false,
      holds,
      onDeleted: cursors.remove,
    });
    const metrics = createMetrics({
      gauges: [{ name: 'pbxcore_decisions', help: 'Bans exported now', value: feed.size }],
    });

    // The whole interface
    const routes: Route[] = [
      ...systemRoutes({
        version: VERSION,
        failingStores: () => failingStores({ database: sql, 'expiring keys': ttl }),
        metrics,
      }),
      ...authRoutes({ auth }),
      ...apiKeyRoutes({ keys, timezone, describeFilter: (id) => describeFilter(id) }),
      ...networkFilterRoutes({ filters }),
      ...firewallRoutes({ firewall, decisionObject }),
      ...fail2banRoutes({ store: fail2ban, settings, sweep: sweep.sweep, countEmployees: async () => 0 }),
      ...bouncerRoutes({ bouncer, feed, allowList, clock, notePoll, keepMetrics }),
      ...openapiRoutes({
        document: () => openapiDocument(routes, VERSION),
        permissions: () => permissionCatalogue(routes),
      }),
    ];
    catalogue = permissionCatalogue(routes);

    // HTTP
    const logRequest = createRequestLog({ log });
    const handle = createKernel({
      router: createRouter(routes),
      sourceAddress: createSourceAddress({ trustedProxies }),
      identify: createIdentify({ identifyKey, identifySession: auth.identify }),
      anonymousLimit: createRateLimit({ perMinute: config.rateLimitAnonymous, clock }),
      callerLimit: createRateLimit({ perMinute: config.rateLimitCaller, clock }),
      clock,
      timezone,
      observe(exchange) {
        metrics.observe(exchange);
        logRequest(exchange);
      },
    });
    const https =
      config.httpsPort === undefined
        ? undefined
        : {
            port: config.httpsPort,
            ...(await loadCertificate({ dataDir, files: config.tls, now: clock.now() })),
          };
    const listeners = await listen({
      handle,
      host: config.host,
      httpPort: config.httpPort,
      https,
      timezone,
      onDefect: complain('a request failed outside its handler'),
    });
    opened.defer(() => listeners.close());

    return {
      httpPort: listeners.httpPort,
      httpsPort: listeners.httpsPort,
      generatedPassword: secrets.generatedPassword,
      routes,
      close: () => opened.disposeAsync(),
    };

    function describeFilter(id: string): string | undefined {
      const filter = filters.current().find((row) => String(row.id) === id);
      return filter && represent(filter);
    }

    function notePoll(caller: Caller | undefined, address: string, userAgent: string): void {
      if (caller?.kind === 'api_key') keyUse.polled(Number(caller.id), address, userAgent);
    }

    async function keepMetrics(caller: Caller | undefined, report: object): Promise<void> {
      if (caller?.kind === 'api_key') await keyUse.reported(Number(caller.id), report);
    }
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function failingStores(stores: Readonly<Record<string, { ping(): Promise<void> }>>): Promise<string[]> {
  const names = Object.keys(stores);
  const outcomes = await Promise.allSettled(Object.values(stores).map((store) => store.ping()));
  return names.filter((_, i) => outcomes[i]?.status === 'rejected');
}
