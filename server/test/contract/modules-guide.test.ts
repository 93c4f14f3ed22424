import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingProgram } from '../real/bouncer.ts';
import {
  type Environment,
  type ServiceProcess,
  startPbxcore,
  startService,
} from '../real/pbxcore-process.ts';
import { realPart } from '../real/require-real.ts';

const root = join(import.meta.dirname, '../../..');
const program = join(root, 'server/bin/pbxcore.js');

/** One fenced block with the remark before it. */
interface Block {
  readonly remark: string;
  readonly language: string;
  readonly text: string;
}

const guide = await readFile(join(root, 'docs/modules.md'), 'utf8');
const blocks = [...guide.matchAll(/(?:<!-- (.*?) -->\n)?```(\w+)\n([\s\S]*?)```/g)].map(
  ([, remark = '', language = '', text = '']): Block => ({ remark, language, text }),
);

/** Parses commands like a shell; ours only use quotes, variables and continued lines. */
function commandsOf(text: string, variables: Environment): string[][] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => {
        if (single !== undefined) return single;
        return (double ?? plain ?? '').replaceAll(/\$(\w+)/g, (_, name) => {
          expect(variables).toHaveProperty(name);
          return variables[name] ?? '';
        });
      }),
    );
}

describe.skipIf(!realPart('curl', !missingProgram('curl')))('docs/modules.md', () => {
  let folder: string;
  let here: { settings: Environment; service: ServiceProcess };
  let elsewhere: typeof here;
  /** The terminal with `module dev` running. */
  let terminal: ReturnType<typeof startPbxcore> | undefined;
  const variables: Record<string, string> = {};

  async function open(name: string) {
    const settings = { PBXCORE_DATA_DIR: join(folder, name) };
    return { settings, service: await startService(settings) };
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pbxcore-guide-'));
    [here, elsewhere] = await Promise.all([open('here'), open('elsewhere')]);
  });
  afterAll(async () => {
    await terminal?.end('SIGKILL');
    await Promise.all([here?.service.end('SIGTERM'), elsewhere?.service.end('SIGTERM')]);
    await rm(folder, { recursive: true, force: true });
  });

  async function run(command: readonly string[], { settings, service }: typeof here): Promise<string> {
    const isOurs = command.slice(0, 4).join(' ') === 'npm run pbxcore --';
    expect(isOurs || command[0] === 'curl', command.join(' ')).toBe(true);
    const [file, args] = isOurs
      ? [process.execPath, [program, ...command.slice(4)]]
      : ['curl', ['--silent', '--show-error', '--fail-with-body', ...command.slice(1)]];
    const child = spawn(
      file,
      args.map((word) => word.replace('http://localhost:8080', service.origin)),
      { cwd: folder, env: { PATH: process.env.PATH, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    await once(child, 'close');
    expect(child.exitCode, `${command.join(' ')}\n${output}`).toBe(0);
    return output;
  }

  async function edit({ remark, text }: Block): Promise<void> {
    const [, file = '', place] = /^edit (\S+): (.*)$/.exec(remark) ?? [];
    const path = join(folder, 'here/modules/call-notes', file);
    const source = await readFile(path, 'utf8');
    const inClass = place === 'at the end of the class';
    await writeFile(path, inClass ? source.replace(/}\s*$/, `\n${text}}\n`) : `${source}\n${text}`);
    // The exchange loads everything except tests.
    await terminal?.said(inClass ? /^reloaded in \d+ ms \(src\/notes\.ts\)/ : /^compiled in/);
  }

  async function keepRunning(command: readonly string[]): Promise<string> {
    terminal = startPbxcore(command.slice(4), here.settings);
    return terminal.said(/^watching /);
  }

  test('every command and every piece of code in it works, in its order', async () => {
    const outputs: string[] = [];
    for (const block of blocks) {
      if (block.language === 'ts') await edit(block);
      if (block.language !== 'sh') continue;
      for (const command of commandsOf(block.text, variables)) {
        if (block.remark === 'ends what keeps running')
          outputs.push((await terminal?.end('SIGINT'))?.stdout ?? '');
        const output =
          block.remark === 'keeps running'
            ? await keepRunning(command)
            : await run(command, block.remark === 'elsewhere' ? elsewhere : here);
        outputs.push(output);
        const key = /^key \(shown only now\): (\S+)$/m.exec(output)?.[1];
        if (key) variables.KEY = key;
      }
    }
    const said = outputs.join('\n');
    expect(said).toContain('CallNotes 1.0.0 is enabled');
    expect(said).toContain('CallNotes stays enabled');
    expect(said).toContain('"text":"Order a headset","done":true');
    expect(said).toContain('open notes are those that nobody has finished');
    expect(said).toContain('replaced CallNotes 1.0.0');
    expect(blocks.filter(({ language }) => language === 'sh').length).toBeGreaterThanOrEqual(9);
  }, 300_000);
});
