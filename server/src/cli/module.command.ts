import { type Config, readConfig } from '../config.ts';
import { type Command, command, printJson, printWarning, UsageError } from './command.ts';
import { idOf } from './module/locate.ts';
import { authorCommands } from './module-author.command.ts';
import { restartModule } from './module-restart.ts';
import { type ServiceCall, withService } from './service-client.ts';
import { table } from './table.ts';

interface ModuleRecord {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly disabled: boolean;
  readonly disableReason: string;
  readonly disableReasonText: string;
  readonly endpoints: readonly { verb: string; path: string; channels: readonly string[] }[];
}

const json = { type: 'boolean' } as const;
const at = (id: string) => `/modules/${encodeURIComponent(id)}`;

const list = command({
  usage: 'module list [--json]',
  summary: 'List the installed modules, and whether they are enabled',
  details: '  --json  for scripts',
  options: { json },
  async run(values) {
    const config = readConfig();
    const { data } = await withService(config, (call) => call<ModuleRecord[]>('GET', '/modules'));
    if (values.json) printJson(data);
    else if (data.length === 0) console.log(`no module is installed in ${config.modulesDir}`);
    else
      console.log(
        table([
          ['ID', 'VERSION', 'STATE', 'NAME'],
          ...data.map((module) => [module.id, module.version, stateOf(module), module.name]),
        ]),
      );
    return 0;
  },
});

const stateOf = ({ disabled, disableReason, disableReasonText }: ModuleRecord): string => {
  if (!disabled) return 'enabled';
  const reason = disableReasonText || (disableReason === 'DisabledByUser' ? '' : disableReason);
  return reason ? `disabled: ${reason}` : 'disabled';
};

/** Acts on one module and shows what became of it. */
async function act(
  given: string,
  words: (module: ModuleRecord) => string,
  work: (call: ServiceCall, id: string, config: Config) => Promise<{ warnings: readonly string[] }>,
): Promise<number> {
  const config = readConfig();
  const id = await idOf(config, given);
  await withService(config, async (call) => {
    const { warnings } = await work(call, id, config);
    for (const warning of warnings) printWarning(warning);
    const { data } = await call<ModuleRecord>('GET', at(id));
    console.log(words(data));
  });
  return 0;
}

const enabled = (module: ModuleRecord): string =>
  [
    `${module.id} ${module.version} is ${stateOf(module)}`,
    ...module.endpoints.map(({ verb, path, channels }) => `  ${verb} ${path} (${channels.join(', ')})`),
  ].join('\n');

const enable = command({
  usage: 'module enable ID',
  summary: 'Publish the endpoints of a module; it stays enabled after a restart',
  operands: ['ID'],
  run: (_values, [given]) => act(given as string, enabled, (call, id) => call('POST', `${at(id)}:enable`)),
});

const disable = command({
  usage: 'module disable ID [--reason TEXT]',
  summary: 'Take the endpoints of a module away; its data stays',
  details: '  --reason  shown in the list',
  options: { reason: { type: 'string' } },
  operands: ['ID'],
  run: ({ reason }, [given]) =>
    act(
      given as string,
      ({ id }) => `${id} is disabled`,
      (call, id) => call('POST', `${at(id)}:disable`, reason === undefined ? {} : { reasonText: reason }),
    ),
});

const restart = command({
  usage: 'module restart ID',
  summary: 'Load an enabled module anew, after its files have changed',
  operands: ['ID'],
  run: (_values, [given]) => act(given as string, enabled, restartModule),
});

const setUsage = 'module set ID NAME=VALUE...';
const set = command({
  usage: setUsage,
  summary: 'Change settings of a module; an enabled one is restarted with them',
  details: '  NAME=VALUE  as declared in its module.json; lists and objects as JSON',
  operands: ['ID', 'NAME=VALUE'],
  moreOperands: true,
  run: (_values, [given, ...pairs]) => {
    const settings = Object.fromEntries(pairs.map(readPair));
    return act(
      given as string,
      ({ id }) => `${id}: ${Object.keys(settings).join(', ')} is set`,
      (call, id) => call('PATCH', at(id), { settings }),
    );
  },
});

function readPair(pair: string): [string, unknown] {
  const cut = pair.indexOf('=');
  if (cut < 1) throw new UsageError(`"${pair}" is not NAME=VALUE`, setUsage);
  const [name, value] = [pair.slice(0, cut), pair.slice(cut + 1)];
  if (!/^[[{]/.test(value)) return [name, value];
  try {
    return [name, JSON.parse(value)];
  } catch {
    throw new UsageError(`the value of ${name} is not valid JSON`, setUsage);
  }
}

export const moduleCommands: readonly Command[] = [...authorCommands, list, enable, disable, restart, set];
