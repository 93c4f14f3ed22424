import { accessSync, constants, globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { isSupported, parseVersion, supportedVersions } from './asterisk-version.ts';
import { type Runner, readBundle } from './bundle.ts';
import { NotToBeHad } from './bundle-apt.ts';
import { type FetchOptions, fetchBundle } from './bundle-fetch.ts';
import { takeLock } from './process-lock.ts';
import { lastWords, runProgram } from './run-program.ts';
import type { AsteriskVersion } from './site.ts';

/** An Asterisk on this machine that we can start. */
export interface Installation {
  readonly kind: 'setting' | 'path' | 'bundle';
  /** For the operator: the program or the folder. */
  readonly where: string;
  readonly runner: Runner;
  readonly version: AsteriskVersion;
  /** `undefined` = as it was built. */
  readonly modulesDir: string | undefined;
  readonly shareDir: string | undefined;
}

export interface InstallationOptions extends FetchOptions {
  /** Named by the operator; nothing else is tried then. */
  readonly program: string | undefined;
  readonly mayFetch: boolean;
  /** Something that was looked at and not taken. */
  readonly onPassedOver: (reason: string) => void;
}

/** The operator's own, one on the PATH, the bundle fetched before, a bundle fetched now; `NotToBeHad` when none of them. */
export async function obtainInstallation(options: InstallationOptions): Promise<Installation> {
  const present = await findInstallation(options);
  if (present) return present;
  const { bundleDir, mayFetch, env } = options;
  if (!mayFetch) throw new NotToBeHad(`there is no Asterisk, and fetching one is switched off`);
  for (const name of ['apt-get', 'apt-config', 'apt-cache', 'dpkg-deb'])
    if (!findProgram(name, env.PATH))
      throw new NotToBeHad(`fetching Asterisk needs ${name}, which is not here`);
  await mkdir(bundleDir, { recursive: true, mode: 0o700 });
  const unlock = await takeLock(join(bundleDir, 'fetch.lock'), { signal: options.signal });
  try {
    // Whoever held the lock may have fetched it.
    return (await fromBundle(options)) ?? ofBundle(bundleDir, await fetchBundle(options));
  } finally {
    await unlock();
  }
}

/** Without fetching. */
export async function findInstallation(
  options: Omit<InstallationOptions, 'mayFetch' | 'onProgress' | 'clock'>,
): Promise<Installation | undefined> {
  const { program, env } = options;
  if (program) return examine('setting', program, env);
  const found = findProgram('asterisk', env.PATH);
  if (found) {
    try {
      return await examine('path', found, env);
    } catch (error) {
      options.onPassedOver((error as Error).message);
    }
  }
  return fromBundle(options);
}

async function fromBundle({
  bundleDir,
  onPassedOver,
}: Pick<InstallationOptions, 'bundleDir' | 'onPassedOver'>): Promise<Installation | undefined> {
  const bundle = await readBundle(bundleDir);
  if (!bundle) return undefined;
  if (isSupported(bundle.version)) return ofBundle(bundleDir, bundle);
  onPassedOver(`the bundle in ${bundleDir} is Asterisk ${bundle.version.text}, not ${supportedVersions}`);
  return undefined;
}

type Bundle = NonNullable<Awaited<ReturnType<typeof readBundle>>>;

const ofBundle = (bundleDir: string, { runner, version, modulesDir, shareDir }: Bundle): Installation => ({
  kind: 'bundle',
  where: bundleDir,
  runner,
  version,
  modulesDir,
  shareDir,
});

async function examine(
  kind: 'setting' | 'path',
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Installation> {
  const said = await runProgram(program, ['-V'], { env, timeoutMs: 20_000 });
  const version = parseVersion(said.stdout);
  if (!version) throw new NotToBeHad(`${program} is no Asterisk that starts: ${lastWords(said)}`);
  if (!isSupported(version))
    throw new NotToBeHad(`${program} is Asterisk ${version.text}, not ${supportedVersions}`);
  const runner = { program, args: [] };
  return { kind, where: program, runner, version, modulesDir: modulesBeside(program), shareDir: undefined };
}

/** Only to know what it can do; it finds them by itself. */
function modulesBeside(program: string): string | undefined {
  const prefix = dirname(dirname(program));
  const places = ['lib/asterisk/modules', 'lib64/asterisk/modules', 'lib/*/asterisk/modules'];
  const [found] = globSync(places, { cwd: prefix });
  return found && join(prefix, found);
}

function findProgram(name: string, searchPath = ''): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
