import { createHash } from 'node:crypto';
import Type from 'typebox';
import { answer, empty, JSON_TYPE } from '../../../http/answer.ts';
import type { Caller } from '../../../http/caller.ts';
import type { Dialect } from '../../../http/dialect.ts';
import { matchesEtag } from '../../../http/etag.ts';
import { custom, optional, withDefault } from '../../../http/fields.ts';
import { API_ROOT, type Resource, type Route, reads, route } from '../../../http/route.ts';
import { acceptsGzip, isWorthCompressing, jsonParts } from '../../../http/send.ts';
import { AS_SPECIFIED, type BouncerOptions } from '../../../lib/bouncer-options.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Decision, decisionObject, SCENARIOS } from './decision.ts';
import type { DecisionFeed } from './decision-feed.ts';
import { findDecisions, queryFields } from './decision-query.ts';
import type { FirewallBouncer } from './firewall-bouncer.service.ts';
import { gzipParts, plainParts } from './stream-body.ts';

export const bouncerResource: Resource = {
  path: '/api/v3/firewall-bouncer',
  name: 'firewall_bouncer',
  label: 'Firewall bouncer',
  description: 'Current bans and the allow-list, for bouncers that poll them',
  levels: ['read'],
};

const ROOT = `${API_ROOT}/firewall-bouncer`;

/** The errors and paths that stock bouncers expect (contract 1.3, 8.1). */
const DIALECT: Dialect = {
  name: 'Bouncer',
  errorDescription: 'An error; the first reason is repeated in `message`, where bouncers look for it.',
  covers: (path) => path === ROOT || path.startsWith(`${ROOT}/`),
  hasMessage: true,
  foldsSlashes: true,
};

const EXAMPLE: Decision = { value: '203.0.113.7', scenario: 'pbx/sip', expiresAt: 600_000 };
const DecisionShape = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: 2147483647 }),
    origin: Type.Enum(['pbx-fail2ban', 'pbx-networkfilters']),
    type: Type.Enum(['ban']),
    scope: Type.Enum(['Ip', 'Range']),
    value: Type.String({ description: 'Address or CIDR' }),
    duration: Type.String({
      pattern: '^(\\d+h|(\\d+h)?(\\d+m)?\\d+(\\.5)?s)$',
      description:
        'Remaining time, in the form `600s` or `596h` unless the key has another `duration_format`',
    }),
    scenario: Type.Enum([...SCENARIOS]),
  },
  { $id: 'Decision', examples: [decisionObject(EXAMPLE, 0)] },
);
const Stream = Type.Object({ new: Type.Array(DecisionShape), deleted: Type.Array(DecisionShape) });

/** `true` in any letter case; any other value is an ordinary poll (contract 8.4). */
const startupFlag = withDefault(
  custom<boolean>({ type: 'string', description: '`true`: ignore what this key was sent before' }, (value) =>
    /^true$/i.test(String(value)),
  ),
  false,
  'false',
);
const ignored = optional(custom<string>({ type: 'string', description: 'Accepted and ignored' }, String));

/** Contract 8.6. */
const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

interface BouncerRouteParts {
  readonly bouncer: FirewallBouncer;
  readonly feed: DecisionFeed;
  readonly allowList: { settle(): Promise<void>; texts(): string[] };
  readonly clock: Clock;
  readonly notePoll: (caller: Caller | undefined, address: string, userAgent: string) => void;
  readonly keepMetrics: (caller: Caller | undefined, report: object) => Promise<void>;
}

