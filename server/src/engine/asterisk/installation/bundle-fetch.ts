import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, statfs, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../../lib/clock.ts';
import type { AsteriskVersion } from '../site.ts';
import { isOlder, isSupported, parseVersion, supportedVersions } from './asterisk-version.ts';
import { type Bundle, type BundleRecord, readBundle, readRoot, writeRecord } from './bundle.ts';
import { type AptSource, AsteriskUnavailable, createApt, machineSuite } from './bundle-apt.ts';
import { lastWords, runProgram } from './run-program.ts';

export interface FetchProgress {
  readonly step: 'package lists' | 'download' | 'unpack' | 'check';
  /** Megabytes; totals are known once the packages are chosen. */
  readonly doneMb: number;
  readonly totalMb: number | null;
  /** Since the fetch began. */
  readonly seconds: number;
}

export interface FetchOptions {
  readonly bundleDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly onProgress: (progress: FetchProgress) => void;
  readonly signal?: AbortSignal;
}

/** Debian has Asterisk 22 in these; its libraries come along, so the machine's own release does not matter. */
const SUITES = ['forky', 'sid'];
const NEEDED_BYTES = 600e6;
const WATCH_MS = 1000;

/**
 * Fetches Asterisk with everything it needs into a folder, without root and without touching anything else. Packages
 * downloaded before an interruption are not downloaded again. The present bundle stays in use until the new one has
 * been started once; then one file is replaced. The caller ensures that one fetch runs at a time.
 *
 * Resolves to `present` itself when the mirror has nothing newer.
 */
