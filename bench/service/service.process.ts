// The service itself, with the settings of the environment.
import { readConfig } from '../../server/src/config.ts';
import { serve } from '../../server/src/main.ts';

process.exitCode = await serve(readConfig());
