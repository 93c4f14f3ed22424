/**
 * Whether a real part (a server, a tool) is on this machine. If it is missing, developers get a warning, CI an error.
 * `npm test -- fast` uses none of them.
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
