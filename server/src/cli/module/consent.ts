import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { CommandFailed } from '../command.ts';
import type { Endpoint } from './installed-module.ts';

/** What a module would do, as the service determined. */
export interface ModuleCheck {
  readonly id: string;
  readonly version: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly acts: readonly string[];
  readonly endpoints: readonly Endpoint[];
}

/** What enabling it accepts; empty if it needs a key for everything, and reads, changes and does nothing. */
export function openings({ reads, writes, acts, endpoints }: ModuleCheck): string[] {
  const routes = (channel: string, unless?: string) =>
    endpoints
      .filter(({ channels }) => channels.includes(channel) && !channels.includes(unless ?? ''))
      .map(({ verb, path }) => `    ${verb} ${path}`);
  const everybody = routes('public');
  const local = routes('localhost', 'public');
  return [
    ...(reads.length > 0 ? [`  it reads on its own account: ${reads.join(', ')}`] : []),
    ...(writes.length > 0 ? [`  it changes in the exchange: ${writes.join(', ')}`] : []),
    ...(acts.length > 0 ? [`  it acts on calls by itself: ${acts.join(', ')}`] : []),
    ...(everybody.length > 0 ? ['  it answers everybody, without a key:', ...everybody] : []),
    ...(local.length > 0 ? ['  it answers programs on this machine, without a key:', ...local] : []),
  ];
}

interface Terminal {
  readonly input: Readable & { isTTY?: boolean };
  readonly output: Writable & { isTTY?: boolean };
}

/** Whether the operator agrees. Without a terminal, only `--yes` agrees. */
export async function accepts(
  check: ModuleCheck,
  yes: boolean,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<boolean> {
  const lines = openings(check);
  if (lines.length === 0) return true;
  output.write(`${[`${check.id} ${check.version}:`, ...lines].join('\n')}\n`);
  if (yes) return true;
  if (!(input.isTTY && output.isTTY))
    throw new CommandFailed(
      `${check.id} is not enabled: this has to be accepted, and there is no terminal to ask on`,
      'add --yes to accept it',
    );
  const answer = await question('Enable it? [y/N] ', { input, output });
  return /^y(es)?$/i.test(answer.trim());
}

/** Resolves to an empty answer if the input ends. */
function question(text: string, { input, output }: Terminal): Promise<string> {
  const lines = createInterface({ input, output });
  return new Promise((resolve) => {
    lines.on('close', () => resolve(''));
    lines.question(text, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
