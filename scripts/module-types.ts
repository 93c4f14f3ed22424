// `npm run module-types`: writes the types that authors of modules compile against. With `--check` it only compares.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, root } from './run-command.ts';

const folder = join(root, 'packages/module/types');

async function generate(into: string): Promise<void> {
  const { code, output } = await capture('tsc', ['-p', 'packages/module/tsconfig.json', '--outDir', into]);
  if (code !== 0) throw new Error(output);
}

const contentOf = (place: string): string =>
  globSync('**/*.d.ts', { cwd: place })
    .sort()
    .map((file) => `${file}\n${readFileSync(join(place, file), 'utf8')}`)
    .join('\n');

if (process.argv.includes('--check')) {
  const fresh = mkdtempSync(join(tmpdir(), 'pbxcore-types-'));
  try {
    await generate(fresh);
    if (contentOf(fresh) !== contentOf(folder)) {
      console.error('packages/module/types is out of date: run `npm run module-types`');
      process.exitCode = 1;
    }
  } finally {
    rmSync(fresh, { recursive: true });
  }
} else {
  rmSync(folder, { recursive: true, force: true });
  await generate(folder);
}
