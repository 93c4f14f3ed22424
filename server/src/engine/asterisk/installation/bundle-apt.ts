import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsteriskVersion } from '../site.ts';
import { parseVersion } from './asterisk-version.ts';
import { lastWords, type ProgramResult, runProgram } from './run-program.ts';

/** No Asterisk can be obtained; the message tells the operator why. */
export class AsteriskUnavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AsteriskUnavailable';
  }
}

export interface AptSource {
  readonly uri: string;
  readonly suite: string;
  readonly component: string;
}

interface AptOptions {
  /** Where apt keeps everything that it writes. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

const DOWNLOAD_MS = 3_600_000;
const KEYRINGS = ['debian-archive-keyring.gpg', 'debian-archive-keyring.pgp', 'ubuntu-archive-keyring.gpg'];
/** Without these, apt would refresh the machine's caches when asked about the machine. */
const NO_CACHES = ['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache='];
/** How the machine reaches its mirrors. Its settings for signatures are not taken over: they are always required. */
const TAKEN_OVER =
  /^Acquire::(http|https|ftp|Retries|ForceIPv[46]|Check-Valid-Until|Check-Date|Max-ValidTime)\b/;

/** The machine's apt, with state and configuration of our own: it changes nothing on the machine and needs no root. */
export async function createApt({ dir, env, signal }: AptOptions) {
  const archives = join(dir, 'cache/archives');
  const configFile = join(dir, 'apt.conf');
  const sourcesFile = join(dir, 'sources.list');
  if (/["\\\r\n:;]/.test(dir))
    throw new AsteriskUnavailable(`Asterisk cannot be fetched into the folder ${dir}`);
  await mkdir(join(dir, 'state/lists/partial'), { recursive: true });
  await mkdir(join(archives, 'partial'), { recursive: true });
  await writeFile(join(dir, 'state/status'), '');

  const run = (program: string, args: readonly string[], own: boolean, timeoutMs = DOWNLOAD_MS) =>
    runProgram(program, args, {
      env: own ? { ...env, APT_CONFIG: configFile } : env,
      signal,
      timeoutMs,
      keep: 4 * 1024 * 1024,
    });

  function insist(result: ProgramResult, doing: string): string {
    signal?.throwIfAborted();
    if (result.code === 0) return result.stdout;
    throw new AsteriskUnavailable(`${doing} failed: ${lastWords(result)}`);
  }

  async function configure(sources: 'of the machine' | readonly string[]): Promise<void> {
    const dump = insist(await run('apt-config', ['dump'], false, 30_000), 'reading the configuration of apt');
    const lines = [
      'Dir::Etc::main "/dev/null";',
      'Dir::Etc::parts "/dev/null";',
      'Dir::Etc::preferences "/dev/null";',
      'Dir::Etc::preferencesparts "/dev/null";',
      `Dir::State "${join(dir, 'state')}";`,
      `Dir::State::status "${join(dir, 'state/status')}";`,
      `Dir::Cache "${join(dir, 'cache')}";`,
      'APT::Install-Recommends "false";',
      'APT::Sandbox::User "";',
      'APT::Get::AllowUnauthenticated "false";',
      'Acquire::AllowInsecureRepositories "false";',
      'Acquire::AllowWeakRepositories "false";',
      'Acquire::Languages "none";',
      // The lock on our own folders: an apt that outlived a killed service finishes first.
      'DPkg::Lock::Timeout "300";',
      ...dump.split('\n').filter((line) => TAKEN_OVER.test(line)),
    ];
    if (sources !== 'of the machine') {
      lines.push(`Dir::Etc::sourcelist "${sourcesFile}";`, 'Dir::Etc::sourceparts "/dev/null";');
      await writeFile(sourcesFile, `${sources.join('\n')}\n`);
    }
    await writeFile(configFile, `${lines.join('\n')}\n`);
  }

  const update = async (own = true) =>
    insist(await run('apt-get', ['-q', 'update'], own), 'fetching the package lists');

  /** Where the machine gets its packages. Container images come without package lists; then they are fetched. */
  async function machineSources(): Promise<AptSource[]> {
    const ask = async (own: boolean) => {
      const format = ['--format', '$(REPO_URI)|$(RELEASE)|$(COMPONENT)', 'Created-By: Packages'];
      const result = await run('apt-get', [...NO_CACHES, 'indextargets', ...format], own, 30_000);
      return insist(result, 'asking apt for its mirrors').split('\n').flatMap(sourceOf);
    };
    const known = await ask(false);
    if (known.length > 0) return known;
    await configure('of the machine');
    await update();
    return ask(true);
  }

  /** The machine's own lists may show that it has no Asterisk, so that fetching them is pointless. */
  async function machineLacksAsterisk(): Promise<boolean> {
    const { stdout } = await run('apt-cache', [...NO_CACHES, 'madison', 'dpkg', 'asterisk'], false, 30_000);
    return /^\s*dpkg \|/m.test(stdout) && !/^\s*asterisk \|/m.test(stdout);
  }

  const packageArgs = ['-q', '-y', '--no-install-recommends'];
  return {
    archives,
    machineSources,
    machineLacksAsterisk,

    async use(sources: readonly AptSource[]): Promise<void> {
      const keys = KEYRINGS.map((name) => join('/usr/share/keyrings', name)).filter((file) =>
        existsSync(file),
      );
      const signedBy = keys.length > 0 ? `[signed-by=${keys.join(',')}] ` : '';
      await configure(
        sources.map(({ uri, suite, component }) => `deb ${signedBy}${uri} ${suite} ${component}`),
      );
      await update();
    },

    /** The version that these sources would install. */
    async candidate(): Promise<AsteriskVersion | undefined> {
      const text = insist(await run('apt-cache', ['madison', 'asterisk'], true), 'asking apt for Asterisk');
      return parseVersion(text.split('|')[1] ?? '');
    },

    /** All packages that are needed, whether already downloaded or not: file name → bytes. */
    async packages(): Promise<ReadonlyMap<string, number>> {
      // A folder without packages: apt leaves out those that it finds.
      const nothingYet = ['-o', `Dir::Cache::archives=${join(dir, 'state')}`];
      const args = [...packageArgs, ...nothingYet, '--print-uris', 'install', 'asterisk'];
      const text = insist(await run('apt-get', args, true), 'choosing the packages');
      const lines = [...text.matchAll(/^'[^']+' (\S+\.deb) (\d+) /gm)];
      return new Map(lines.map(([, file = '', bytes]) => [file, Number(bytes)]));
    },

    async download(): Promise<void> {
      const args = [...packageArgs, '--download-only', 'install', 'asterisk'];
      insist(await run('apt-get', args, true), 'downloading the packages');
    },
  };
}

function sourceOf(line: string): AptSource[] {
  const [uri = '', suite = '', component = ''] = line.trim().split('|');
  return /^[a-z+]+:\S+$/.test(uri) && /^\S+$/.test(suite) && /^\S+$/.test(component)
    ? [{ uri, suite, component }]
    : [];
}

/** The machine's release, `bookworm`. */
export async function machineSuite(): Promise<string | undefined> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(text)?.[1];
}
