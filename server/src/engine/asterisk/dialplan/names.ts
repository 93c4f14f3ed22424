import { encodedText, ROOM } from './journal-format.ts';

const MAX_NAME = 100;

/** A name for the journal: one argument, or an empty one and then the name, if it needs a line of its own. */
export function shownName(text: string): [string] | [string, string] {
  const shown = [...text].slice(0, MAX_NAME).join('');
  return Buffer.byteLength(shown) > ROOM.name ? ['', encodedText(shown)] : [encodedText(shown)];
}
