// The service itself, with settings from the environment.
import { readConfig } from '../../server/src/config.ts';
import { serve } from '../../server/src/main.ts';

process.exitCode = await serve(readConfig());