export function bouncerRoutes({
  bouncer,
  feed,
  allowList,
  clock,
  notePoll,
  keepMetrics,
}: BouncerRouteParts): Route[] {
  const polled = { access: reads(bouncerResource), dialect: DIALECT, bare: true } as const;

  return [
    route({
      method: 'GET',
      path: '/firewall-bouncer/v1/decisions/stream',
      function: 'getDecisionsStream',
      ...polled,
      summary: 'All current bans, and the bans removed since the last poll with this key',
      description:
        '`scopes` and `origins` are accepted and ignored. Poll every 5 to 10 seconds, with one key per bouncer.',
      query: { startup: startupFlag, scopes: ignored, origins: ignored },
      answer: Stream,
      errors: [304],
      async handle({ caller, query, headers, address }) {
        const poll = await bouncer.poll({
          cursorId: cursorOf(caller),
          options: optionsOf(caller),
          startup: query.startup,
          ifNoneMatch: headers['if-none-match'],
        });
        notePoll(caller, address, String(headers['user-agent'] ?? ''));
        const shared = { ...HEADERS, etag: poll.etag };
        const fate = { sent: poll.finish, read: poll.read, onCutOff: poll.onCutOff };
        if (poll.notModified) return answer({ status: 304, headers: shared, parts: [], ...fate });
        const typed = { 'content-type': JSON_TYPE, ...shared };
        if (!acceptsGzip(headers['accept-encoding']) || !isWorthCompressing(poll.rendering.json.length)) {
          const parts = plainParts(poll.rendering, poll.deleted);
          return answer({ status: 200, headers: typed, parts, ...fate });
        }
        try {
          const parts = await gzipParts(poll.rendering, poll.deleted);
          return answer({ status: 200, headers: { ...typed, 'content-encoding': 'gzip' }, parts, ...fate });
        } catch (error) {
          poll.finish(false);
          throw error;
        }
      },
    }),
    route({
      method: 'HEAD',
      path: '/firewall-bouncer/v1/decisions/stream',
      function: 'getDecisionsStream',
      ...polled,
      summary: 'Check that a poll would be answered; the cursor stays as it is',
      handle: async ({ caller }) =>
        empty(200, { 'content-type': JSON_TYPE, ...HEADERS, etag: await bouncer.etag(optionsOf(caller)) }),
    }),
    route({
      method: 'GET',
      path: '/firewall-bouncer/v1/whitelist',
      function: 'getWhitelist',
      ...polled,
      summary: 'The allow-list; clients subtract it from `new`',
      answer: Type.Array(Type.String({ description: 'Address or CIDR' })),
      errors: [304],
      async handle({ headers }) {
        await allowList.settle();
        const body = JSON.stringify(allowList.texts());
        const etag = `W/"${createHash('sha1').update(body).digest('hex').slice(0, 16)}"`;
        const shared = { ...HEADERS, etag };
        if (matchesEtag(headers['if-none-match'], etag)) return empty(304, shared);
        const packed = await jsonParts(body, headers['accept-encoding']);
        return answer({
          status: 200,
          headers: { 'content-type': JSON_TYPE, ...shared, ...packed.headers },
          parts: packed.parts,
        });
      },
    }),
    route({
      method: 'GET',
      path: '/firewall-bouncer/v1/decisions',
      function: 'getDecisions',
      ...polled,
      summary: 'Look up decisions by address, range or value; `null` when there are none',
      query: queryFields,
      answer: Type.Union([Type.Array(DecisionShape), Type.Null()]),
      async handle({ caller, query, headers }) {
        const view = feed.view(optionsOf(caller));
        await view.settle();
        const now = clock.now();
        const found = findDecisions(view, query).map((decision) => view.object(decision, now));
        // Clients of the community API take anything but the four bytes `null` for a ban (contract 8.7).
        const value = found.length > 0 ? found : null;
        const packed = await jsonParts(JSON.stringify(value), headers['accept-encoding']);
        const typed = { 'content-type': JSON_TYPE, 'cache-control': HEADERS['cache-control'] };
        return answer({ status: 200, headers: { ...typed, ...packed.headers }, parts: packed.parts });
      },
    }),
    route({
      method: 'HEAD',
      path: '/firewall-bouncer/v1/decisions',
      function: 'getDecisions',
      ...polled,
      summary: 'Check that the key works',
      handle: () => empty(200, { 'content-type': JSON_TYPE, 'cache-control': HEADERS['cache-control'] }),
    }),
    route({
      method: 'POST',
      path: '/firewall-bouncer/v1/usage-metrics',
      function: 'putUsageMetrics',
      // Changes no resource, and bouncer keys are read-only: the one exception to "the verb decides" (contract 2.4).
      ...polled,
      summary: 'Store a bouncer’s usage report with its key',
      accepts: { gzip: true, anyObject: true },
      status: 201,
      async handle({ caller, body }) {
        await keepMetrics(caller, body);
        return empty(201);
      },
    }),
  ];
}

/** People share the cursor `anon`, which no key can have, since key ids are digits (contract 8.4). */
const cursorOf = (caller: Caller | undefined): string => (caller?.kind === 'api_key' ? caller.id : 'anon');

/** Only keys have options (contract 17.20). */
const optionsOf = (caller: Caller | undefined): BouncerOptions =>
  caller?.kind === 'api_key' ? caller.bouncerOptions : AS_SPECIFIED;