export async function fetchBundle(options: FetchOptions, present?: Bundle): Promise<Bundle> {
  const { bundleDir, env, clock, onProgress, signal } = options;
  const begunAt = clock.now();
  const tell = (step: FetchProgress['step'], doneBytes = 0, totalBytes: number | null = null) =>
    onProgress({
      step,
      doneMb: megabytes(doneBytes),
      totalMb: totalBytes === null ? null : megabytes(totalBytes),
      seconds: Math.round((clock.now() - begunAt) / 1000),
    });

  tell('package lists');
  await mkdir(bundleDir, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(bundleDir);
  if (bavail * bsize < NEEDED_BYTES)
    throw new AsteriskUnavailable(
      `Asterisk needs ${megabytes(NEEDED_BYTES)} MB of free space in ${bundleDir}`,
    );
  const apt = await createApt({ dir: join(bundleDir, 'apt'), env, signal });
  const { suite, offered } = await chooseSuite(apt);

  const wanted = await apt.packages();
  if (present && !isNews(present, offered, wanted)) {
    const checkedAt = new Date(clock.now()).toISOString();
    await writeRecord(bundleDir, { ...present.record, checkedAt });
    await rm(join(bundleDir, 'apt'), { recursive: true, force: true });
    return present;
  }
  await removeOthers(apt.archives, wanted);
  const total = [...wanted.values()].reduce((sum, bytes) => sum + bytes, 0);
  const watch = setInterval(async () => {
    const partial = await sizeOf(join(apt.archives, 'partial'));
    tell('download', (await sizeOf(apt.archives)) + partial, total);
  }, WATCH_MS);
  try {
    tell('download', await sizeOf(apt.archives), total);
    await apt.download();
  } finally {
    clearInterval(watch);
  }

  const draft = join(bundleDir, 'root.draft');
  await rm(draft, { recursive: true, force: true });
  const packages: BundleRecord['packages'][number][] = [];
  let unpacked = 0;
  for (const file of (await readdir(apt.archives)).filter((name) => name.endsWith('.deb')).sort()) {
    const path = join(apt.archives, file);
    const result = await runProgram('dpkg-deb', ['-x', path, draft], { env, signal });
    signal?.throwIfAborted();
    if (result.code !== 0) throw new AsteriskUnavailable(`unpacking ${file} failed: ${lastWords(result)}`);
    packages.push({ file, sha256: await sha256(path) });
    unpacked += (await stat(path)).size;
    tell('unpack', unpacked, total);
  }
  await linkPrompts(join(draft, 'usr/share/asterisk/sounds'));

  tell('check', total, total);
  const unproven = readRoot(draft);
  if (!unproven)
    throw new AsteriskUnavailable(
      'the packages contain no program that can be started, or none of its modules',
    );
  const said = await runProgram(unproven.runner.program, [...unproven.runner.args, '-V'], { env, signal });
  const version = parseVersion(said.stdout);
  if (!version) throw new AsteriskUnavailable(`the fetched Asterisk does not start: ${lastWords(said)}`);
  // A new folder: an engine that runs from the old one finds its sounds and its program where they were.
  const root = `root-${randomBytes(4).toString('hex')}`;
  await rename(draft, join(bundleDir, root));
  const fetchedAt = new Date(clock.now()).toISOString();
  await writeRecord(bundleDir, { version: version.text, suite, fetchedAt, root, packages });
  await rm(join(bundleDir, 'apt'), { recursive: true, force: true });
  const bundle = readBundle(bundleDir);
  if (!bundle) throw new AsteriskUnavailable(`the bundle in ${bundleDir} cannot be read`);
  return bundle;
}

/** Package names contain their versions. A mirror that fell behind does not cause a downgrade. */
function isNews(
  { version, record }: Bundle,
  offered: AsteriskVersion,
  wanted: ReadonlyMap<string, number>,
): boolean {
  if (isOlder(offered, version)) return false;
  return record.packages.length !== wanted.size || record.packages.some(({ file }) => !wanted.has(file));
}

/** The first suite with a supported version: the machine's own, then others of the same mirror. */
async function chooseSuite(
  apt: Awaited<ReturnType<typeof createApt>>,
): Promise<{ suite: string; offered: AsteriskVersion }> {
  const own = await machineSuite();
  const sources = await apt.machineSources();
  const main = sources.find(({ suite }) => suite === own) ?? sources[0];
  if (!main) throw new AsteriskUnavailable('apt knows no mirror on this machine');
  const others = SUITES.filter((suite) => suite !== own);
  const tries: [string, AptSource[]][] = [
    ...((await apt.machineLacksAsterisk()) ? [] : [[own ?? main.suite, sources] as [string, AptSource[]]]),
    ...others.map((suite): [string, AptSource[]] => [suite, [{ uri: main.uri, suite, component: 'main' }]]),
  ];
  const reasons: string[] = [];
  for (const [suite, from] of tries) {
    try {
      await apt.use(from);
      const version = await apt.candidate();
      if (version && isSupported(version)) return { suite, offered: version };
      reasons.push(`${suite} has ${version ? `Asterisk ${version.text}` : 'no Asterisk'}`);
    } catch (error) {
      if (!(error instanceof AsteriskUnavailable)) throw error;
      reasons.push(`${suite}: ${error.message}`);
    }
  }
  throw new AsteriskUnavailable(
    `no Asterisk ${supportedVersions} on the mirror of this machine (${reasons.join('; ')})`,
  );
}

/** Packages of another version or release, left by an interrupted fetch, would be unpacked over the right ones. */
async function removeOthers(archives: string, wanted: ReadonlyMap<string, number>): Promise<void> {
  const found = (await readdir(archives)).filter((name) => name.endsWith('.deb') && !wanted.has(name));
  for (const name of found) await rm(join(archives, name), { force: true });
}

/** Installing the package would have made this link; without it no prompt is found. */
async function linkPrompts(sounds: string): Promise<void> {
  const folders: string[] = await readdir(sounds).catch(() => []);
  const english = folders.find((name) => name.startsWith('en_'));
  if (english && !folders.includes('en')) await symlink(english, join(sounds, 'en'));
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;

/** Total size of the files in a folder, which may change meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  const names: string[] = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (s) => (s.isFile() ? s.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
