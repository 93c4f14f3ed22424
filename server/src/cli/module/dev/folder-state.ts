import { isShipped } from '../package-files.ts';

export interface FileState {
  /** Changes whenever it is written. */
  readonly mark: string;
  /** Changes when its contents change. */
  readonly hash: string;
}

/** The files of a module, by their paths inside its folder. */
export type FolderState = ReadonlyMap<string, FileState>;

/** Temporary files of editors and other tools, and what is not part of the module. */
const foreign = [
  /^\./, // repositories, swap files, `.pbxcore`
  /^node_modules$/,
  /~$/,
  /^#.*#$/,
  /\.(?:swp|swx|tmp|bak|orig|zip)$/,
  /^4913$/, // created by vim to test whether it may write here
  /___jb_(?:tmp|old)___$/,
];

/** For a file or folder that does not belong to the module. */
export const isForeign = (name: string): boolean => foreign.some((pattern) => pattern.test(name));

/** The files that the compiler reads. */
export const sourcesOf = (state: FolderState): FolderState =>
  filtered(state, (path) => /\.(?:[cm]?tsx?|json)$/.test(path));

/** The files that the exchange loads. */
export const shippedOf = (state: FolderState): FolderState =>
  filtered(state, (path) => path.split('/').every(isShipped));

const filtered = (state: FolderState, isMeant: (path: string) => boolean): FolderState =>
  new Map([...state].filter(([path]) => isMeant(path)));

/** The files that differ, including removed and new ones. */
export function changedFiles(
  before: FolderState | undefined,
  after: FolderState,
  by: keyof FileState = 'hash',
): string[] {
  const paths = new Set([...(before?.keys() ?? []), ...after.keys()]);
  return [...paths].filter((path) => before?.get(path)?.[by] !== after.get(path)?.[by]).sort();
}
