/**
 * A text, or a number, that a module asked with; empty where there is none. What is neither is not made a text: that of a
 * list takes as long as it is large, and an object may have none.
 */
export function readAsked(value: unknown, name: string, refusal: (reason: string) => Error): string {
  if (typeof value === 'object' && value !== null) throw refusal(`${name}: must be a text or a number`);
  const text = String(value ?? '');
  // PostgreSQL stores none of these.
  if (text.includes('\0')) throw refusal(`${name}: control characters are not allowed`);
  return text;
}
