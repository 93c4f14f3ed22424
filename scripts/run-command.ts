import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The environment of npm scripts: commands of installed packages, among them Node 24, take precedence. */
export const scriptEnv = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
  // The checks use no network.
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** Runs a command in the repository and shows its output as it arrives. Resolves to the exit code. */
export function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return start(command, args, 'inherit', env).then(({ code }) => code);
}

/** Runs a command in the repository and captures its output. */
export function capture(command: string, args: string[]): Promise<{ code: number; output: string }> {
  return start(command, args, 'pipe');
}

function start(command: string, args: string[], output: 'inherit' | 'pipe', env = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...scriptEnv, ...env },
      stdio: ['ignore', output, output],
    });
    let text = '';
    child.stdout?.on('data', (chunk) => (text += chunk));
    child.stderr?.on('data', (chunk) => (text += chunk));
    child.on('error', (error) => resolve({ code: 127, output: `${text}${command}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: text }));
  });
}
