import { relative } from 'node:path';
import { readConfig } from '../config.ts';
import { findRunningService } from '../service-file.ts';
import { CommandFailed, command } from './command.ts';
import { developModule } from './module/dev/develop.ts';
import { locateModule } from './module/locate.ts';
import { openServiceSession } from './service-session.ts';

export const devCommand = command({
  usage: 'module dev MODULE [--yes]',
  summary: 'Reload a module in the running service whenever its files change, and show what it logs',
  details: [
    '  MODULE  its id, its folder in the modules directory, or a path: ./my-module. Of a folder elsewhere the service',
    '          gets a copy at each change, which replaces an installed module with the same id.',
    '  --yes   accept what it reads, changes and does with calls, and what it answers without a key',
    '',
    'Ctrl-C ends it; the module stays enabled.',
  ].join('\n'),
  options: { yes: { type: 'boolean' } },
  operands: ['MODULE'],
  async run({ yes = false }, [given]) {
    const config = readConfig();
    const folder = await locateModule(config, given as string);
    if (!(await findRunningService(config.dataDir)))
      throw new CommandFailed('the service is not running', 'start it in another terminal: `pbxcore start`');
    const ended = new AbortController();
    const end = () => ended.abort();
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, end);
    try {
      await using session = await openServiceSession(config);
      const shownFolder = relative(process.cwd(), folder).replace(/^\.\..*|^$/, folder);
      const say = (line: string) => console.log(line);
      await developModule({
        config,
        folder,
        shownFolder,
        call: session.call,
        yes,
        say,
        signal: ended.signal,
      });
      return 0;
    } finally {
      for (const signal of signals) process.off(signal, end);
    }
  },
});
