import type { AsteriskVersion } from '../site.ts';

/** Long-term releases that are tested and still get fixes. */
const MAJORS = [20, 22];

/** Reads `Asterisk 22.10.1~dfsg…`, or the version of a package: `1:22.10.1~dfsg…`. */
export function parseVersion(text: string): AsteriskVersion | undefined {
  const [, version, major] = /^(?:Asterisk (?:certified\/)?|\d+:)?((\d{1,3})\.\d\S*)/.exec(text.trim()) ?? [];
  return version && major ? { text: version, major: Number(major) } : undefined;
}

/** Compares only Asterisk's own version numbers. */
export function isOlder(one: AsteriskVersion, other: AsteriskVersion): boolean {
  const [mine, theirs] = [one, other].map(({ text }) =>
    (/^[\d.]+/.exec(text)?.[0] ?? '').split('.').map(Number),
  );
  const at = mine?.findIndex((number, i) => number !== (theirs?.[i] ?? 0)) ?? -1;
  return at >= 0 && (mine?.[at] ?? 0) < (theirs?.[at] ?? 0);
}

export const isSupported = ({ major }: AsteriskVersion): boolean => MAJORS.includes(major);

export const supportedVersions = MAJORS.map((major) => `${major}.x`).join(' or ');
