// `npm run check`: everything that can be checked without running the service. Runs all checks, two at a time.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './run-command.ts';

type Check = { name: string; command: string; args: string[]; needs?: string };

const node = process.execPath;
const document = 'openapi/pbxcore.json';
const checks: Check[] = [
  { name: 'types', command: 'tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'types of the page', command: 'tsc', args: ['-p', 'web/tsconfig.json'] },
  { name: 'unused code (knip)', command: 'knip', args: ['--no-progress'] },
  { name: 'lint and format (biome)', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'import directions', command: node, args: ['scripts/check-imports.ts'] },
  { name: 'documents', command: node, args: ['scripts/check-docs.ts'] },
  { name: 'citations of the contract', command: node, args: ['scripts/check-citations.ts'] },
  {
    name: 'OpenAPI is up to date',
    command: node,
    args: ['scripts/openapi.ts', '--check'],
    needs: 'scripts/openapi.ts',
  },
  {
    name: 'typed client is up to date',
    command: node,
    args: ['scripts/client.ts', '--check'],
    needs: document,
  },
  { name: 'types of modules are up to date', command: node, args: ['scripts/module-types.ts', '--check'] },
  {
    name: 'budgets of the page',
    command: node,
    args: ['scripts/check-page.ts'],
    needs: 'web/dist/manifest.json',
  },
  { name: 'OpenAPI valid (redocly)', command: 'redocly', args: ['lint', document], needs: document },
  { name: 'OpenAPI valid (seriousme)', command: 'validate-api', args: [document], needs: document },
];

async function judge({ name, command, args, needs }: Check): Promise<boolean> {
  if (needs && !existsSync(join(root, needs))) {
    console.log(`skip  ${name}: there is no ${needs}`);
    return true;
  }
  const begun = performance.now();
  const { code, output } = await capture(command, args);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok   ' : 'FAIL '} ${name} (${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '      '));
  return code === 0;
}

const waiting = [...checks];
const failed: string[] = [];
async function work(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    if (!(await judge(check))) failed.push(check.name);
  }
}
await Promise.all([work(), work()]);
if (failed.length > 0) {
  console.log(`${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
