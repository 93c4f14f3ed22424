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

/** A ready `crowdsec-firewall-bouncer.yaml`; everything else in it is a comment, so it can be redirected to the file. */
export function bouncerConfig({ id, description, key, url, containerHost }: BouncerConfig): string {
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
