import {
  AS_SPECIFIED,
  type BouncerOptions,
  type ClientName,
  optionsOf,
} from '../../../../lib/bouncer-options.ts';
import {
  curlPoll,
  customBouncerYaml,
  haproxyYaml,
  nginxConf,
  nodejsModule,
  phpConfig,
  plainLines,
  traefikYaml,
} from './client-texts.ts';
import { FIREWALL_BOUNCER_FILE, firewallBouncerYaml } from './firewall-bouncer-yaml.ts';
import type { SnippetFacts } from './snippet.ts';

export interface Snippet {
  readonly id: string;
  readonly label: string;
  readonly filename: string;
  readonly text: string;
}

interface Template {
  readonly label: string;
  readonly filename: string;
  /** The client whose options the key should have. */
  readonly client?: ClientName;
  readonly text: (facts: SnippetFacts) => string;
}

/** Relative to the origin of the service. */
const BOUNCER_PATH = '/pbxcore/api/v3/firewall-bouncer/';

const stock = {
  filename: FIREWALL_BOUNCER_FILE,
  client: 'crowdsec-firewall-bouncer',
} as const;

/** All snippets for bouncers, for the interface and the command line (contract 33). */
const TEMPLATES = {
  'firewall-bouncer-nftables': {
    ...stock,
    label: 'Stock firewall bouncer, nftables',
    text: (facts) => firewallBouncerYaml(facts, 'nftables'),
  },
  'firewall-bouncer-iptables': {
    ...stock,
    label: 'Stock firewall bouncer, iptables',
    text: (facts) => firewallBouncerYaml(facts, 'iptables'),
  },
  'firewall-bouncer-containers': {
    ...stock,
    label: 'Stock firewall bouncer, host with containers',
    text: (facts) => firewallBouncerYaml(facts, 'containers'),
  },
  'custom-bouncer': {
    label: 'Custom bouncer, for a program of your own',
    filename: 'crowdsec-custom-bouncer.yaml',
    client: 'custom',
    text: customBouncerYaml,
  },
  nginx: { label: 'nginx (Lua)', filename: 'crowdsec-nginx-bouncer.conf', client: 'lua', text: nginxConf },
  traefik: {
    label: 'Traefik plugin',
    filename: 'traefik-bouncer.yaml',
    client: 'traefik',
    text: traefikYaml,
  },
  haproxy: {
    label: 'HAProxy SPOA',
    filename: 'crowdsec-spoa-bouncer.yaml',
    client: 'haproxy',
    text: haproxyYaml,
  },
  php: { label: 'PHP', filename: 'settings.php', client: 'php', text: phpConfig },
  nodejs: { label: 'Node.js', filename: 'bouncer.mjs', client: 'nodejs', text: nodejsModule },
  other: { label: 'Another client: its URL and key', filename: 'bouncer.txt', text: plainLines },
  curl: { label: 'curl, one poll', filename: 'poll.sh', text: curlPoll },
} as const satisfies Record<string, Template>;

export type SnippetId = keyof typeof TEMPLATES;
export const BOUNCER_SNIPPETS = Object.keys(TEMPLATES) as SnippetId[];

/** The URL for bouncers, from the origin of the service. */
export const bouncerUrlAt = (origin: string): string => origin + BOUNCER_PATH;
/** Whether an operator's URL already contains the path. */
export const isBouncerUrl = (path: string): boolean => path.endsWith(BOUNCER_PATH);

/** The snippet for a client, or the one with URL and key that suits every client. */
export function snippetOf(client: ClientName | '', containerHost = false): SnippetId {
  if (client === '' || client === 'crowdsec-firewall-bouncer')
    return containerHost ? 'firewall-bouncer-containers' : 'firewall-bouncer-nftables';
  return BOUNCER_SNIPPETS.find((id) => (TEMPLATES[id] as Template).client === client) ?? 'other';
}

/** A text ready to be saved; with a note on top when the key lacks options of that client. */
export function bouncerSnippet(id: SnippetId, facts: SnippetFacts): Snippet {
  const { label, filename, client, text } = TEMPLATES[id] as Template;
  const made = text(facts);
  const lacks = client ? missingOptions(client, facts.options) : [];
  if (lacks.length === 0) return { id, label, filename, text: `${made}\n` };
  const note = `This client needs ${lacks.join(', ')}: set the client of API key ${facts.id} to ${client}.`;
  const comment = filename.endsWith('.php') || filename.endsWith('.mjs') ? `// ${note}` : `# ${note}`;
  // A PHP file must begin with `<?php`, so the note goes into the second line.
  const [first = '', ...rest] = made.split('\n');
  const lines = first === '<?php' ? [first, comment, ...rest] : [comment, first, ...rest];
  return { id, label, filename, text: `${lines.join('\n')}\n` };
}

/** Options that the client needs and the key does not have. */
function missingOptions(client: ClientName, options: BouncerOptions): string[] {
  const needed = optionsOf(client);
  return (Object.keys(needed) as (keyof BouncerOptions)[])
    .filter((name) => needed[name] !== AS_SPECIFIED[name] && options[name] !== needed[name])
    .map((name) => `${name} = ${needed[name]}`);
}
