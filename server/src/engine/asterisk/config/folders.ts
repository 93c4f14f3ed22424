import type { Site } from '../site.ts';

/** Characters with a meaning in the dialplan or the engine's files, which have no escape that works everywhere. */
const SPECIAL = /[\p{Cc}$`"'\\;,(){}[\]<>|&=]| {2}|^ | $/u;

/** Why the engine cannot use one of its folders, in words for the operator: it would read or write elsewhere. */
export function unusableFolder({
  stateDir,
  recordingsDir,
  soundsDir,
  journalFile,
}: Pick<Site, 'stateDir' | 'recordingsDir' | 'soundsDir' | 'journalFile'>): string | undefined {
  const folder = [stateDir, recordingsDir, soundsDir, journalFile].find((name) => SPECIAL.test(name));
  if (folder === undefined) return undefined;
  const [sign] = SPECIAL.exec(folder) as RegExpExecArray;
  return `the engine cannot use ${JSON.stringify(folder)}: ${JSON.stringify(sign)} has a special meaning in its files. Choose another folder`;
}
