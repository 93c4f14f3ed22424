/**
 * A string or number that a module passed; empty if absent. Nothing else is converted: converting a list takes as long
 * as it is large, and an object may not be convertible.
 */
export function readAsked(value: unknown, name: string, refusal: (reason: string) => Error): string {
  if (typeof value === 'object' && value !== null) throw refusal(`${name}: must be a text or a number`);
  const text = String(value ?? '');
  // PostgreSQL cannot store it.
  if (text.includes('\0')) throw refusal(`${name}: control characters are not allowed`);
  return text;
}
