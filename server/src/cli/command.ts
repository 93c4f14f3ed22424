import { type ParseArgsConfig, parseArgs } from 'node:util';
import { shownText } from '../lib/shown-text.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O & { help: { type: 'boolean' } }; strict: true; allowPositionals: true }>
>['values'];

/** The command was not understood: exit code 2, with the usage. */
export class UsageError extends Error {
  readonly usage: string;
  constructor(reason: string, usage: string) {
    super(reason);
    this.name = 'UsageError';
    this.usage = usage;
  }
}

/** The command is valid but failed: exit code 1. `remedy` says in one line what to do. */
export class CommandFailed extends Error {
  readonly remedy: string | undefined;
  constructor(reason: string, remedy?: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'CommandFailed';
    this.remedy = remedy;
  }
}

export interface Command {
  /** The command's words and arguments: `bans lift IP [--json]`. */
  readonly usage: string;
  readonly summary: string;
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

interface CommandDefinition<O extends Options> {
  readonly usage: string;
  readonly summary: string;
  /** Lines about the options, shown by `--help`. */
  readonly details?: string;
  readonly options?: O;
  /** Names of the required arguments. */
  readonly operands?: readonly string[];
  /** The last argument may be repeated. */
  readonly moreOperands?: boolean;
  readonly run: (values: Values<O>, operands: readonly string[]) => Promise<number>;
}

/** A command with checked arguments. */
export function command<const O extends Options>(definition: CommandDefinition<O>): Command {
  const { usage, summary, details, options, operands = [], moreOperands = false } = definition;
  return {
    usage,
    summary,
    async run(args) {
      const { values, positionals } = parse();
      if (values.help) {
        console.log([`usage: pbxcore ${usage}`, summary, ...(details ? ['', details] : [])].join('\n'));
        return 0;
      }
      const missing = operands[positionals.length];
      if (missing) throw new UsageError(`${missing} is missing`, usage);
      const extra = positionals[operands.length];
      if (extra !== undefined && !moreOperands)
        throw new UsageError(`"${extra}" is not expected here`, usage);
      return definition.run(values as Values<O>, positionals);

      function parse() {
        try {
          return parseArgs({
            args: [...args],
            options: { ...options, help: { type: 'boolean' } },
            strict: true,
            allowPositionals: true,
          });
        } catch (error) {
          // "Unknown option '--x'. To specify a positional …": only the first sentence is for the operator.
          throw new UsageError((error as Error).message.split(/\.\s|\n/)[0] as string, usage);
        }
      }
    },
  };
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

/** Prints one line on standard error, for what does not change the outcome. */
export const printWarning = (text: string): void => console.error(`warning: ${shownText(text, 4000)}`);
