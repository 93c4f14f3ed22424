import { accessSync, constants, globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { AsteriskVersion } from '../site.ts';
import { isSupported, parseVersion, supportedVersions } from './asterisk-version.ts';
import { type Bundle, type Runner, readBundle } from './bundle.ts';
import { AsteriskUnavailable } from './bundle-apt.ts';
import { type FetchOptions, fetchBundle } from './bundle-fetch.ts';
import { removeOldRoots } from './bundle-roots.ts';
import { takeLock } from './process-lock.ts';
import { lastWords, runProgram } from './run-program.ts';

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
  /** ISO 8601: only of a bundle. */
  readonly fetchedAt?: string;
}

export interface InstallationOptions extends FetchOptions {
  /** Named by the operator; nothing else is tried then. */
  readonly program: string | undefined;
  readonly mayFetch: boolean;
  /** Called for an installation that was found but is not used. */
  readonly onPassedOver: (reason: string) => void;
}

/** The operator's own, one on the PATH, or a bundle, fetched now if need be; else throws `AsteriskUnavailable`. */
export async function obtainInstallation(options: InstallationOptions): Promise<Installation> {
  const present = await findInstallation(options);
  if (present) return present;
  if (!options.mayFetch)
    throw new AsteriskUnavailable(`there is no Asterisk, and fetching one is switched off`);
  return withFetchLock(
    options,
    // Whoever held the lock may have fetched it.
    async () => fromBundle(options) ?? ofBundle(options.bundleDir, await fetchBundle(options)),
  );
}

export interface Renewal {
  readonly installation: Installation;
  /** What was there before: the same if the mirror has nothing newer, `undefined` if nothing was. */
  readonly before: Installation | undefined;
}

/** Fetches a bundle of what the mirror has now. One that is in use stays as it is, and in service if this fails. */
export async function renewInstallation(
  options: InstallationOptions & { readonly isServed: boolean },
): Promise<Renewal> {
  const present = await findInstallation(options);
  // The operator's own installation is renewed where it came from.
  if (present && present.kind !== 'bundle') return { installation: present, before: present };
  return withFetchLock(options, async () => {
    const { bundleDir, isServed } = options;
    const before = fromBundle(options);
    const fetched = await fetchBundle(options, before && readBundle(bundleDir));
    await removeOldRoots(bundleDir, { isServed });
    return { installation: ofBundle(bundleDir, fetched), before };
  });
}

async function withFetchLock<T>(
  { bundleDir, env, signal }: InstallationOptions,
  work: () => Promise<T>,
): Promise<T> {
  for (const name of ['apt-get', 'apt-config', 'apt-cache', 'dpkg-deb'])
    if (!findProgram(name, env.PATH))
      throw new AsteriskUnavailable(`fetching Asterisk needs ${name}, which is not installed here`);
  await mkdir(bundleDir, { recursive: true, mode: 0o700 });
  const unlock = await takeLock(join(bundleDir, 'fetch.lock'), { signal });
  try {
    return await work();
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

function fromBundle({
  bundleDir,
  onPassedOver,
}: Pick<InstallationOptions, 'bundleDir' | 'onPassedOver'>): Installation | undefined {
  const bundle = readBundle(bundleDir);
  if (!bundle) return undefined;
  if (isSupported(bundle.version)) return ofBundle(bundleDir, bundle);
  onPassedOver(`the bundle in ${bundleDir} is Asterisk ${bundle.version.text}, not ${supportedVersions}`);
  return undefined;
}

const ofBundle = (bundleDir: string, bundle: Bundle): Installation => ({
  kind: 'bundle',
  where: bundleDir,
  runner: bundle.runner,
  version: bundle.version,
  modulesDir: bundle.modulesDir,
  shareDir: bundle.shareDir,
  fetchedAt: bundle.record.fetchedAt,
});

async function examine(
  kind: 'setting' | 'path',
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Installation> {
  const said = await runProgram(program, ['-V'], { env, timeoutMs: 20_000 });
  const version = parseVersion(said.stdout);
  if (!version)
    throw new AsteriskUnavailable(`${program} is not an Asterisk that starts: ${lastWords(said)}`);
  if (!isSupported(version))
    throw new AsteriskUnavailable(`${program} is Asterisk ${version.text}, not ${supportedVersions}`);
  const runner = { program, args: [] };
  return { kind, where: program, runner, version, modulesDir: modulesBeside(program), shareDir: undefined };
}

/** Only to know what it can do; Asterisk finds its modules by itself. */
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
