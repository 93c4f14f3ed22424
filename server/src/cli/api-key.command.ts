import { readConfig } from '../config.ts';
import { apiKeyFields } from '../features/access/api-keys/api-keys.schema.ts';
import { type ApiKeyInput, inputOf } from '../features/access/api-keys/api-keys.service.ts';
import type { ApiKeyRow } from '../features/access/api-keys/api-keys.store.ts';
import { bouncerSnippet, snippetOf } from '../features/access/api-keys/snippets/snippets.ts';
import { bouncerResource } from '../features/firewall/firewall-bouncer/firewall-bouncer.routes.ts';
import { readFields } from '../http/fields.ts';
import { localDateTime } from '../lib/local-time.ts';
import { parseNetwork } from '../lib/network.ts';
import { findRunningService } from '../service-file.ts';
import { createAccessFilter } from './access-filter.ts';
import { apiKeyOptions } from './api-key-options.command.ts';
import { describeOptions, optionDetails, optionFlags, sentOptions } from './bouncer-option-flags.ts';
import { bouncerUrl } from './bouncer-url.ts';
import { type Command, command, printJson, printWarning, UsageError } from './command.ts';
import { forgetCursor } from './cursor-removal.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { table } from './table.ts';

const createUsage =
  'api-key create --description TEXT (--preset bouncer | --grant PATH=LEVEL … | --full)' +
  ' [--network-filter ID|none|localhost | --allow-from CIDR] [--client NAME] [--bouncer-option NAME=VALUE …]' +
  ' [--url URL] [--container-host] [--json]';

