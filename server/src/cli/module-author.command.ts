import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { Conflict, RuleBroken } from '../lib/errors.ts';
import { checkModule } from '../module-host/check-module.ts';
import { closedPortsOf } from '../module-host/closed-ports.ts';
import {
  FolderTaken,
  findInstalled,
  installModule,
  ModulePresent,
  readNewModule,
} from '../module-host/folder/install-module.ts';
import { ARCHIVE_LIMITS, readZip } from '../module-host/folder/module-archive.ts';
import { readModuleFolder } from '../module-host/folder/module-folder.ts';
import { findRunningService } from '../service-file.ts';
import { VERSION } from '../version.ts';
import { type Command, CommandFailed, command, printWarning } from './command.ts';
import { buildModule, needsBuild, testModule } from './module/build.ts';
import { createModule } from './module/create.ts';
import { restartModule } from './module/installed-module.ts';
import { locateModule } from './module/locate.ts';
import { moduleName } from './module/module-name.ts';
import { packageFiles } from './module/package-files.ts';
import { writeZip } from './module/zip-writer.ts';
import { withService } from './service-client.ts';

const MODULE = '  MODULE  its id, its folder in the modules directory, or a path: ./my-module';
const shown = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
};

const createUsage = 'module create NAME [--javascript] [--in FOLDER]';
const create = command({
  usage: createUsage,
  summary: 'Create a working sample module with a test',
  details: [
    '  NAME          lower-case words joined by hyphens: call-notes',
    '  --javascript  without decorators and without compiling; otherwise TypeScript',
    '  --in FOLDER   where to create its folder; default: the modules directory',
  ].join('\n'),
  options: { javascript: { type: 'boolean' }, in: { type: 'string' } },
  operands: ['NAME'],
  async run(values, [given]) {
    const name = moduleName(given as string, createUsage);
    const parent = values.in ?? readConfig().modulesDir;
    const folder = resolve(parent, name.slug);
    await createModule(folder, name, values.javascript ? 'javascript' : 'typescript');
    await buildModule(folder);
    const called = values.in === undefined ? name.slug : shown(folder).replace(/^(?![./])/, './');
    console.log(`created ${shown(folder)}`);
    console.log(`  test it:    pbxcore module test ${called}`);
    console.log(
      values.in === undefined
        ? `  enable it:  pbxcore module enable ${name.id}`
        : `  pack it:    pbxcore module pack ${called}`,
    );
    return 0;
  },
});

const build = command({
  usage: 'module build MODULE',
  summary: 'Compile a module written in TypeScript',
  details: MODULE,
  operands: ['MODULE'],
  async run(_values, [given]) {
    const folder = await locateModule(readConfig(), given as string);
    await buildModule(folder);
    console.log(needsBuild(folder) ? `${shown(folder)} is compiled` : 'JavaScript needs no compiling');
    return 0;
  },
});

const test = command({
  usage: 'module test MODULE',
  summary: 'Compile a module and run its tests',
  details: MODULE,
  operands: ['MODULE'],
  async run(_values, [given]) {
    const folder = await locateModule(readConfig(), given as string);
    await buildModule(folder);
    return (await testModule(folder)) ? 0 : 1;
  },
});

const check = command({
  usage: 'module check MODULE',
  summary: 'Load a module as the exchange would, and show what it publishes',
  details: MODULE,
  operands: ['MODULE'],
  async run(_values, [given]) {
    const config = readConfig();
    const folder = await locateModule(config, given as string);
    const { manifest, endpoints } = await checked(folder, config);
    console.log(`${manifest.id} ${manifest.version} is in order`);
    for (const { verb, path, channels } of endpoints)
      console.log(`  ${verb} ${path} (${channels.join(', ')})`);
    return 0;
  },
});

