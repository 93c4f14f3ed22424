import { heading, type SnippetFacts, withoutSlash } from './snippet.ts';

// The connection settings of each client known to work (docs/bouncers.md); the rest of its file stays as installed.

export const customBouncerYaml = (facts: SnippetFacts): string =>
  [
    ...heading(facts, { file: '/etc/crowdsec/bouncers/crowdsec-custom-bouncer.yaml' }),
    '# Your program: it reads one JSON object per line, with action (add or del), value and duration.',
    'bin_path: /usr/local/bin/my-firewall',
    'feed_via_stdin: true',
    'total_retries: 0',
    'cache_retention_duration: 10s',
    'update_frequency: 10s',
    'daemonize: true',
    'piddir: /var/run/',
    'log_mode: stdout',
    'log_level: info',
    `api_url: ${facts.url}`,
    `api_key: ${facts.key}`,
    'prometheus:',
    '  enabled: false',
  ].join('\n');

/** The client's default timeout of half a second is too short for a long list. */
export const nginxConf = (facts: SnippetFacts): string =>
  [
    ...heading(facts, { file: '/etc/crowdsec/bouncers/crowdsec-nginx-bouncer.conf' }),
    'ENABLED=true',
    `API_URL=${withoutSlash(facts.url)}`,
    `API_KEY=${facts.key}`,
    'MODE=stream',
    'UPDATE_FREQUENCY=10',
    'REQUEST_TIMEOUT=3000',
    'BOUNCING_ON_TYPE=ban',
    'FALLBACK_REMEDIATION=ban',
  ].join('\n');

export function traefikYaml(facts: SnippetFacts): string {
  const { protocol, host, pathname } = new URL(facts.url);
  const settings = [
    'enabled: true',
    'crowdsecMode: stream',
    'updateIntervalSeconds: 10',
    `crowdsecLapiScheme: ${protocol.slice(0, -1)}`,
    // An IPv6 address begins with a bracket, which means a list unless quoted.
    `crowdsecLapiHost: "${host}"`,
    `crowdsecLapiPath: ${pathname}`,
    `crowdsecLapiKey: ${facts.key}`,
  ];
  return [
    ...heading(facts),
    '# Dynamic configuration, for the plugin crowdsec-bouncer-traefik-plugin under the name bouncer.',
    'http:',
    '  middlewares:',
    '    pbxcore:',
    '      plugin:',
    '        bouncer:',
    ...settings.map((line) => `          ${line}`),
  ].join('\n');
}

export const haproxyYaml = (facts: SnippetFacts): string =>
  [
    ...heading(facts),
    '# Put these in place of the same lines of /etc/crowdsec/bouncers/crowdsec-spoa-bouncer.yaml.',
    'update_frequency: 10s',
    `api_url: ${facts.url}`,
    `api_key: ${facts.key}`,
  ].join('\n');

export const phpConfig = (facts: SnippetFacts): string =>
  [
    '<?php',
    ...heading(facts, { mark: '//' }),
    '// For crowdsec/bouncer, crowdsec/lapi-client and the standalone bouncer: settings of these names.',
    'return [',
    "    'auth_type' => 'api_key',",
    `    'api_url' => '${withoutSlash(facts.url)}',`,
    `    'api_key' => '${facts.key}',`,
    "    'stream_mode' => true,",
    '];',
  ].join('\n');

export const nodejsModule = (facts: SnippetFacts): string =>
  [
    ...heading(facts, { mark: '//' }),
    "import { CrowdSecBouncer } from '@crowdsec/nodejs-bouncer';",
    '',
    'export const bouncer = new CrowdSecBouncer({',
    `  url: '${withoutSlash(facts.url)}',`,
    `  bouncerApiToken: '${facts.key}',`,
    '  streamMode: true,',
    '});',
    'setInterval(() => bouncer.refreshDecisions(), 10_000);',
  ].join('\n');

/** URL and key for any other client, as the names of these settings differ. */
export const plainLines = (facts: SnippetFacts): string =>
  [
    ...heading(facts),
    '# The client appends /v1/decisions to the URL itself.',
    `api_url: ${withoutSlash(facts.url)}`,
    `api_key: ${facts.key}`,
  ].join('\n');

export const curlPoll = (facts: SnippetFacts): string =>
  [
    ...heading(facts),
    '# One poll. What it returns counts as sent to this key: do not use it alongside a running bouncer.',
    `curl -H 'X-Api-Key: ${facts.key}' '${facts.url}v1/decisions/stream'`,
  ].join('\n');
