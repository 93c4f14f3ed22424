import { readConfig } from '../config.ts';
import { MODULE_ID } from '../lib/module-id.ts';
import { type Command, CommandFailed, command, printJson, UsageError } from './command.ts';
import { accepts, type ModuleCheck } from './module/consent.ts';
import {
  act,
  at,
  change,
  endpointLine,
  type ModuleRecord,
  restartModule,
  stateOf,
} from './module/installed-module.ts';
import { idOf, idToRemove } from './module/locate.ts';
import { authorCommands } from './module-author.command.ts';
import { devCommand } from './module-dev.command.ts';
import { inspectCommands } from './module-inspect.command.ts';
import { ServiceRefused, withService } from './service-client.ts';
import { table } from './table.ts';

const json = { type: 'boolean' } as const;

const list = command({
  usage: 'module list [--json]',
  summary: 'List the installed modules and show which are enabled',
  details: '  --json  print JSON, for scripts',
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

const enabled = (module: ModuleRecord): string =>
  [
    `${module.id} ${module.version} is ${stateOf(module)}`,
    ...module.endpoints.map((endpoint) => `  ${endpointLine(endpoint)}`),
  ].join('\n');

const enable = command({
  usage: 'module enable ID [--yes]',
  summary: 'Enable a module: start it and publish its endpoints, also after a restart of the service',
  details: [
    '  --yes  accept what it reads, changes, does and answers without a key. Without --yes you are asked; without a',
    '         terminal it is not enabled. A module that does none of this needs no --yes.',
  ].join('\n'),
  options: { yes: { type: 'boolean' } },
  operands: ['ID'],
  async run({ yes = false }, [given]) {
    const asked = await askedFor(given as string, yes);
    if (asked && !(await accepts(asked, yes))) throw new CommandFailed(`${asked.id} is not enabled`);
    return act(given as string, enabled, (call, id) =>
      change(call, 'POST', `${at(id)}:enable`, asked && { shown: asked }),
    );
  },
});

/** What has to be accepted; nothing if that was done before, or if its start will report the problem. */
async function askedFor(given: string, yes: boolean): Promise<ModuleCheck | undefined> {
  const config = readConfig();
  const id = await idOf(config, given);
  return withService(config, async (call) => {
    const { data } = await call<ModuleRecord>('GET', at(id));
    if (!data.disabled) return undefined;
    try {
      return (await call<ModuleCheck>('POST', `${at(id)}:check`)).data;
    } catch (error) {
      if (yes && error instanceof ServiceRefused) return undefined;
      throw error;
    }
  });
}

const disable = command({
  usage: 'module disable ID [--reason TEXT]',
  summary: 'Disable a module; its data stays',
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
  summary: 'Restart an enabled module, after its files have changed',
  operands: ['ID'],
  run: (_values, [given]) => act(given as string, enabled, restartModule),
});

const setUsage = 'module set ID NAME=VALUE...';
const set = command({
  usage: setUsage,
  summary: 'Change settings of a module; an enabled one is restarted with them',
  details: [
    '  NAME=VALUE  as declared in its module.json; lists and objects as JSON',
    '',
    'If the module does not start with them, the previous settings are kept.',
  ].join('\n'),
  operands: ['ID', 'NAME=VALUE'],
  moreOperands: true,
  run: (_values, [given, ...pairs]) => {
    const settings = Object.fromEntries(pairs.map(readPair));
    return act(
      given as string,
      ({ id }) => `${id}: ${Object.keys(settings).join(', ')} is set`,
      (call, id) => change(call, 'PATCH', at(id), { settings }),
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

const reset = command({
  usage: 'module reset ID [NAME...]',
  summary: 'Reset settings of a module to their defaults; without names all of them',
  operands: ['ID'],
  moreOperands: true,
  run: (_values, [given, ...names]) =>
    act(
      given as string,
      ({ id }) => `${id}: ${names.length > 0 ? names.join(', ') : 'every setting'} reset to default`,
      async (call, id) => {
        const { data } = await call<ModuleRecord>('GET', at(id));
        return change(call, 'PATCH', at(id), {
          reset: names.length > 0 ? names : Object.keys(data.settings),
        });
      },
    ),
});

const remove = command({
  usage: 'module remove ID [--purge]',
  summary: 'Stop a module and remove its folder; its data and settings stay',
  details: '  --purge  also remove its data and settings',
  options: { purge: { type: 'boolean' } },
  operands: ['ID'],
  async run({ purge = false }, [given]) {
    const config = readConfig();
    const id = await idToRemove(config, given as string);
    await withService(config, (call) => change(call, 'DELETE', `${at(id)}${purge ? '?purge=true' : ''}`));
    // A folder without a module has stored nothing.
    const rest = purge ? ', with its data and settings' : '; its data and settings stay';
    console.log(`${id} is removed${MODULE_ID.test(id) ? rest : ''}`);
    return 0;
  },
});

export const moduleCommands: readonly Command[] = [
  ...authorCommands,
  devCommand,
  list,
  ...inspectCommands,
  enable,
  disable,
  restart,
  set,
  reset,
  remove,
];
