// The wait of an author under `pbxcore module dev`: from writing a file until the new version answers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { atMost, median, quantile, type Row } from '../measure/report.ts';
import type { Service } from '../service/service.ts';

const root = join(import.meta.dirname, '../..');
const PATH = '/module-phone-book/round';

interface ReloadParts {
  readonly service: Service;
  readonly dataDir: string;
  readonly modulesDir: string;
  readonly rounds: number;
}

/** The TypeScript example with one more route, which returns the last round written. */
function writeModule(folder: string): (round: number) => void {
  const isSource = (path: string) => !['dist', '.pbxcore', 'node_modules'].includes(basename(path));
  cpSync(join(root, 'examples/phone-book'), folder, { recursive: true, filter: isSource });
  const main = join(folder, 'src/index.ts');
  const route = `{ path: '/pbxcore/api/v3${PATH}', permission: 'round', channels: ['public'], list: () => [round] }`;
  const source = readFileSync(main, 'utf8').replace('Incoming]', `Incoming, ${route}]`);
  writeFileSync(main, `import { round } from './round.js';\n${source}`);
  return (round) => writeFileSync(join(folder, 'src/round.ts'), `export const round = ${round};\n`);
}

/** Waits for a line of the command's output. */
function linesOf(child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> }) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (wanted: RegExp): Promise<void> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`module dev ended before it said ${wanted}`);
      if (wanted.test(value)) return;
    }
  };
}

export async function reloads({ service, dataDir, modulesDir, rounds }: ReloadParts): Promise<Row[]> {
  const write = writeModule(join(modulesDir, 'phone-book'));
  write(0);
  const program = join(root, 'server/bin/pbxcore.js');
  const child = spawn(process.execPath, [program, 'module', 'dev', 'phone-book', '--yes'], {
    env: { ...process.env, PBXCORE_DATA_DIR: dataDir, PBXCORE_MODULES_DIR: modulesDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = linesOf(child);
  await said(/^watching /);
  const took: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const began = performance.now();
    write(round);
    await said(/^reloaded in /);
    const [answered] = await service.call('GET', PATH);
    took.push(performance.now() - began);
    if (answered !== round) throw new Error(`${round} was written, ${answered} answers`);
  }
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
  const usual = median(took);
  return [
    { what: 'saved file to new answer', unit: 'ms', measured: usual, target: atMost(usual, 1000, '< 1000') },
    { what: 'the same, p95', unit: 'ms', measured: quantile(took, 0.95) },
  ];
}
