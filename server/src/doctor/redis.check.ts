import { reasonOf } from '../lib/reason-of.ts';
import { createRedisLink, type RedisLink } from '../store/ttl/redis-link.ts';
import { clockFinding, type Finding, ok, type Patient, problem, warning } from './finding.ts';

const TIMEOUT_MS = 2000;

export async function checkRedis(patient: Patient, url: string): Promise<Finding[]> {
  let cause: unknown;
  const link = createRedisLink({
    url,
    name: 'pbxcore-doctor',
    timeoutMs: TIMEOUT_MS,
    onUp: () => {},
    onDown: (reason) => {
      cause ??= reason;
    },
  });
  try {
    await link.tried;
    if (!link.up) return [unreachable(cause)];
    const info = infoOf(String(await link.send(['INFO'])));
    return [
      ...(await checkCommands(link, patient)),
      ...memory(info),
      ...(await persistence(link, info)),
      ...(await redisClock(link, patient)),
      ...unreadableFindings(await patient.unreadableBans()),
      ok(`expiring keys (Redis ${info.get('redis_version') ?? ''}): reachable`),
    ];
  } finally {
    await link.close();
  }
}

function unreachable(cause: unknown): Finding {
  const reason = reasonOf(cause);
  // The protocol version is negotiated with HELLO, which older servers do not support.
  const remedy = /HELLO|NOPROTO/i.test(reason)
    ? 'upgrade Redis to version 6 or later'
    : 'check that Redis runs and that host, port, user and password in PBXCORE_REDIS_URL are right';
  return problem(`expiring keys (Redis): it cannot be used: ${reason}`, remedy);
}

/** What the service needs: notifications of changes, scripts, writing, streams for events. */
async function checkCommands(link: RedisLink, { config }: Patient): Promise<Finding[]> {
  const key = `${config.redisPrefix}:doctor`;
  const needed: [what: string, command: string[], remedy: string][] = [
    ['scripts', ['EVAL', 'return 1', '0'], 'allow EVAL and EVALSHA in the ACL'],
    [
      'writing',
      ['SET', key, '1', 'PX', '1000'],
      'use a Redis that is not a replica, and allow writes in the ACL',
    ],
    ...streamCommands(`${key}:events`),
    // Last, and for keys that nobody writes: this connection needs no notifications.
    [
      'CLIENT TRACKING',
      ['CLIENT', 'TRACKING', 'ON', 'BCAST', 'PREFIX', `${key}:none`],
      'use Redis 6 or later, and allow CLIENT in the ACL',
    ],
  ];
  const findings: Finding[] = [];
  for (const [what, command, remedy] of needed) {
    await link.send(command).catch((error: unknown) => {
      findings.push(problem(`Redis refuses ${what}: ${reasonOf(error)}`, remedy));
    });
  }
  return findings;
}

/** The commands of the event log (contract 30.6); the last one cleans up. */
const streamCommands = (key: string): [what: string, command: string[], remedy: string][] =>
  [
    ['XADD', key, 'MAXLEN', '~', '1', '*', 't', ''],
    ['XLEN', key],
    ['XRANGE', key, '-', '+', 'COUNT', '1'],
    ['XREVRANGE', key, '+', '-', 'COUNT', '1'],
    ['XREAD', 'COUNT', '1', 'STREAMS', key, '0-0'],
    ['DEL', key],
    ['HSET', key, 'a', '1'],
    ['HGETALL', key],
    ['HDEL', key, 'a'],
    ['ZADD', key, '1', 'a'],
    ['ZRANGE', key, '0', '-1'],
    ['ZREMRANGEBYSCORE', key, '-inf', '1'],
  ].map((command) => [`${command[0]}, which events need`, command, `allow ${command[0]} in the ACL`]);

function memory(info: ReadonlyMap<string, string>): Finding[] {
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (policy === 'noeviction') return [];
  const remedy = 'set maxmemory-policy noeviction in redis.conf';
  return Number(info.get('maxmemory')) > 0
    ? [problem(`Redis may drop keys when memory is short (${policy}): a dropped ban is a lifted ban`, remedy)]
    : [warning(`Redis will drop bans (${policy}) as soon as maxmemory is set`, remedy)];
}

async function persistence(link: RedisLink, info: ReadonlyMap<string, string>): Promise<Finding[]> {
  if (info.get('aof_enabled') === '1') return [];
  // Hosted servers may hide their settings; then nothing is reported.
  const answer = await link.send(['CONFIG', 'GET', 'save']).catch(() => undefined);
  const save = answer && new Map(Object.entries(answer)).get('save');
  if (save !== '') return [];
  return [
    warning(
      'Redis stores nothing on disk: a restart of Redis lifts every ban',
      'set appendonly yes (or save) in redis.conf',
    ),
  ];
}

async function redisClock(link: RedisLink, { clock }: Patient): Promise<Finding[]> {
  const before = clock.now();
  const [seconds, micros] = (await link.send(['TIME'])) as [string, string];
  return clockFinding('Redis', Number(seconds) * 1000 + Number(micros) / 1000, before, clock.now());
}

/** Others write bans to Redis too; nobody else can write the embedded store. */
const unreadableFindings = (keys: readonly string[]): Finding[] =>
  keys.map((key) =>
    warning(
      `the Redis key ${JSON.stringify(key)} names no address and bans nobody`,
      'correct the program that writes it',
    ),
  );

const infoOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
    }),
  );
