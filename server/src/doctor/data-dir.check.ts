import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Finding, ok, type Patient, problem, warning } from './finding.ts';

const LITTLE_MB = 500;
const TOO_LITTLE_MB = 50;

export async function checkDataDir({ config }: Patient): Promise<Finding[]> {
  const dataDir = resolve(config.dataDir);
  const found = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code !== 'ENOENT')
      return [problem(`data directory ${dataDir}: ${found.message}`, 'set PBXCORE_DATA_DIR to a directory')];
    const parent = await writable(dirname(dataDir));
    const text = `data directory ${dataDir} does not exist`;
    return [
      parent === undefined
        ? warning(text, 'the first start creates it; if there should be data, check PBXCORE_DATA_DIR')
        : problem(`${text} and cannot be created (${parent})`, 'create it, owned by the user of the service'),
    ];
  }
  if (!found.isDirectory())
    return [problem(`${dataDir} is not a directory`, 'set PBXCORE_DATA_DIR to a directory')];
  const findings = [
    ...owner(dataDir, found.uid),
    ...access(dataDir, found.mode & 0o777),
    ...(await space(dataDir)),
  ];
  const refused = await writable(dataDir);
  if (refused !== undefined) {
    findings.push(
      problem(`data directory ${dataDir} cannot be written: ${refused}`, 'make it writable for the service'),
    );
  }
  return findings.length > 0 ? findings : [ok(`data directory ${dataDir}: private and writable`)];
}

function owner(dataDir: string, uid: number): Finding[] {
  const own = process.getuid?.() ?? uid;
  // Root may check the service of another user.
  if (uid === own || own === 0) return [];
  return [
    problem(
      `data directory ${dataDir} belongs to user ${uid}, this is user ${own}`,
      'run pbxcore as the user of the service',
    ),
  ];
}

function access(dataDir: string, mode: number): Finding[] {
  const shown = `0${mode.toString(8).padStart(3, '0')}`;
  if ((mode & 0o077) !== 0) {
    return [
      problem(`data directory ${dataDir} has mode ${shown}: other users have access`, `chmod 700 ${dataDir}`),
    ];
  }
  return (mode & 0o700) === 0o700
    ? []
    : [
        problem(
          `data directory ${dataDir} has mode ${shown}: its owner has no full access`,
          `chmod 700 ${dataDir}`,
        ),
      ];
}

async function space(dataDir: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(dataDir);
  const megabytes = Math.floor((bavail * bsize) / 1_000_000);
  if (megabytes >= LITTLE_MB) return [];
  const text = `only ${megabytes} MB are free on the disk of the data directory ${dataDir}`;
  const remedy = 'free some space: without any, nothing can be stored';
  return [megabytes < TOO_LITTLE_MB ? problem(text, remedy) : warning(text, remedy)];
}

/** Why nothing can be created in a directory; `undefined` if it can. */
async function writable(directory: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(directory, '.pbxcore-doctor-')));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}
