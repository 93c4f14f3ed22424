import { dialable } from '../config/encode.ts';

/** Targets that are not numbers; `pbx-target` has an extension for each. */
const WORDS: ReadonlySet<string> = new Set(['hangup', 'busy', 'did2user', 'voicemail']);

/** A target (contract 21) as an extension of `pbx-target`; an invalid one, from another tool, ends the call. */
export function targetExtension(target: string): string {
  if (target === '' || WORDS.has(target)) return target;
  const number = dialable(target);
  return number !== '' && number === target ? number : 'hangup';
}
