import { heading, type SnippetFacts } from './snippet.ts';

export const FIREWALL_BOUNCER_FILE = 'crowdsec-firewall-bouncer.yaml';
const FOLDER = '/etc/crowdsec/bouncers/';

/** What the bouncer guards, and by which means. */
export type Guard = keyof typeof GUARDS;

const GUARDS = {
  nftables: [
    'mode: nftables # or iptables; then remove the # from the two lines below',
    '# iptables_chains:',
    '#   - INPUT',
  ],
  iptables: [
    'mode: iptables',
    'iptables_chains:',
    '  - INPUT',
    '# Where the kernel has no IPv6 the bouncer does not start without this:',
    '# disable_ipv6: true',
  ],
  // Traffic to containers is routed and never passes INPUT; Docker reserves DOCKER-USER for rules of the operator.
  containers: [
    'mode: iptables',
    'iptables_chains:',
    '  - INPUT',
    '  - FORWARD',
    '  - DOCKER-USER',
    '# Docker makes DOCKER-USER, and the bouncer does not start while it is missing, for IPv4 or for IPv6.',
    '# Where Docker does not use IPv6, create it once after each boot: ip6tables -N DOCKER-USER',
    '# or leave IPv6 unguarded:',
    '# disable_ipv6: true',
  ],
} as const;

/** A complete `crowdsec-firewall-bouncer.yaml`; all notes in it are comments, so it can be saved as it is. */
export function firewallBouncerYaml(facts: SnippetFacts, guard: Guard): string {
  const { key, url } = facts;
  const own = /^http:\/\/(127\.|\[::1\]|localhost[:/])/.test(url);
  return [
    ...heading(facts, { file: FOLDER + FIREWALL_BOUNCER_FILE }),
    ...GUARDS[guard],
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
