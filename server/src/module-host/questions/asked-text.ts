import { InvalidFields } from '../../lib/errors.ts';

/**
 * A text, or a number, that a module asked with; empty where there is none. What is neither is not made a text: that of a
 * list takes as long as it is large, and an object may have none.
 */
export function askedText(value: unknown, name: string): string {
  if (typeof value === 'object' && value !== null)
    throw new InvalidFields(`${name}: must be a text or a number`);
  const text = String(value ?? '');
  // PostgreSQL stores none of these.
  if (text.includes('\0')) throw new InvalidFields(`${name}: control characters are not allowed`);
  return text;
}
