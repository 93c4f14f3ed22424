import type { Act, Generation, Manifest, Read } from '@pbxcore/module/description';
import { type DeclaredFields, declareFields } from '@pbxcore/module/fields';
import { isNestedDeeper } from '../../lib/json-depth.ts';
import { MODULE_ID } from '../../lib/module-id.ts';
import { isObject, must, shown } from './broken-module.ts';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const VERSION = /^\d{1,6}(\.\d{1,6}){0,3}$/;
const KEYS =
  'id name version developer description min_pbx_version generation slug main reads writes acts channels settings'.split(
    ' ',
  );
const READS: readonly Read[] = ['employees', 'providers', 'calls', 'statuses', 'bans'];
const ACTS: readonly Act[] = ['originate', 'hangup', 'transfer'];

/** A checked manifest; texts that were not given are empty. */
export interface CheckedManifest {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly developer: string;
  readonly description: string;
  readonly min_pbx_version: string;
  readonly generation: Generation;
  /** Empty in generations 1 and 2. */
  readonly slug: string;
  readonly main: string;
  readonly reads: readonly Read[];
  /** Resources of the permission catalogue; whether they exist is checked where the routes are known. */
  readonly writes: readonly string[];
  readonly acts: readonly Act[];
  readonly localhost: boolean;
  readonly settings: DeclaredFields;
  /**
   * Why it is neither installed nor enabled, although it could run: an unknown key, which may be a misspelt one. A
   * module enabled before this was checked goes on running: an upgrade takes none away.
   */
  readonly objection: string | undefined;
}

/** Parses a module.json. Throws `BrokenModule`. */
export function parseManifest(json: string, pbxVersion: string): CheckedManifest {
  must(!isNestedDeeper(Buffer.from(json)), 'module.json is nested too deeply');
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch (error) {
    must(false, `module.json is not valid JSON${lineOf(error as Error)}`);
  }
  must(isObject(given), 'module.json must hold an object');
  const manifest = given as Partial<Manifest> & Record<string, unknown>;
  const id = manifest.id;
  must(
    typeof id === 'string' && MODULE_ID.test(id),
    `id ${shown(id)}: must be a letter, then letters and digits, at most 64 characters`,
  );
  const generation = manifest.generation;
  must(
    generation === 1 || generation === 2 || generation === 3,
    `generation ${shown(generation)}: must be 1, 2 or 3`,
  );
  const odd = Object.keys(manifest).find((key) => !KEYS.includes(key));
  const min = versionOf(manifest.min_pbx_version ?? '0', 'min_pbx_version');
  must(!isNewer(min, pbxVersion), `it needs version ${min} of the exchange, this is ${pbxVersion}`);
  return {
    id,
    name: textOf(manifest.name ?? id, 'name', 100),
    version: versionOf(manifest.version, 'version'),
    developer: textOf(manifest.developer ?? '', 'developer', 100),
    description: textOf(manifest.description ?? '', 'description', 1000),
    min_pbx_version: manifest.min_pbx_version === undefined ? '' : min,
    generation,
    slug: slugOf(manifest.slug, generation),
    main: mainOf(manifest.main),
    reads: listOf(manifest.reads, READS, 'reads'),
    writes: namesOf(manifest.writes, 'writes'),
    acts: listOf(manifest.acts, ACTS, 'acts'),
    localhost: listOf(manifest.channels, ['localhost', 'bearer_token'], 'channels').includes('localhost'),
    settings: declareFields(manifest.settings, 'settings'),
    objection: odd === undefined ? undefined : `module.json: ${shown(odd)} is not one of ${KEYS.join(', ')}`,
  };
}

export function refuseObjectionable({ objection }: CheckedManifest): void {
  must(objection === undefined, objection ?? '');
}

/** For a file of several lines. */
function lineOf({ message }: Error): string {
  const line = Number(/\(line (\d+)/.exec(message)?.[1] ?? 1);
  return line > 1 ? ` (line ${line})` : '';
}

function textOf(value: unknown, name: string, max: number): string {
  must(
    typeof value === 'string' && [...value].length <= max,
    `${name}: must be a text of at most ${max} characters`,
  );
  must(!/[\0-\x1f\x7f-\x9f]/.test(value), `${name}: control characters are not allowed`);
  return value;
}

function versionOf(value: unknown, name: string): string {
  must(typeof value === 'string' && VERSION.test(value), `${name} ${shown(value)}: must be like 1.2.3`);
  return value;
}

function slugOf(value: unknown, generation: Generation): string {
  if (generation !== 3) {
    must(value === undefined, 'slug: only a module of generation 3 has one');
    return '';
  }
  must(
    typeof value === 'string' && value.length <= 64 && SLUG.test(value),
    `slug ${shown(value)}: must be lower-case letters and digits joined by single hyphens`,
  );
  return value;
}

/** A path inside the folder; whether the file really is there is checked on disk. */
function mainOf(value: unknown): string {
  must(typeof value === 'string' && value.length <= 255, `main ${shown(value)}: must name a file`);
  const parts = value.replace(/^\.\//, '').split('/');
  const inside = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0:]/.test(part));
  must(inside, `main ${shown(value)}: must be a relative path inside the module's folder`);
  must(/\.m?js$/.test(value), `main ${shown(value)}: must be a .js or .mjs file`);
  return parts.join('/');
}

function listOf<T extends string>(value: unknown, known: readonly T[], name: string): T[] {
  must(value === undefined || Array.isArray(value), `${name}: must be a list`);
  const list = [...new Set((value ?? []) as T[])];
  const unknown = list.find((entry) => !known.includes(entry));
  must(unknown === undefined, `${name}: ${shown(unknown)} is not one of ${known.join(', ')}`);
  return list;
}

function namesOf(value: unknown, name: string): string[] {
  must(value === undefined || Array.isArray(value), `${name}: must be a list`);
  const list = [...new Set((value ?? []) as unknown[])];
  for (const entry of list)
    must(typeof entry === 'string' && SLUG.test(entry), `${name}: ${shown(entry)} names no resource`);
  return list as string[];
}

export function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
