import type { Config } from '../config.ts';
import type { RunningService } from '../service-file.ts';
import { UsageError } from './command.ts';
import { reachable } from './service-client.ts';

const BOUNCER_PATH = '/pbxcore/api/v3/firewall-bouncer/';

/** Where a bouncer reaches the service: as the operator says, else as this machine does. */
export function bouncerUrl(
  said: string | undefined,
  config: Config,
  running: RunningService | undefined,
  usage: string,
): string {
  if (said !== undefined) {
    const url = URL.canParse(said) ? new URL(said) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
      throw new UsageError('--url must look like https://pbx.example:8443', usage);
    const path = url.pathname.replace(/\/*$/, '/');
    return url.origin + (path.endsWith(BOUNCER_PATH) ? path : path.slice(0, -1) + BOUNCER_PATH);
  }
  const host = reachable(running?.host ?? config.host);
  const port = running?.httpPort ?? config.httpPort;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${BOUNCER_PATH}`;
}

interface BouncerConfig {
  readonly id: string;
  readonly description: string;
  readonly key: string;
  readonly url: string;
  /** A known client, or empty. */
  readonly client: string;
  /** The bouncer guards a machine whose services run in containers. */
  readonly containerHost: boolean;
}

/** What containers receive is routed and never passes INPUT; Docker leaves DOCKER-USER to rules of the operator. */
const CONTAINER_HOST = [
  'mode: iptables',
  'iptables_chains:',
  '  - INPUT',
  '  - FORWARD',
  '  - DOCKER-USER',
  '# Docker makes DOCKER-USER, and the bouncer does not start while it is missing, for IPv4 or for IPv6.',
  '# Where Docker does without IPv6, make it once after each boot: ip6tables -N DOCKER-USER',
];

const PLAIN_HOST = [
  'mode: nftables # or iptables; then take the # from the two lines below',
  '# iptables_chains:',
  '#   - INPUT',
];

/** Without a name it is the stock firewall bouncer. */
export const readsYaml = (client: string): boolean => client === '' || client === 'crowdsec-firewall-bouncer';

/** What to enter where: the names of these two differ from client to client. */
const plainConfig = ({ id, description, key, url, client }: BouncerConfig): string =>
  [
    `# API key ${id} "${description}" for the client ${client}: shown only now.`,
    `# It appends /v1/decisions to the URL itself.`,
    `api_url: ${url.replace(/\/$/, '')}`,
    `api_key: ${key}`,
  ].join('\n');

/** A ready `crowdsec-firewall-bouncer.yaml`; everything else in it is a comment, so it can be redirected to the file. */
export function bouncerConfig(made: BouncerConfig): string {
  if (!readsYaml(made.client)) return plainConfig(made);
  const { id, description, key, url, containerHost } = made;
  const own = /^http:\/\/(127\.|\[::1\])/.test(url);
  return [
    `# /etc/crowdsec/bouncers/crowdsec-firewall-bouncer.yaml`,
    `# API key ${id} "${description}": shown only now, keep this file readable for root only.`,
    ...(containerHost ? CONTAINER_HOST : PLAIN_HOST),
    'update_frequency: 10s',
    'daemonize: true',
    'log_mode: stdout',
    'log_level: info',
    ...(own ? ['# For a bouncer on another machine put the address of this one here.'] : []),
    `api_url: ${url}`,
    ...(url.startsWith('https:')
      ? ['# With the self-signed certificate of the service:', '# insecure_skip_verify: true']
      : []),
    `api_key: ${key}`,
    'deny_action: DROP',
    'prometheus:',
    '  enabled: false',
  ].join('\n');
}
