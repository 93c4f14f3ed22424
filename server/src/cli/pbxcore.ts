import { BadSettings, readConfig } from '../config.ts';
import { serve } from '../main.ts';

/** The `pbxcore` command. Resolves to the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const [command] = argv;
  try {
    if (command === 'start') return await serve(readConfig());
    console.error('usage: pbxcore start');
    return 2;
  } catch (error) {
    console.error(error instanceof BadSettings ? error.message : `pbxcore: ${(error as Error).message}`);
    return 1;
  }
}
