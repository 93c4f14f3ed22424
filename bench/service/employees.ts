/** The first number; the others follow it. */
export const FIRST_NUMBER = 100_000;
const PER_FILE = 1000;

type Call = (
  verb: 'POST',
  path: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the interface
) => Promise<any>;

/** Creates employees `from` to `to` by importing files, as an operator would for so many. */
export async function fillEmployees(
  call: Call,
  from: number,
  to: number,
  describe: (n: number) => Readonly<Record<string, string>> = (n) => ({ user_username: `Person ${n}` }),
): Promise<void> {
  for (let first = from; first < to; first += PER_FILE) {
    const count = Math.min(PER_FILE, to - first);
    const rows = Array.from({ length: count }, (_, i) => [
      FIRST_NUMBER + first + i,
      ...Object.values(describe(first + i)),
    ]);
    const csv = [['number', ...Object.keys(describe(0))], ...rows].join('\n');
    const { upload_id } = await call('POST', '/employees:import', { csv });
    await call('POST', '/employees:confirmImport', { upload_id });
  }
}
