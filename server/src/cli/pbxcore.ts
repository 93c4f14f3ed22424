import { BadSettings } from '../config.ts';
import { Failure } from '../lib/errors.ts';
import { shownText } from '../lib/shown-text.ts';
import { VERSION } from '../version.ts';
import { type Command, CommandFailed, UsageError } from './command.ts';

/** An error message may be text of a module or a stranger: terminal control characters are removed. */
const MAX_LINE = 4000;

/** By the first word of their usage. Only the requested group is loaded: all of them take a second. */
const groups: ReadonlyMap<string | undefined, () => Promise<readonly Command[]>> = new Map([
  ['start', async () => [(await import('./start.command.ts')).startCommand]],
  ['api-key', async () => (await import('./api-key.command.ts')).apiKeyCommands],
  ['bans', async () => (await import('./bans.command.ts')).banCommands],
  ['module', async () => (await import('./module.command.ts')).moduleCommands],
  ['engine', async () => (await import('./engine.command.ts')).engineCommands],
  ['restore', async () => [(await import('./restore.command.ts')).restoreCommand]],
  ['doctor', async () => [(await import('./doctor.command.ts')).doctorCommand]],
]);

/** The commands that begin with this word; if there are none, all. */
async function commandsOf(word: string | undefined): Promise<readonly Command[]> {
  const load = groups.get(word);
  return load ? load() : (await Promise.all([...groups.values()].map((each) => each()))).flat();
}

/** The `pbxcore` command. Resolves to the exit code: 0 done, 1 failed, 2 invalid usage. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(shownText(`pbxcore: ${error.message}`, MAX_LINE));
      console.error(`usage: pbxcore ${error.usage}`);
      return 2;
    }
    for (const line of linesOf(error)) console.error(shownText(line, MAX_LINE));
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
  const commands = await commandsOf(first);
  const found = commands.find(({ usage }) => wordsOf(usage).every((word, i) => word === argv[i]));
  if (found) return found.run(argv.slice(wordsOf(found.usage).length));
  const group = commands.filter(({ usage }) => wordsOf(usage)[0] === first);
  if (group.length > 0 && (rest[0] === '--help' || rest[0] === '-h')) return help([first as string]);
  const wanted = group.length > 0 ? (rest[0] ? `${first} ${rest[0]}` : undefined) : first;
  const reason = wanted ? `there is no command "${wanted}"` : 'a command is missing';
  const choices = (group.length > 0 ? group : commands).map(({ usage }) => usage);
  throw new UsageError(reason, choices.join('\n       pbxcore '));
}

async function help(words: readonly string[]): Promise<number> {
  const wanted = (await commandsOf(words[0])).filter(({ usage }) =>
    words.every((word, i) => word === wordsOf(usage)[i]),
  );
  if (wanted.length === 0) throw new UsageError(`there is no command "${words.join(' ')}"`, 'help');
  if (wanted.length === 1) return (wanted[0] as Command).run(['--help']);
  console.log('usage: pbxcore COMMAND\n');
  for (const { usage, summary } of wanted) console.log(`  ${usage}\n      ${summary}`);
  console.log(
    '\nSettings come from the environment (PBXCORE_…). `pbxcore COMMAND --help` explains one command.\nFrom a checkout: npm run pbxcore -- COMMAND',
  );
  return 0;
}

/** The lower-case words with which a command begins. */
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
