/**
 * Patterns of modules run on the core's thread against what strangers send, so they must not be able to take long: no
 * groups, no alternatives, few repetitions of variable length. Over 256 characters that leaves a few thousand steps.
 */
const PIECE = /\\[dDwWsS.+*?()[\]{}|^$/\\-]|\.|\[\^?(?:\\.|[^\]\\])+\]|[^\\.[\](){}|^$*+?]/y;
const QUANTIFIER = /[?*+]|\{\d{1,3}(?:,\d{0,3})?\}/y;
const MAX_VARIABLE = 2;
const MAX_OPTIONAL = 4;
export const MAX_MATCHED_LENGTH = 256;

/** For the whole value; `undefined` when it is not such a pattern. */
export function safePattern(source: string): RegExp | undefined {
  const inner = source.replace(/^\^/, '').replace(/\$$/, '');
  if (inner === '' || inner.length > 200) return undefined;
  let at = 0;
  let variable = 0;
  let optional = 0;
  while (at < inner.length) {
    const piece = take(PIECE, inner, at);
    if (!piece) return undefined;
    at += piece.length;
    const quantifier = take(QUANTIFIER, inner, at) ?? '';
    at += quantifier.length;
    if (quantifier === '?') optional++;
    else if (quantifier !== '' && !/^\{\d+\}$/.test(quantifier)) variable++;
  }
  if (variable > MAX_VARIABLE || optional > MAX_OPTIONAL) return undefined;
  try {
    return new RegExp(`^${inner}$`, 'u');
  } catch {
    return undefined;
  }
}

function take(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
