import type { AppContext } from '../../app-context.ts';
import type { Limits } from '../../http/admission.ts';
import { ownOrigin } from '../../http/asked-origin.ts';
import { type Caller, callerText } from '../../http/caller.ts';
import { createIdentify } from '../../http/identify.ts';
import type { Route } from '../../http/route.ts';
import type { Router } from '../../http/router.ts';
import { createSourceAddress } from '../../http/source-address.ts';
import type { Pause } from '../../lib/clock.ts';
import type { Stores } from '../../open-stores.ts';
import type { FirewallArea } from '../firewall/firewall.ts';
import { createApiKeyFeature } from './api-keys/api-keys.feature.ts';
import { createAuthFeature } from './auth/auth.feature.ts';
import type { PasswordCost } from './auth/passwords.ts';

interface AccessNeeds {
  readonly pause: Pause;
  /** Whether this path can be granted to a key. */
  readonly isDeclared: (path: string) => boolean;
  /** All present routes, including those of modules. */
  readonly routes: () => readonly Route[];
  /** Matches requests to these routes. */
  readonly router: () => Router;
  readonly limits: Limits;
  readonly passwordCost: PasswordCost | undefined;
}

/** Authentication: people with passwords, programs with keys. */
export async function createAccessArea(
  { config, clock, steady, opened, errorLogger }: AppContext,
  { sql, db, ttl, events, settings }: Stores,
  { failures, fail2ban, forgetKey, holdings, compileFilter, filterExists, describeFilter }: FirewallArea,
  { pause, isDeclared, routes: allRoutes, router, limits, passwordCost }: AccessNeeds,
) {
  const { redisPrefix, adminPassword, timezone } = config;
  const auth = await createAuthFeature({
    db,
    ttl,
    settings,
    redisPrefix,
    adminPassword,
    passwordCost,
    rules: fail2ban,
    failures,
    clock,
    pause,
    onThreadDied: errorLogger('the thread that hashes passwords died'),
  });
  opened.defer(() => auth.close());
  const keys = createApiKeyFeature({
    sql,
    secret: auth.secrets.apiKeys,
    clock,
    steady,
    holdings,
    timezone,
    compileFilter,
    filterExists,
    describeFilter,
    isDeclared,
    routes: allRoutes,
    router,
    limits,
    sourceAt: createSourceAddress({ trustedProxies: config.trustedProxies }).direct,
    ownOrigin: ownOrigin(config.host, config.httpPort),
    onDeleted: forgetKey,
    events,
    onError: errorLogger('use of API keys cannot be saved'),
    onPollsUntold: errorLogger('the state of bouncers cannot be reported'),
  });
  opened.defer(() => keys.close());
  const routes: Route[] = [...auth.routes, ...keys.routes];

  return {
    routes,
    identify: createIdentify({ identifyKey: keys.identify, identifySession: auth.identify }),
    /** The callers whose credential is still valid with unchanged rights; for code that keeps callers over time. */
    async unchanged(callers: readonly Caller[]): Promise<Set<Caller>> {
      const [byKey, byToken] = await Promise.all([
        keys.unchanged(callers.filter((caller) => caller.kind === 'api_key')),
        auth.unchanged(callers.filter((caller) => caller.kind === 'jwt')),
      ]);
      return new Set<Caller>([...byKey, ...byToken]);
    },
    /** Name of the caller for the log: a login, or a key with its description. */
    nameOf: async (caller: Caller | undefined): Promise<string> =>
      caller?.kind === 'api_key'
        ? `${callerText(caller)} "${await keys.descriptionOf(caller)}"`
        : callerText(caller),
    secrets: auth.secrets,
    releaseHeld: auth.releaseHeld,
    keys,
    /** Bouncers that are late or silent, so that they do not enforce recent bans. */
    lateBouncers: keys.lateBouncers,
  };
}
