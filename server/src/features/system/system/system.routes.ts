import Type from 'typebox';
import { answer, bareJson } from '../../../http/answer.ts';
import { callerText } from '../../../http/caller.ts';
import { administratorOnly, anyCredential, publicAccess, type Route, route } from '../../../http/route.ts';
import { StoreUnavailable } from '../../../lib/errors.ts';

interface SystemParts {
  readonly version: string;
  /** One problem per store that does not answer now or refuses writes. */
  readonly storeProblems: () => Promise<string[]>;
  /** State of the telephony engine in one word; absent when this service does not manage the engine. */
  readonly engineState?: (() => string) | undefined;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

export const SYSTEM_GROUP = {
  label: 'System',
  description: 'The service itself: its health, its state, its log, and the account behind a credential',
};

export function systemRoutes({ version, storeProblems, engineState, metrics }: SystemParts): Route[] {
  const ping = {
    method: 'GET',
    function: 'ping',
    access: publicAccess,
    group: SYSTEM_GROUP,
    summary: 'Check that the service answers',
    answer: Type.Object({}),
    handle: () => ({}),
  } as const;

  // Health checks have no rate limit, so those at the same moment share one check of the stores.
  let looking: Promise<string[]> | undefined;
  const look = () => {
    looking ??= storeProblems().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return [
    route({ ...ping, path: '/system:ping' }),
    route({ ...ping, path: '/pbxcore/api/system/ping', outside: true, hidden: true }),
    route({
      method: 'GET',
      path: '/system:checkAuth',
      function: 'checkAuth',
      access: anyCredential,
      group: SYSTEM_GROUP,
      summary: 'Account or API key behind the credential',
      answer: Type.Object({
        version: Type.String(),
        authType: Type.Enum(['api_key', 'jwt']),
        keyId: Type.Optional(Type.String()),
        login: Type.Optional(Type.String()),
      }),
      handle: ({ caller }) => ({
        version,
        authType: caller?.kind,
        ...(caller?.kind === 'api_key' ? { keyId: caller.id } : { login: callerText(caller) }),
      }),
    }),
    route({
      method: 'GET',
      path: '/health',
      outside: true,
      hidden: true,
      function: 'health',
      access: publicAccess,
      unlimited: true, // contract 17.21
      summary: 'Health for load balancers: 200 while every store answers and accepts writes, otherwise 503',
      async handle() {
        const problems = await look();
        if (problems.length > 0) throw new StoreUnavailable(problems);
        // Without its engine the node stays healthy for the load balancer: the interface works without it.
        return bareJson(
          { status: 'up', ...(engineState && { engine: engineState() }) },
          { 'cache-control': 'no-store' },
        );
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      outside: true,
      hidden: true,
      function: 'metrics',
      access: administratorOnly,
      summary: 'Prometheus metrics',
      async handle() {
        const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
        return answer({ status: 200, headers, parts: [await metrics.text()] });
      },
    }),
  ];
}
