import { accessSync, constants } from 'node:fs';
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { NetPair, NetSpace } from './netns.ts';
import { type RunningProcess, searchPath } from './running-process.ts';

export type Mode = 'nftables' | 'iptables';

export interface FirewallBouncer {
  readonly process: RunningProcess;
  /** The current entries of the kernel's sets: address or CIDR -> seconds left. */
  entries(): Promise<Map<string, number>>;
  /** Ends it gracefully; it then removes its sets. */
  stop(): Promise<number | NodeJS.Signals>;
  /** A new process with the same configuration. */
  start(): Promise<void>;
}

/** The config that operators start from; using it in tests keeps it correct. */
export const EXAMPLE_CONFIG = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'examples',
  'crowdsec-firewall-bouncer.yaml',
);

/** The first of the named programs that is missing, or `undefined`. */
export function missingProgram(...names: string[]): string | undefined {
  const folders = searchPath().split(delimiter);
  return names.find((name) => !folders.some((folder) => isProgram(join(folder, name))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface BouncerOptions {
  readonly pair: NetPair;
  readonly mode: Mode;
  readonly url?: string;
  readonly key?: string;
  /** A complete configuration in place of the example, including URL and key. */
  readonly config?: string;
}

/** The stock bouncer; a `.local` file overrides what a test needs to differ from its config. */
export async function startFirewallBouncer({
  pair: { server: space, folder },
  mode,
  url,
  key,
  config,
}: BouncerOptions): Promise<FirewallBouncer> {
  const file = join(await mkdtemp(join(folder, 'bouncer-')), 'bouncer.yaml');
  await (config === undefined ? copyFile(EXAMPLE_CONFIG, file) : writeFile(file, config));
  // JSON is YAML; undefined values keep the config's setting.
  const own = { mode, api_url: url, api_key: key, update_frequency: '1s' };
  await writeFile(`${file}.local`, JSON.stringify(own), { mode: 0o600 });

  let bouncer = await launch();
  async function launch(): Promise<RunningProcess> {
    const started = space.start('crowdsec-firewall-bouncer', ['-c', file]);
    await started.said(/Processing new and deleted decisions/);
    return started;
  }

  return {
    get process() {
      return bouncer;
    },
    entries: () => (mode === 'nftables' ? nftEntries(space) : ipsetEntries(space)),
    stop: () => bouncer.stop(),
    async start() {
      bouncer = await launch();
    },
  };
}

interface NftListing {
  readonly nftables: { set?: { elem?: { elem: { val: string; expires: number } }[] } }[];
}

async function nftEntries(space: NetSpace): Promise<Map<string, number>> {
  const sets = [
    ['ip', 'crowdsec', 'crowdsec-blacklists'],
    ['ip6', 'crowdsec6', 'crowdsec6-blacklists'],
  ];
  const listings = await Promise.all(sets.map((set) => space.run('nft', '-j', 'list', 'set', ...set)));
  const elements = listings
    .flatMap((text) => (JSON.parse(text) as NftListing).nftables)
    .flatMap(({ set }) => set?.elem ?? []);
  return new Map(elements.map(({ elem }) => [elem.val, elem.expires]));
}

async function ipsetEntries(space: NetSpace): Promise<Map<string, number>> {
  const text = await space.run('ipset', 'save');
  const added = text.matchAll(/^add crowdsec6?-blacklists (\S+) timeout (\d+)/gm);
  return new Map([...added].map(([, value = '', seconds]) => [value, Number(seconds)]));
}
