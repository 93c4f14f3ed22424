import type { Static } from 'typebox';
import { readConfig } from '../config.ts';
import { CATEGORIES } from '../features/firewall/bans/bans.store.ts';
import type {
  BannedIps,
  BanResult,
  Explanation,
  UnbanResult,
} from '../features/firewall/firewall/firewall.schema.ts';
import type { DecisionObject } from '../features/firewall/firewall-bouncer/decision.ts';
import { localDateTime } from '../lib/local-time.ts';
import { type Command, CommandFailed, command, printJson, printWarning, UsageError } from './command.ts';
import { type ServiceCall, ServiceRefused, withService } from './service-client.ts';
import { table } from './table.ts';

const json = { type: 'boolean' } as const;
const category = { type: 'string' } as const;
const categories = CATEGORIES.join('|');
const withJson = '  --json      print JSON, for scripts';

/** Calls the service and shows warnings; prints the answer as JSON if requested, else as text from `words`. */
async function show<T>(
  asJson: boolean | undefined,
  question: (call: ServiceCall) => ReturnType<typeof call<T>>,
  words: (data: T, timezone: string) => string,
): Promise<number> {
  const config = readConfig();
  const { data, warnings } = await withService(config, question);
  for (const warning of warnings) printWarning(warning);
  if (asJson) printJson(data);
  else console.log(words(data, config.timezone));
  return 0;
}

const list = command({
  usage: 'bans list [--json]',
  summary: 'List the bans and when they end; `deny` entries of network filters are not included',
  details: withJson,
  options: { json },
  run: (values) =>
    show<Static<typeof BannedIps>>(
      values.json,
      (call) => call('GET', '/firewall:getBannedIps'),
      (data, timezone) => {
        const rows = Object.entries(data).flatMap(([ip, { bans }]) =>
          bans.map((ban) => [ip, ban.category, ban.permanent ? 'never' : end(ban.timeunban, timezone)]),
        );
        return rows.length === 0 ? 'nobody is banned' : table([['ADDRESS', 'CATEGORY', 'ENDS'], ...rows]);
      },
    ),
});

const addUsage = `bans add IP --seconds N [--category ${categories}] [--confirm] [--json]`;
const add = command({
  usage: addUsage,
  summary: 'Ban an address or range for a time',
  details: [
    '  --seconds   1 to 31536000 (a year)',
    '  --category  what was attacked; default: sip',
    '  --confirm   confirm the ban of a range wider than /8 (IPv6 /32)',
    withJson,
  ].join('\n'),
  options: { seconds: { type: 'string' }, category, confirm: { type: 'boolean' }, json },
  operands: ['IP'],
  async run(values, [ip]) {
    if (values.seconds === undefined) throw new UsageError('--seconds is missing', addUsage);
    const { json: asJson, ...order } = values;
    return show<Static<typeof BanResult>>(
      asJson,
      (call) =>
        call<Static<typeof BanResult>>('POST', '/firewall:banIp', { ip, ...order }).catch(wordedForConfirm),
      (ban, timezone) => `${ban.ip} is banned (${ban.category}) until ${end(ban.expiresAt, timezone)}`,
    );
  },
});

/** The service refers to its `confirm` field; here it is an option (contract 17.15). */
function wordedForConfirm(error: unknown): never {
  if (!(error instanceof ServiceRefused) || error.status !== 422) throw error;
  throw new CommandFailed(error.message, 'check the range; add --confirm to ban it anyway');
}

const lift = command({
  usage: `bans lift IP [--category ${categories}] [--json]`,
  summary: 'Lift the bans of exactly this address or range',
  details: `  --category  only this one\n${withJson}`,
  options: { category, json },
  operands: ['IP'],
  run: (values, [ip]) =>
    show<Static<typeof UnbanResult>>(
      values.json,
      (call) => call('POST', '/firewall:unbanIp', { ip, category: values.category }),
      (data) => {
        const { lifted, stillDenied } = data;
        const first =
          lifted.length > 0
            ? `the ban of ${data.ip} is lifted (${lifted.join(', ')})`
            : `there was no ban of ${data.ip}`;
        const rest = stillDenied.map((id) => `it is still denied by network filter ${id}`);
        return [first, ...rest].join('\n');
      },
    ),
});

const explain = command({
  usage: 'bans explain IP [--json]',
  summary: 'Explain why an address or range is blocked, allowed or clear',
  details: withJson,
  options: { json },
  operands: ['IP'],
  run: (values, [ip]) =>
    show<Static<typeof Explanation>>(
      values.json,
      (call) => call('GET', `/firewall:explain?ip=${encodeURIComponent(ip as string)}`),
      explanation,
    ),
});

type ExplainedBan = DecisionObject & { readonly source: { redisKey?: string; networkFilterId?: string } };

function explanation({
  ip,
  verdict,
  enforced,
  bans,
  whitelist,
  filters,
}: Static<typeof Explanation>): string {
  return [
    `${ip} is ${verdict}`,
    ...(verdict === 'allowed' && enforced === 'blocked'
      ? ['  but bouncers that do not subtract the allow-list block it']
      : []),
    ...whitelist.map(
      ({ entry, source, networkFilterId }) =>
        `  allow-list: ${entry} (${networkFilterId ? `network filter ${networkFilterId}` : source})`,
    ),
    ...(bans as ExplainedBan[]).map(({ value, scenario, duration, source }) => {
      const from = source.redisKey ? `key ${source.redisKey}` : `network filter ${source.networkFilterId}`;
      return `  ban: ${value} ${scenario}${source.redisKey ? `, ${duration} left` : ', no end'} (${from})`;
    }),
    ...filters.map(
      ({ networkFilterId, list: name, entry }) => `  ${name} of network filter ${networkFilterId}: ${entry}`,
    ),
  ].join('\n');
}

const end = (unixSeconds: number, timezone: string): string => localDateTime(unixSeconds * 1000, timezone);

export const banCommands: readonly Command[] = [list, add, lift, explain];
