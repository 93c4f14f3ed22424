/** Stands for `)` in a text that a function of the dialplan is given, and in the journal. */
export const CLOSING_SIGN = '\u0001';

/**
 * What a stranger wrote (a name, a number, a header), as an argument of a function. The engine puts the text in its place before it
 * looks for the end of the arguments: a `)` in it would be taken for that end, and a `:` behind it for an offset, so that the function
 * would answer with a part of its answer. `part` is an offset of ours.
 */
export const asArgument = (source: string, part = ''): string =>
  `\${REPLACE(${source},\\\\x29,\\x01)${part}}`;
