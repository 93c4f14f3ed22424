// `npm test`: the real parts first, then every test. Arguments go to vitest: `npm test -- --project fast`.
import { run } from './run-command.ts';

const prepared = await run(process.execPath, ['scripts/setup-test-tools.ts']);
process.exitCode = prepared === 0 ? await run('vitest', ['run', ...process.argv.slice(2)]) : prepared;
