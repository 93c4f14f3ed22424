import { sep, resolve as toPath } from 'node:path';

const MAX_SEGMENT_BYTES = 255;
const MAX_SEGMENTS = 16;

/** What is wrong with the name of an archive's entry; `undefined` if a file may be written under it. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'has no name';
  if (/[\0-\x1f\x7f-\x9f]/.test(name)) return 'has control characters in its name';
  if (name.includes('\\')) return 'has a backslash in its name';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'has an absolute path';
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.includes('..')) return 'leads out of the folder (..)';
  if (segments.some((segment) => segment === '' || segment === '.')) return 'has an empty part in its path';
  if (segments.length > MAX_SEGMENTS) return `is more than ${MAX_SEGMENTS} folders deep`;
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES))
    return 'has too long a name';
  return undefined;
}

/** Where an entry is written. A second check after `nameProblem`, so that nothing leaves the folder. */
export function pathInside(folder: string, name: string): string {
  const root = toPath(folder);
  const path = toPath(root, name);
  if (!path.startsWith(root + sep)) throw new Error(`${name} lies outside the folder`);
  return path;
}
