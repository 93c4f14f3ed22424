/** Stands for `)` in text that is passed to a function of the dialplan, and in the journal. */
export const CLOSING_SIGN = '\u0001';

/**
 * Text that a stranger wrote (a name, a number, a header), as an argument of a function. The engine inserts the text
 * before it looks for the end of the arguments: a `)` in it would be taken for that end, and a `:` after it for an
 * offset, so that the function would return only part of its result. `part` is our own offset.
 */
export const asArgument = (source: string, part = ''): string =>
  `\${REPLACE(${source},\\\\x29,\\x01)${part}}`;