const pack = command({
  usage: 'module pack MODULE [--out FILE]',
  summary: 'Compile, check and pack a module into a ZIP file',
  details: `${MODULE}\n  --out   the file to write; default: ID-VERSION.zip in the current directory`,
  options: { out: { type: 'string' } },
  operands: ['MODULE'],
  async run(values, [given]) {
    const config = readConfig();
    const folder = await locateModule(config, given as string);
    await buildModule(folder);
    const { manifest } = await checked(folder, config);
    const files = await packageFiles(folder);
    if (!files.some(({ name }) => name === manifest.main))
      throw new CommandFailed(`${manifest.main} is not among the files to pack`);
    const archive = writeZip(files);
    // Never hand out an archive that we would refuse to install.
    await told(async () => readZip(archive));
    const out = values.out ?? join(process.cwd(), `${manifest.id}-${manifest.version}.zip`);
    await writeFile(out, archive);
    console.log(`packed ${files.length} files into ${shown(resolve(out))} (${archive.length} bytes)`);
    return 0;
  },
});

const install = command({
  usage: 'module install FILE [--replace]',
  summary:
    'Install a module from a ZIP file; a new one stays disabled, with `--replace` a running one is restarted',
  details: '  --replace  replace an installed version; its data and settings are kept',
  options: { replace: { type: 'boolean' } },
  operands: ['FILE'],
  async run(values, [given]) {
    const config = readConfig();
    const archive = await readArchive(given as string);
    const modulesDir = resolve(config.modulesDir);
    const installed = await told(async () =>
      installModule({
        modulesDir,
        files: readZip(archive),
        check: (folder) => usable(() => readNewModule(folder, VERSION)),
        find: (id) => findInstalled({ modulesDir, pbxVersion: VERSION }, id),
        replace: values.replace ?? false,
      }),
    );
    const { id, version, replaced } = installed;
    console.log(`${replaced ? 'replaced' : 'installed'} ${id} ${version} in ${shown(installed.folder)}`);
    const hint = `  enable it:  pbxcore module enable ${id}`;
    if (!replaced) console.log(hint);
    else if (await findRunningService(config.dataDir)) await restartIfEnabled(id);
    return 0;

    async function restartIfEnabled(module: string): Promise<void> {
      await withService(config, async (call) => {
        const { data } = await call<{ disabled: boolean }>('GET', `/modules/${module}`);
        // Perhaps because the old version failed: the new one may work.
        if (data.disabled) return console.log(hint);
        const { data: now, warnings } = await restartModule(call, module);
        for (const warning of warnings) printWarning(warning);
        if (now.disabled) printWarning(`it is switched off: ${now.disableReasonText}`);
        console.log(now.disabled ? hint : '  the service runs the new version');
      });
    }
  },
});

/** Checks like the exchange: the folder, then the code, in a process of its own. */
const checked = (folder: string, config: Config) =>
  usable(async () => {
    await readModuleFolder(folder, VERSION);
    return checkModule({ folder, pbxVersion: VERSION, closedPorts: closedPortsOf(config) });
  });

async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'BrokenModule')
      throw new CommandFailed(`the module cannot be used: ${error.message}`);
    throw error;
  }
}

/** Turns a refusal into one with a remedy for this command. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Conflict || error instanceof RuleBroken)) throw error;
    const remedy =
      error instanceof ModulePresent
        ? 'add --replace to replace it with this version'
        : error instanceof FolderTaken
          ? 'move that folder away first, or install it where it is used'
          : undefined;
    throw new CommandFailed(error.message, remedy, error);
  }
}

async function readArchive(path: string): Promise<Buffer> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) throw new CommandFailed(`there is no file ${path}`);
  if (facts.size > ARCHIVE_LIMITS.archiveBytes)
    throw new CommandFailed(`the archive is refused: it has more than ${ARCHIVE_LIMITS.archiveBytes} bytes`);
  return readFile(path);
}

export const authorCommands: readonly Command[] = [create, build, test, check, pack, install];
