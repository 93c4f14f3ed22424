import { isShipped } from '../package-files.ts';

export interface FileState {
  /** Another one whenever it was written. */
  readonly mark: string;
  /** Another one when something else was written. */
  readonly hash: string;
}

/** The files of a module, by their paths inside its folder. */
export type FolderState = ReadonlyMap<string, FileState>;

/** What editors and other tools leave in between, and what is no part of the module. */
const foreign = [
  /^\./, // repositories, swap files, `.pbxcore`
  /^node_modules$/,
  /~$/,
  /^#.*#$/,
  /\.(?:swp|swx|tmp|bak|orig|zip)$/,
  /^4913$/, // tried by vim: whether it may write here
  /___jb_(?:tmp|old)___$/,
];

/** Of a file or folder that says nothing about the module. */
export const isForeign = (name: string): boolean => foreign.some((pattern) => pattern.test(name));

/** What the compiler reads. */
export const sourcesOf = (state: FolderState): FolderState =>
  filtered(state, (path) => /\.(?:[cm]?tsx?|json)$/.test(path));

/** What the exchange loads. */
export const shippedOf = (state: FolderState): FolderState =>
  filtered(state, (path) => path.split('/').every(isShipped));

const filtered = (state: FolderState, isMeant: (path: string) => boolean): FolderState =>
  new Map([...state].filter(([path]) => isMeant(path)));

/** The files that are not the same, gone and new ones included. */
export function changedFiles(
  before: FolderState | undefined,
  after: FolderState,
  by: keyof FileState = 'hash',
): string[] {
  const paths = new Set([...(before?.keys() ?? []), ...after.keys()]);
  return [...paths].filter((path) => before?.get(path)?.[by] !== after.get(path)?.[by]).sort();
}
