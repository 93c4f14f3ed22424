import { readConfig } from '../config.ts';
import { serve } from '../main.ts';
import { findRunningService } from '../service-file.ts';
import { command } from './command.ts';
import { startFailure } from './start-failure.ts';

export const startCommand = command({
  usage: 'start',
  summary: 'Run the service in the foreground until SIGTERM or Ctrl-C',
  async run() {
    const config = readConfig();
    try {
      return await serve(config);
    } catch (error) {
      throw startFailure(error, config, await findRunningService(config.dataDir));
    }
  },
});
