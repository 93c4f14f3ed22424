import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CommandFailed } from '../command.ts';

const require = createRequire(import.meta.url);
const modulePackage = join(import.meta.dirname, '../../../../packages/module');

/** A module written in JavaScript is shipped unchanged. */
export const needsBuild = (folder: string): boolean => existsSync(join(folder, 'tsconfig.json'));

/** Compiles a module with the exchange's own TypeScript. The module's tsconfig.json extends the file written here. */
export async function buildModule(folder: string): Promise<void> {
  if (!needsBuild(folder)) return;
  const compiler = await prepareBuild(folder);
  const code = await run([compiler, '-p', folder], folder);
  if (code !== 0) throw new CommandFailed('the module does not compile');
}

/** Writes the file that its tsconfig.json extends; resolves to the compiler. */
export async function prepareBuild(folder: string): Promise<string> {
  const compiler = findCompiler();
  // Not recursive: a folder that was moved away would reappear with nothing but this in it.
  await mkdir(join(folder, '.pbxcore')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await writeFile(join(folder, '.pbxcore', 'tsconfig.json'), `${JSON.stringify(baseOptions(), null, 2)}\n`);
  return compiler;
}

/** Runs the module's tests with Node's test runner. */
export async function testModule(folder: string): Promise<boolean> {
  const provide = join(modulePackage, 'src', 'provide.ts');
  // Named one by one: the runner's own search would include packages that the author has installed.
  const isForeign = (name: string) => name === 'node_modules' || name.startsWith('.');
  const tests: string[] = [];
  for await (const name of glob('**/*.test.{js,mjs}', { cwd: folder, exclude: isForeign })) tests.push(name);
  if (tests.length === 0)
    throw new CommandFailed('there are no tests', 'a test is a file whose name ends in .test.js');
  return (await run(['--import', provide, '--test', ...tests.sort()], folder)) === 0;
}

function findCompiler(): string {
  try {
    return join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    throw new CommandFailed(
      'TypeScript is not installed here',
      'run `npm ci` without `--omit=dev`, or compile the module where you write it',
    );
  }
}

/** The location of the types depends on the machine: hence a generated file, neither committed nor packed. */
function baseOptions(): object {
  const types = join(modulePackage, 'types');
  const packages = dirname(dirname(require.resolve('@types/node/package.json')));
  return {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'esnext.decorators'],
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      noEmitOnError: true,
      typeRoots: [packages],
      types: ['node'],
      paths: {
        '@pbxcore/module': [join(types, 'index.d.ts')],
        '@pbxcore/module/testing': [join(types, 'testing.d.ts')],
      },
    },
  };
}

async function run(args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