const create = command({
  usage: createUsage,
  summary: 'Create an API key and show it once; `--preset bouncer` also prints a ready configuration',
  details: [
    '  --description     what the key is for',
    '  --preset bouncer  allow reading the decisions, and print a crowdsec-firewall-bouncer.yaml',
    '  --grant           /api/v3/firewall=read or =write; may be repeated',
    '  --full            allow everything',
    '  --network-filter  only from addresses that this filter permits; localhost: only this machine',
    '  --allow-from      only from this address or CIDR; creates a network filter for it',
    ...optionDetails,
    '  --url             URL at which the bouncer reaches the service: https://pbx.example:8443',
    '  --container-host  protect containers too: iptables with INPUT, FORWARD and DOCKER-USER',
    '  --json            print JSON, for scripts',
  ].join('\n'),
  options: {
    description: { type: 'string' },
    preset: { type: 'string' },
    grant: { type: 'string', multiple: true },
    full: { type: 'boolean' },
    'network-filter': { type: 'string' },
    'allow-from': { type: 'string' },
    ...optionFlags,
    url: { type: 'string' },
    'container-host': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(values) {
    const refuse = (reason: string) => new UsageError(reason, createUsage);
    if (values.description === undefined) throw refuse('--description is missing');
    if (values.preset !== undefined && values.preset !== 'bouncer')
      throw refuse('--preset accepts only bouncer');
    if (values.url !== undefined && !values.preset) throw refuse('--url needs --preset bouncer');
    if (values['container-host'] && !values.preset) throw refuse('--container-host needs --preset bouncer');
    const sent = sentOptions(values, refuse);
    if (Object.keys(sent).length > 0 && !values.preset)
      throw refuse('--client and --bouncer-option need --preset bouncer');
    const containerHost = values['container-host'] ?? false;
    if (containerHost && sent.client && sent.client !== 'crowdsec-firewall-bouncer')
      throw refuse('--container-host is for crowdsec-firewall-bouncer only');
    if (!values.preset && !values.full && !values.grant)
      throw refuse('say what the key may do: --preset bouncer, --grant or --full');
    if (values.full && (values.preset || values.grant))
      throw refuse('--full already includes every --grant and --preset');
    if (values['allow-from'] !== undefined && values['network-filter'] !== undefined)
      throw refuse('--allow-from and --network-filter cannot be used together');
    const from = values['allow-from'] === undefined ? undefined : parseNetwork(values['allow-from']);
    if (values['allow-from'] !== undefined && !from)
      throw refuse('--allow-from must be an IPv4 or IPv6 address or CIDR');
    const grants = (values.grant ?? []).map((text) => {
      const [path, level, ...rest] = text.split('=');
      if (!path || !level || rest.length > 0) throw refuse('--grant must look like /api/v3/firewall=read');
      return [path, level] as const;
    });
    const config = readConfig();
    const url = bouncerUrl(values.url, config, await findRunningService(config.dataDir), createUsage);
    const { values: input } = readFields(apiKeyFields, {
      description: values.description,
      full_permissions: values.full ?? false,
      allowed_paths: Object.fromEntries([
        ...(values.preset ? [[bouncerResource.path, 'read'] as const] : []),
        ...grants,
      ]),
      networkfilterid: values['network-filter'],
      ...sent,
    });

    await using database = await openDatabase({ config });
    const { row, key, warnings } = from
      ? await createAccessFilter(database.filters, from, input.description, (networkfilterid) =>
          database.keys.create({ ...input, networkfilterid }),
        )
      : await database.keys.create(input as ApiKeyInput);
    for (const warning of warnings) printWarning(warning);
    const { client, bouncer_options: options } = inputOf(row);
    const facts = {
      id: String(row.id),
      description: row.description,
      key: key as string,
      url,
      client,
      options,
    };
    const { text } = bouncerSnippet(snippetOf(client, containerHost), facts);
    if (values.json) {
      const { description: _, ...rest } = describe(row, config.timezone);
      printJson({
        ...rest,
        description: row.description,
        key,
        ...(values.preset && { api_url: url, bouncer_config: text }),
      });
    } else if (values.preset) console.log(text.trimEnd());
    else console.log(`API key ${row.id} "${row.description}"\nkey (shown only now): ${key}`);
    return 0;
  },
});

const list = command({
  usage: 'api-key list [--json]',
  summary: 'List the API keys: what each may do, from where, and when it was used',
  details: '  --json  print JSON, for scripts',
  options: { json: { type: 'boolean' } },
  async run(values) {
    const config = readConfig();
    await using database = await openDatabase({ config });
    const rows = await database.keys.list();
    const items = rows.map((row) => describe(row, config.timezone));
    if (values.json) printJson(items);
    else if (items.length === 0) console.log('there are no API keys');
    else
      console.log(
        table([
          ['ID', 'DESCRIPTION', 'KEY', 'MAY', 'FROM', 'CLIENT', 'LAST USED', 'LAST POLL FROM'],
          ...items.map((item) => [
            item.id,
            item.description,
            item.key_display,
            may(item),
            fromWhere(item.networkfilterid, database),
            describeOptions(item),
            item.last_used_at || 'never',
            item.last_poll_ip,
          ]),
        ]),
      );
    return 0;
  },
});

const revoke = command({
  usage: 'api-key revoke ID',
  summary: 'Delete an API key; its next request fails',
  operands: ['ID'],
  async run(_, [id = '']) {
    if (!/^\d{1,9}$/.test(id))
      throw new UsageError('ID must be a number from `pbxcore api-key list`', 'api-key revoke ID');
    const config = readConfig();
    await using database = await openDatabase({ config, onKeyDeleted: forgetCursor(config) });
    const row = await database.keys.find(id);
    await database.keys.delete(row.id);
    console.log(`API key ${row.id} "${row.description}" is revoked`);
    return 0;
  },
});

function describe(row: ApiKeyRow, timezone: string) {
  const when = (at: number | null) => (at === null ? '' : localDateTime(at, timezone));
  const { full_permissions, allowed_paths, client, bouncer_options } = inputOf(row);
  return {
    id: String(row.id),
    description: row.description,
    key_display: row.key_display,
    full_permissions,
    allowed_paths: Object.fromEntries(allowed_paths),
    networkfilterid: row.networkfilterid,
    client,
    bouncer_options,
    created_at: when(row.created_at),
    last_used_at: when(row.last_used_at),
    last_poll_at: when(row.last_poll_at),
    last_poll_ip: row.last_poll_ip ?? '',
  };
}

function may({ full_permissions: full, allowed_paths: grants }: ReturnType<typeof describe>): string {
  if (full) return 'everything';
  const names = Object.entries(grants).map(([path, level]) => `${path.replace('/api/v3/', '')}=${level}`);
  return names.join(' ') || 'nothing';
}

function fromWhere(filterId: string, { filters }: OpenDatabase): string {
  if (filterId === 'none') return 'anywhere';
  if (filterId === 'localhost') return 'this machine';
  const filter = filters.current().find(({ id }) => String(id) === filterId);
  return filter
    ? `filter ${filterId} (${filter.permit ?? ''})`
    : `nowhere: filter ${filterId} no longer exists`;
}

export const apiKeyCommands: readonly Command[] = [create, list, apiKeyOptions, revoke];
