// `npm test`: the real parts first, then every test.
// `npm test -- fast`: the everyday part, which needs nothing installed. `npm test -- slow telephony` runs these two.
// All other arguments go to vitest: `npm test -- server/test/acceptance/bans.test.ts`.
import { join } from 'node:path';
import { root, run } from './run-command.ts';

const parts: Record<string, string[]> = {
  fast: ['units', 'acceptance'],
  units: ['units'],
  acceptance: ['acceptance'],
  slow: ['slow'],
  page: ['page'],
  'real-parts': ['real-parts'],
  telephony: ['telephony'],
  alone: ['alone'],
};
const words = process.argv.slice(2);
const isPart = (word: string, index: number) =>
  Object.hasOwn(parts, word) && !words[index - 1]?.startsWith('-');
const named = words.filter(isPart);
const others = words.filter((word, index) => !isPart(word, index));
const everyday = named.length > 0 && named.every((name) => name === 'fast');

const prepared = everyday
  ? 0
  : (await run(process.execPath, ['scripts/setup-test-tools.ts'])) ||
    (await run(process.execPath, ['scripts/page.ts', '--if-changed']));
const args = [
  'run',
  ...named.flatMap((name) => parts[name]!.flatMap((project) => ['--project', project])),
  ...others,
];
// See server/test/real/require-real.ts.
const env = {
  // Hundreds of processes, and each of their threads, would otherwise compile the same code.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'pbxcore-compiled'),
  ...(everyday && { TEST_WITHOUT_REAL_PARTS: '1' }),
};
process.exitCode = prepared === 0 ? await run('vitest', args, env) : prepared;
