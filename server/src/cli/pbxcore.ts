import { VERSION } from '../app.ts';
import { BadSettings } from '../config.ts';
import { Failure } from '../lib/errors.ts';
import { apiKeyCommands } from './api-key.command.ts';
import { banCommands } from './bans.command.ts';
import { type Command, CommandFailed, UsageError } from './command.ts';
import { doctorCommand } from './doctor.command.ts';
import { engineCommands } from './engine.command.ts';
import { moduleCommands } from './module.command.ts';
import { restoreCommand } from './restore.command.ts';
import { startCommand } from './start.command.ts';

const commands: readonly Command[] = [
  startCommand,
  ...apiKeyCommands,
  ...banCommands,
  ...moduleCommands,
  ...engineCommands,
  restoreCommand,
  doctorCommand,
];

/** The `pbxcore` command. Resolves to the exit code: 0 done, 1 failed, 2 not understood. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`pbxcore: ${error.message}`);
      console.error(`usage: pbxcore ${error.usage}`);
      return 2;
    }
    for (const line of linesOf(error)) console.error(line);
    return 1;
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === '--version' || first === '-v') {
    console.log(VERSION);
    return 0;
  }
  if (first === 'help' || first === '--help' || first === '-h') return help(rest);
  const found = commands.find(({ usage }) => wordsOf(usage).every((word, i) => word === argv[i]));
  if (found) return found.run(argv.slice(wordsOf(found.usage).length));
  const group = commands.filter(({ usage }) => wordsOf(usage)[0] === first);
  if (group.length > 0 && (rest[0] === '--help' || rest[0] === '-h')) return help([first as string]);
  const wanted = group.length > 0 ? (rest[0] ? `${first} ${rest[0]}` : undefined) : first;
  const reason = wanted ? `there is no command "${wanted}"` : 'a command is missing';
  const choices = (group.length > 0 ? group : commands).map(({ usage }) => usage);
  throw new UsageError(reason, choices.join('\n       pbxcore '));
}

function help(words: readonly string[]): number | Promise<number> {
  const wanted = commands.filter(({ usage }) => words.every((word, i) => word === wordsOf(usage)[i]));
  if (wanted.length === 0) throw new UsageError(`there is no command "${words.join(' ')}"`, 'help');
  if (wanted.length === 1) return (wanted[0] as Command).run(['--help']);
  console.log('usage: pbxcore COMMAND\n');
  for (const { usage, summary } of wanted) console.log(`  ${usage}\n      ${summary}`);
  console.log(
    '\nSettings come from the environment (PBXCORE_…). `pbxcore COMMAND --help` explains one command.',
  );
  return 0;
}

/** The lower-case words a command begins with. */
const wordsOf = (usage: string): string[] => {
  const words = usage.split(' ');
  const end = words.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith('-'));
  return end < 0 ? words : words.slice(0, end);
};

function linesOf(error: unknown): string[] {
  if (error instanceof BadSettings) return error.message.split('\n');
  if (error instanceof CommandFailed)
    return [`pbxcore: ${error.message}`, ...(error.remedy ? [`remedy: ${error.remedy}`] : [])];
  if (error instanceof Failure) return error.reasons.map((reason) => `pbxcore: ${reason}`);
  return [`pbxcore: ${error instanceof Error ? error.message : String(error)}`];
}
