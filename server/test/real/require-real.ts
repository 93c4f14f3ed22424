/**
 * Whether a real part (a server, a tool) is on this machine. A developer may lack it and is told; CI may not.
 * `npm test -- fast` does without all of them.
 * Use: `describe.skipIf(!realPart('PostgreSQL', findPostgres()))`.
 */
export function realPart(name: string, found: unknown): boolean {
  if (process.env.TEST_WITHOUT_REAL_PARTS) return false;
  if (found) return true;
  const message = `${name} is not installed: the tests that need it do not run`;
  if (process.env.CI) throw new Error(message);
  console.warn(message);
  return false;
}
